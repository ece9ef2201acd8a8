import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { endGroup, startGroup } from '../bench/peers/processes.mjs';
import { TOKEN } from '../bench/peers/run-tool.mjs';

const LIMIT_MS = 15_000;
const PAUSE_MS = 20;

/**
 * Starts a provider and waits until it accepts connections.
 *
 * @param {[string, string[]]} command
 * @returns {Promise<{ url: string, requests: () => Promise<undefined>, stop: () => void } | undefined>} nothing if it ends before, or takes too long
 */
export async function started([command, args]) {
  const port = await freePort();
  const child = startGroup(command, args, {
    stdio: 'ignore',
    env: { ...process.env, PORT: String(port), TOKEN, NODE_ENV: 'production' },
  });
  let hasEnded = false;
  child.once('exit', () => {
    hasEnded = true;
  });
  child.once('error', () => {
    hasEnded = true;
  });
  const limit = performance.now() + LIMIT_MS;
  while (!hasEnded && performance.now() < limit) {
    if (await accepts(port))
      return {
        url: `http://127.0.0.1:${port}`,
        requests: async () => undefined,
        stop: () => endGroup(child.pid),
      };
    await delay(PAUSE_MS);
  }
  if (child.pid !== undefined) endGroup(child.pid);
  return undefined;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function accepts(port) {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
