import type { CheckSettings } from '../options.js';
import { Lane } from './lane.js';

interface Waiting {
  readonly count: number;
  readonly take: (lanes: readonly Lane[]) => void;
}

/**
 * The connections of exploring. No more of them are open than the check may have, because a provider may serve only so many
 * at a time. Only requests that must be sent together get more for a moment.
 */
export class LanePool {
  private readonly free: Lane[] = [];
  private readonly waiting: Waiting[] = [];
  private readonly size: number;

  constructor(private readonly settings: CheckSettings) {
    this.size = settings.concurrency;
    for (let opened = 0; opened < this.size; opened++) this.free.push(this.lane());
  }

  /** Takes lanes, once so many are free. Who asks first gets them first. */
  take(count: number): readonly Lane[] | Promise<readonly Lane[]> {
    if (this.waiting.length === 0 && this.isEnoughFor(count)) return this.taken(count);
    return new Promise((take) => this.waiting.push({ count, take }));
  }

  /** Gives lanes back. Those that the pool has no place for are closed. */
  giveBack(lanes: readonly Lane[]): void {
    for (const lane of lanes) {
      if (this.free.length < this.size) this.free.push(lane);
      else lane.close();
    }
    for (
      let [next] = this.waiting;
      next !== undefined && this.isEnoughFor(next.count);
      [next] = this.waiting
    ) {
      this.waiting.shift();
      next.take(this.taken(next.count));
    }
  }

  close(): void {
    for (const lane of this.free) lane.close();
  }

  private isEnoughFor(count: number): boolean {
    return this.free.length >= Math.min(count, this.size);
  }

  private taken(count: number): readonly Lane[] {
    // The one that was used last first: its connection is open.
    const lanes = this.free.splice(-count);
    while (lanes.length < count) lanes.push(this.lane());
    return lanes;
  }

  private lane(): Lane {
    return new Lane(this.settings, this.settings.timeoutMs);
  }
}
