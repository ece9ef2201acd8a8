import type { IncomingMessage } from 'node:http';
import { fieldsFrom } from '../header-fields.js';
import type { ForwardedBody } from './message.js';

/** How many bytes of a body are kept where nothing else is said. */
export const KEPT_BYTES = 2 ** 20;

/** Keeps the bytes of a body that passes, up to a limit. */
export class KeptBody {
  private readonly chunks: Buffer[] = [];
  private kept = 0;
  private length = 0;

  /** @param limit how many bytes are kept; the rest is counted */
  constructor(private readonly limit: number) {}

  /** Whether nothing has passed yet. */
  get isEmpty(): boolean {
    return this.length === 0;
  }

  /** Looks at a chunk on its way. */
  add(chunk: Buffer): void {
    this.length += chunk.length;
    const room = this.limit - this.kept;
    if (room <= 0) return;
    const part = chunk.length <= room ? chunk : chunk.subarray(0, room);
    this.chunks.push(part);
    this.kept += part.length;
  }

  /** What has passed of a message. */
  of(message: IncomingMessage): ForwardedBody {
    const [first] = this.chunks;
    return {
      body: this.chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.chunks),
      bodyLength: this.length,
      trailers: fieldsFrom(message.rawTrailers),
      // Its end may have come while its last bytes wait to be passed on.
      complete: message.complete && message.readableEnded,
    };
  }
}
