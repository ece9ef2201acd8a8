import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Provider } from '../conformance/providers/provider.js';

/**
 * What a team writes first: Express with `express.json()` and its own checks, and Express's defaults for all that
 * it did not think of.
 */
export async function startExpress(token: string): Promise<Provider> {
  const plants = new Map<number, unknown>();
  const app = express();
  app.use((request, response, next) => {
    if (request.get('authorization') === `Bearer ${token}`) next();
    else response.status(401).json({ error: 401, message: 'no or wrong token' });
  });
  app.use(express.json());
  app.post('/plants', (request, response) => {
    const { name, id, tag } = request.body ?? {};
    const wrong =
      (typeof name !== 'string' && 'name') ||
      (!Number.isInteger(id) && 'id') ||
      (tag !== undefined && typeof tag !== 'string' && 'tag');
    if (wrong) {
      response.status(422).json({ error: 422, message: `${wrong} is wrong` });
    } else if (plants.has(id)) {
      response.status(409).json({ error: 409, message: 'there is a plant with this id' });
    } else {
      plants.set(id, { name, tag });
      response.json({ name, tag });
    }
  });
  // Express prints what its default error handler answers unless it runs in a test.
  app.set('env', 'test');
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
