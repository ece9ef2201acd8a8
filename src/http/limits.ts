/** The limits on what is read from outside, in bytes. Every part of the package uses these. */
export const limits = {
  /** A body of a message: as it is received, and again after its content codings are undone. */
  body: 2 * 2 ** 20,
  /** A pact, from a file, a URL or a broker. */
  pact: 16 * 2 ** 20,
  /** All pacts of a broker together. */
  allPacts: 64 * 2 ** 20,
  /** A file that a flag names: certificates, a list, failures, a profile. The largest is a report of a check. */
  file: 64 * 2 ** 20,
  /** Saved messages, from a file or from standard input. */
  messages: 64 * 2 ** 20,
  /** A body in saved messages, also after its content codings are undone. They are read one by one. */
  savedBody: 16 * 2 ** 20,
} as const;

/** A limit, as in "longer than 2 MiB". */
export function limitInWords(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes} bytes` : `${bytes / 2 ** 20} MiB`;
}

/**
 * Keeps what several hold together under a limit. Whoever holds the most lets go first: then those who hold little do not
 * pay for one who holds much.
 */
export class SharedLimit<Holder> {
  private readonly held = new Map<Holder, number>();
  private total = 0;

  /**
   * @param most in bytes
   * @param letGo makes a holder free everything. It holds nothing from then on.
   */
  constructor(
    private readonly most: number,
    private readonly letGo: (holder: Holder) => void,
  ) {}

  /** Says how many bytes a holder has now. It may have to let go at once. */
  holds(holder: Holder, bytes: number): void {
    this.total += bytes - (this.held.get(holder) ?? 0);
    if (bytes > 0) this.held.set(holder, bytes);
    else this.held.delete(holder);
    while (this.total > this.most) {
      const largest = this.largest();
      this.holds(largest, 0);
      this.letGo(largest);
    }
  }

  private largest(): Holder {
    const [first, ...others] = this.held;
    let [largest, most] = first as [Holder, number];
    for (const [holder, bytes] of others) if (bytes > most) [largest, most] = [holder, bytes];
    return largest;
  }
}
