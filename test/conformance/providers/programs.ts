import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Provider } from './provider.js';

// The programs use nothing but the standard library of their language.

/** Starts the provider in Python in its own process. */
export async function startPython(token: string, variation: string): Promise<Provider> {
  return start('python3', [pathOf('python-server.py'), token, variation]);
}

/** The same in Go. It is compiled once. */
export async function startGo(token: string): Promise<Provider> {
  compiled ??= compile();
  return start(await compiled, [token]);
}

let compiled: Promise<string> | undefined;

async function compile(): Promise<string> {
  const program = join(mkdtempSync(join(tmpdir(), 'go-server-')), 'go-server');
  // Without a C compiler, the standard library is compiled in half the time.
  const env = { ...process.env, CGO_ENABLED: '0' };
  await promisify(execFile)('go', ['build', '-o', program, '.'], { cwd: pathOf('go-server'), env });
  return program;
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Starts a program that writes its port as the first line. */
async function start(command: string, args: readonly string[]): Promise<Provider> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const port = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([line]) => String(line)),
    ended.then(([code]) => Promise.reject(new Error(`${command} ended with ${code} before it listened`))),
  ]);
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}
