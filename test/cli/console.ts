import { readFile } from 'node:fs/promises';
import { reporters } from 'plant-store-contract/reporters';
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
    stderr: { write: (text) => (stderr += text) },
    ...io,
    stdout: {
      ...io.stdout,
      write(text) {
        stdout += text;
        io.stdout?.write(text);
      },
    },
  });
  return { status, stdout, stderr, files };
}

/** A terminal without colour that is so wide that nothing is wrapped: where lines end then depends on no path and no time. */
export const WIDE: Partial<CommandIo> = {
  env: { NO_COLOR: '1' },
  stdout: { isTTY: true, columns: 400, write: () => {} },
};

/** Runs a command that serves until a test has talked to it, at the first URL that it writes. */
export async function whileServing(
  argv: readonly string[],
  talk: (url: string, stdout: () => string) => Promise<unknown>,
  io: Partial<CommandIo> = {},
): Promise<Outcome> {
  const [stopped, listening] = [later<void>(), later<string>()];
  const written = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof written) => ({
    ...io[name],
    write(text: string) {
      written[name] += text;
      const [url] = /http:[^\s"]+/.exec(written[name]) ?? [];
      if (url !== undefined) listening.resolve(url);
    },
  });
  const done = plantStore(argv, {
    untilStopped: () => stopped.promise,
    ...io,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
  });
  const tooSoon = done.then(() => Promise.reject(new Error(written.stderr)));
  await talk(await Promise.race([listening.promise, tooSoon]), () => written.stdout);
  stopped.resolve();
  return { ...(await done), ...written };
}

/** A promise, and the function that resolves it. */
function later<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((use) => {
    resolve = use;
  });
  return { promise, resolve };
}

/** Flags for a text on standard output, and a file `report.<name>` for each other reporter. */
export const everyReporter: readonly string[] = [
  'text',
  ...Object.keys(reporters).flatMap((name) => (name === 'text' ? [] : `${name}=report.${name}`)),
].flatMap((one) => ['--reporter', one]);
