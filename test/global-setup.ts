import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of this run, for what `once` makes. It is removed after the run. */
    readonly sharedFolder: string;
  }
}

export default function setup(project: TestProject): () => void {
  // Whatever a test, or a process of one, leaves in the temporary directory goes with the run. Some tests show paths, so
  // this one is short.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ps-')));
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  const shared = join(folder, 'shared');
  mkdirSync(shared);
  project.provide('sharedFolder', shared);
  return () => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    rmSync(folder, { recursive: true, force: true });
  };
}
