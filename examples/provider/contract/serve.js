import { once } from 'node:events';
import { createApp } from '../src/app.js';

/** Starts the provider on a free port. */
export async function serve(token) {
  const server = createApp(token).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
