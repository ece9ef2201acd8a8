import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts a script that prints its port first, as a process of its own; `stop` ends it. */
export async function startServer(script, ...args) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  child.stdout.resume();
  const port = Number(/\d+(?=\D*$)/.exec(String(line)));
  return {
    port,
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
