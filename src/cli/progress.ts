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
