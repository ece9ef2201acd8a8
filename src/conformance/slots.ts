interface Waiting {
  readonly count: number;
  readonly go: (granted: number) => void;
}

/** So many requests under way at once and no more; first come, first served. */
export class Slots {
  private readonly waiting: Waiting[] = [];
  private taken = 0;

  constructor(private size: number) {}

  /** Does work that needs so many slots at once; where there are fewer, it gets them all. */
  async with<T>(count: number, work: () => Promise<T>): Promise<T> {
    const granted = await new Promise<number>((go) => {
      this.waiting.push({ count, go });
      this.serve();
    });
    try {
      return await work();
    } finally {
      this.taken -= granted;
      this.serve();
    }
  }

  /** Halves what there is from now on, down to 2. */
  shrink(): void {
    this.size = Math.min(this.size, Math.max(2, Math.floor(this.size / 2)));
  }

  private serve(): void {
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      const granted = Math.min(next.count, this.size);
      if (this.taken + granted > this.size) return;
      this.waiting.shift();
      this.taken += granted;
      next.go(granted);
    }
  }
}
