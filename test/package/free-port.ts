import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port that was free a moment ago, for programs that need a fixed port. It is not among the ports that a system gives
 * to connections and to servers that take any: another test could get it meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
