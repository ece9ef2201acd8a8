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
