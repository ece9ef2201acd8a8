/** With large things, fewer are kept. */
const MOST_BYTES = 64 * 2 ** 20;

/** The last things that were added, in bounded memory. Each has a number: 1 for the first one ever added. */
export class Ring<T> {
  private readonly things: (T | undefined)[] = [];
  /** How many bytes each one takes: to look into an old thing would cost a cache miss. */
  private readonly sizes: number[] = [];
  private bytes = 0;
  private count = 0;
  /** The number of the first one that is kept. */
  private oldest = 1;

  /** @param most how many are kept */
  constructor(readonly most: number) {}

  /** How many were added in all: the number of the last one. */
  get total(): number {
    return this.count;
  }

  /** @returns its number */
  add(thing: T, bytes: number): number {
    const number = ++this.count;
    if (this.most === 0) {
      this.oldest++;
      return number;
    }
    if (number - this.oldest >= this.most) this.drop();
    const place = number % this.most;
    this.things[place] = thing;
    this.sizes[place] = bytes;
    this.bytes += bytes;
    while (this.bytes > MOST_BYTES) this.drop();
    return number;
  }

  get(number: number): T | undefined {
    return number >= this.oldest && number <= this.count ? this.things[number % this.most] : undefined;
  }

  /** The kept ones with their numbers, oldest first. */
  *entries(): Generator<readonly [number: number, thing: T]> {
    for (let number = this.oldest; number <= this.count; number++) yield [number, this.get(number) as T];
  }

  /** Forgets all. The numbers go on. */
  clear(): void {
    while (this.oldest <= this.count) this.drop();
  }

  private drop(): void {
    const place = this.oldest++ % this.most;
    this.bytes -= this.sizes[place] ?? 0;
    this.things[place] = undefined;
    this.sizes[place] = 0;
  }
}
