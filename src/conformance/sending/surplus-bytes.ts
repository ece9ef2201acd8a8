import type { Socket } from 'node:net';
import { headerValues } from '../../http/fields.js';

const HEAD_END = '\r\n\r\n';
/** Bytes. Node's own limit of 16 KiB is not a limit of HTTP. */
export const LONGEST_HEAD = 256 * 1024;

/** Counts the bytes after the body that Content-Length announces. Node's HTTP parser drops them. */
export class SurplusBytes {
  private head = Buffer.alloc(0);
  private bodyBytes = 0;
  private headEnded = false;

  constructor(private readonly socket: Socket) {
    socket.on('data', this.take);
  }

  /**
   * How many bytes came after the body: 0 if its length is not announced.
   *
   * @param rawHeaders names and values in turn
   */
  after(rawHeaders: readonly string[]): number {
    const [length = ''] = headerValues(rawHeaders, 'content-length');
    if (!this.headEnded || headerValues(rawHeaders, 'transfer-encoding').length > 0) return 0;
    return /^\d{1,15}$/.test(length) ? Math.max(0, this.bodyBytes - Number(length)) : 0;
  }

  close(): void {
    this.socket.off('data', this.take);
  }

  private readonly take = (chunk: Buffer): void => {
    if (this.headEnded) {
      this.bodyBytes += chunk.length;
      return;
    }
    this.head = Buffer.concat([this.head, chunk]);
    for (;;) {
      const end = this.head.indexOf(HEAD_END);
      if (end < 0) {
        if (this.head.length > LONGEST_HEAD) this.close();
        return;
      }
      const isInterim = /^HTTP\/1\.\d 1\d\d/.test(this.head.toString('latin1', 0, 12));
      this.head = this.head.subarray(end + HEAD_END.length);
      if (isInterim) continue;
      this.headEnded = true;
      this.bodyBytes = this.head.length;
      this.head = Buffer.alloc(0);
      return;
    }
  };
}
