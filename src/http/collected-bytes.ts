/**
 * Collects the bytes of a body up to a limit. A `Buffer` for each of a million chunks would take much more memory than
 * their bytes.
 */
export class CollectedBytes {
  private buffer = new Uint8Array(0);
  /** How many bytes came, with those that are not kept. */
  received = 0;

  /** @param longest how many bytes are kept */
  constructor(private readonly longest: number) {}

  /** Whether more bytes came than are kept. */
  get isTooLong(): boolean {
    return this.received > this.longest;
  }

  /** The kept bytes. Call it at the end: later chunks may change them. */
  get bytes(): Uint8Array {
    return this.buffer.subarray(0, this.kept);
  }

  private get kept(): number {
    return Math.min(this.received, this.longest);
  }

  add(chunk: Uint8Array): void {
    const from = this.kept;
    this.received += chunk.length;
    const to = this.kept;
    if (to > this.buffer.length) this.grow(from, to);
    this.buffer.set(chunk.subarray(0, to - from), from);
  }

  private grow(from: number, to: number): void {
    const size = Math.max(to, Math.min(this.longest, 2 * this.buffer.length));
    const larger = new Uint8Array(size);
    larger.set(this.buffer.subarray(0, from));
    this.buffer = larger;
  }
}

/**
 * Reads a body or a file, and stops reading at the limit.
 *
 * @param longest in bytes
 * @returns `undefined` if it is longer
 * @throws what the source throws
 */
export async function readWithin(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  longest: number,
): Promise<Buffer | undefined> {
  const collected = new CollectedBytes(longest);
  for await (const chunk of source) {
    collected.add(chunk);
    // Leaving the loop ends the source.
    if (collected.isTooLong) return undefined;
  }
  const { buffer, byteOffset, length } = collected.bytes;
  return Buffer.from(buffer, byteOffset, length);
}
