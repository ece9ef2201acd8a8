import type { ExploreProgress } from '../conformance/exploring/options.js';
import { type CommandIo, isWatched } from './io.js';

/** A bar that shows how far a check is. */
export interface Progress {
  advance(done: number, total: number): void;
  end(): void;
}

const NONE: Progress = { advance() {}, end() {} };

/** Draws a bar on standard error if a person may be watching; otherwise nothing. */
export async function startProgress(io: CommandIo, total: number): Promise<Progress> {
  if (!isWatched(io.stderr, io.env)) return NONE;
  const { SingleBar, Presets } = (await import('cli-progress')).default;
  const bar = new SingleBar(
    {
      format: '{bar} {value} of {total} requests',
      stream: io.stderr as NodeJS.WriteStream,
      clearOnComplete: true,
      hideCursor: true,
      // Between two responses, the bar stays the same.
      fps: 20,
    },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  return {
    advance(done, newTotal) {
      bar.setTotal(newTotal);
      bar.update(done);
    },
    end: () => bar.stop(),
  };
}

/** A line that shows how far exploring is. */
export interface ExploreBar {
  show(now: ExploreProgress): void;
  end(): void;
}

/** Draws the line on standard error if a person may be watching; otherwise nothing. */
export function startExploreBar(io: CommandIo, timeMs: number): ExploreBar {
  if (!isWatched(io.stderr, io.env)) return { show() {}, end() {} };
  const erase = '\r\u001b[K';
  return {
    show({ requests, findings, elapsedMs }) {
      const rate = Math.round(requests / (elapsedMs / 1000));
      const seconds = Math.max(0, Math.ceil((timeMs - elapsedMs) / 1000));
      io.stderr.write(
        `${erase}exploring: ${rate} requests a second, ${seconds} s remaining, ${findings} ${findings === 1 ? 'failure' : 'failures'}`,
      );
    },
    end: () => io.stderr.write(erase),
  };
}

/** A line that shows how much of a large file is read. */
export interface ReadingBar {
  show(byte: number): void;
  end(): void;
}

/** A smaller file is read before anybody could read the line. In bytes. */
const LARGE_FILE = 16 * 2 ** 20;
const BETWEEN_MS = 100;

/** Draws the line on standard error if a person may be watching a large file; otherwise nothing. */
export function startReadingBar(io: CommandIo, bytes: number): ReadingBar {
  if (bytes < LARGE_FILE || !isWatched(io.stderr, io.env)) return { show() {}, end() {} };
  const erase = '\r\u001b[K';
  let next = 0;
  return {
    show(byte) {
      const now = performance.now();
      if (now < next) return;
      next = now + BETWEEN_MS;
      const megabytes = Math.round(bytes / 1e6);
      io.stderr.write(`${erase}judging: ${Math.floor((100 * byte) / bytes)} % of ${megabytes} MB`);
    },
    end: () => io.stderr.write(erase),
  };
}
