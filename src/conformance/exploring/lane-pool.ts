import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckSettings } from '../options.js';
import { Lane } from './lane.js';

interface Waiting {
  readonly count: number;
  readonly take: (lanes: readonly Lane[]) => void;
}

/** The kept connections of exploring. Who takes some waits until so many are free. */
export class LanePool {
  private readonly free: Lane[];
  private readonly waiting: Waiting[] = [];
  readonly size: number;

  /** @param lanes connections that the provider serves side by side */
  constructor(lanes: readonly Lane[]) {
    this.free = [...lanes];
    this.size = lanes.length;
  }

  /** Takes lanes, at most all. Who asks first gets them first. */
  take(count: number): readonly Lane[] | Promise<readonly Lane[]> {
    if (this.waiting.length === 0 && this.free.length >= count) return this.free.splice(-count);
    return new Promise((take) => this.waiting.push({ count, take }));
  }

  giveBack(lanes: readonly Lane[]): void {
    this.free.push(...lanes);
    let [next] = this.waiting;
    while (next !== undefined && this.free.length >= next.count) {
      this.waiting.shift();
      next.take(this.free.splice(-next.count));
      [next] = this.waiting;
    }
  }

  close(): void {
    for (const lane of this.free) lane.close();
  }
}

/** How long the provider may take to serve all connections. */
const OPENING_MS = 1_000;

/**
 * Opens as many kept connections as the provider serves side by side. Some providers serve a connection until it ends, and
 * then the next one, or have a thread for each. One more is tried than is kept: some probes need a connection of their own.
 *
 * @param isServed sends a plain plant on a connection, and says whether there was a response
 */
export async function openLanes(
  settings: CheckSettings,
  isServed: (lane: Lane) => Promise<boolean>,
): Promise<LanePool> {
  const tried = Array.from(
    { length: settings.concurrency + 1 },
    () => new Lane(settings, settings.timeoutMs),
  );
  const served = new Set<Lane>();
  const isOver = new AbortController();
  const all = tried.map(async (lane) => {
    if (await isServed(lane)) served.add(lane);
  });
  const late = sleep(OPENING_MS, undefined, { signal: isOver.signal }).catch(() => undefined);
  await Promise.race([Promise.all(all), late]);
  isOver.abort();
  const [spare, ...kept] = served;
  for (const lane of tried) if (!served.has(lane) || lane === spare) lane.close();
  await Promise.all(all);
  return new LanePool(kept);
}
