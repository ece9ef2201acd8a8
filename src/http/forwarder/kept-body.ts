import type { IncomingMessage } from 'node:http';
import { CollectedBytes } from '../collected-bytes.js';
import type { ForwardedBody } from '../exchange.js';
import { fieldsFrom } from '../fields.js';
import type { SharedLimit } from '../limits.js';

/** Keeps the bytes of a body while it is forwarded, up to a limit. */
export class KeptBody {
  private readonly collected: CollectedBytes;

  /**
   * @param longest how many bytes are kept; the rest is only counted
   * @param limit on the bytes of all bodies together
   */
  constructor(
    longest: number,
    private limit?: SharedLimit<KeptBody>,
  ) {
    this.collected = new CollectedBytes(longest);
  }

  /** Whether no byte has come yet. */
  get isEmpty(): boolean {
    return this.collected.received === 0;
  }

  /** Whether more came than is kept. */
  get isTooLong(): boolean {
    return this.collected.isTooLong;
  }

  add(chunk: Buffer): void {
    this.collected.add(chunk);
    this.limit?.holds(this, this.collected.bytes.length);
  }

  /** Frees the bytes, and keeps none from now on. */
  forget(): void {
    this.collected.forget();
  }

  /** Ends the part in the limit: the exchange has ended. */
  leaveLimit(): void {
    this.limit?.holds(this, 0);
    this.limit = undefined;
  }

  /** The body of a message so far. */
  of(message: IncomingMessage): ForwardedBody {
    return {
      body: this.collected.bytes,
      bodyLength: this.collected.received,
      trailers: fieldsFrom(message.rawTrailers),
      // Its end may have come while its last bytes wait to be forwarded.
      complete: message.complete && message.readableEnded,
    };
  }
}
