import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';
/** Node's own limit of 16 KiB is not one of HTTP. */
export const LONGEST_HEAD = 256 * 1024;

/**
 * Counts what a connection brings beside what the HTTP parser hands out: the parser drops whatever follows the
 * body that a Content-Length announces.
 */
export class WireTap {
  private head = Buffer.alloc(0);
  private bodyBytes = 0;
  private headEnded = false;

  constructor(private readonly socket: Socket) {
    socket.on('data', this.take);
  }

  /** How many bytes came after the body of a message; 0 where its length is not announced. */
  surplus({ headers }: IncomingMessage): number {
    const length = headers['content-length'];
    if (!this.headEnded || length === undefined || headers['transfer-encoding'] !== undefined) return 0;
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
