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
