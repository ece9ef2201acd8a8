import { readFile } from 'node:fs/promises';
import type { CommandIo } from '../../src/cli/io.js';
import { run } from '../../src/cli/run.js';

/** What a command line left behind. */
export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Runs a command line in this process. */
export async function plantStore(argv: readonly string[], io: Partial<CommandIo> = {}): Promise<Outcome> {
  let stdout = '';
  let stderr = '';
  const files: Record<string, string> = {};
  const status = await run(argv, {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    env: {},
    folder: process.cwd(),
    readFile: (path) => readFile(path, 'utf8'),
    readInput: async () => Buffer.alloc(0),
    appendFile: async (path, text) => {
      files[path] = (files[path] ?? '') + text;
    },
    writeFile: async (path, text) => {
      files[path] = text;
    },
    mayWrite: async () => {},
    untilStopped: () => new Promise(() => {}),
    untilInputCloses: () => new Promise(() => {}),
    atEnd: () => {},
    readBytes: (path) => readFile(path),
    ...io,
  });
  return { status, stdout, stderr, files };
}

/** A text report without its duration, which differs from run to run. */
export const timeless = (text: string): string => text.replaceAll(/ in \d+(?:\.\d+)? s\b/g, ' in 0.01 s');
