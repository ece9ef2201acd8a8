import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MOST_MS = 120_000;

/** `plant-store-contract`, run by a runtime in a folder of its own. */
export class CommandLine {
  #folder = realpathSync(mkdtempSync(join(tmpdir(), 'plant-store-runtime-')));
  #command;

  /**
   * @param {readonly string[]} runtime the program and its own arguments: `['deno', 'run', '--allow-all']`
   * @param {string} entry the file of the command line
   */
  constructor(runtime, entry) {
    this.#command = [...runtime, entry];
  }

  path(/** @type {string} */ name) {
    return join(this.#folder, name);
  }

  /** Writes a file, and returns its path. */
  file(/** @type {string} */ name, /** @type {string} */ text) {
    writeFileSync(this.path(name), text);
    return this.path(name);
  }

  /** A command line for a shell. */
  quoted(/** @type {readonly string[]} */ argv) {
    return [...this.#command, ...argv].map((word) => `"${word}"`).join(' ');
  }

  /**
   * Runs a command to its end; rejects if the exit status or the output is another one.
   *
   * @param {readonly string[]} argv
   * @param {number} status
   * @param {RegExp} output
   */
  async run(argv, status, output) {
    const [program = '', ...before] = this.#command;
    const ended = await new Promise((resolve) => {
      const child = execFile(
        program,
        [...before, ...argv],
        { cwd: this.#folder, env: this.#environment(), timeout: MOST_MS, maxBuffer: 2 ** 28 },
        (problem, stdout, stderr) =>
          resolve({ status: problem?.signal ?? child.exitCode, text: `${stdout}${stderr}` }),
      );
    });
    expectEnd(ended, status, output);
  }

  /**
   * Starts a command that prints a URL.
   *
   * @param {readonly string[]} argv
   */
  async start(argv) {
    const [program = '', ...before] = this.#command;
    const child = spawn(program, [...before, ...argv], { cwd: this.#folder, env: this.#environment() });
    const closed = once(child, 'close');
    let text = '';
    const url = new Promise((resolve, reject) => {
      const collect = (part) => {
        text += part;
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
        if (found !== undefined) resolve(found);
      };
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', collect);
      void closed.then(([status]) => reject(new Error(`it ended with ${status}: ${lastOf(text)}`)));
    });
    return {
      url: await url,
      /** Sends SIGTERM, and expects this end. */
      async stop(status, output = /./s) {
        child.kill('SIGTERM');
        const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
        const [code, signal] = await closed;
        clearTimeout(timer);
        expectEnd({ status: signal ?? code, text }, status, output);
      },
    };
  }

  remove() {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #environment() {
    return { ...process.env, CI: '', NO_COLOR: '1' };
  }
}

function expectEnd({ status, text }, expectedStatus, output) {
  if (status !== expectedStatus)
    throw new Error(`the exit status is ${status} instead of ${expectedStatus}: ${lastOf(text)}`);
  if (!output.test(text)) throw new Error(`the output does not match ${output}: ${lastOf(text)}`);
}

function lastOf(/** @type {string} */ text) {
  return text.trim().slice(-1_500);
}
