import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Provider } from './provider.js';

/** Starts the provider in Python in its own process. The program lists its variations. */
export async function startPython(token: string, variation: string): Promise<Provider> {
  const program = fileURLToPath(new URL('python-server.py', import.meta.url));
  const child = spawn('python3', [program, token, variation], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const port = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([line]) => String(line)),
    ended.then(([code]) => Promise.reject(new Error(`python3 ended with ${code} before it listened`))),
  ]);
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}
