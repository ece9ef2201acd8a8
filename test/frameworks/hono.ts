import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { startHandler } from '../conformance/providers/handler.js';
import type { Provider } from '../conformance/providers/provider.js';

interface NewPlant {
  readonly name: unknown;
  readonly id: unknown;
  readonly tag: unknown;
}

/** What a team writes first with Hono: its own middleware for bearer tokens, and its reader of JSON. */
export function createHono(token: string, basePath = ''): Hono {
  const plants = new Map<number, unknown>();
  const app = new Hono().basePath(basePath);
  app.use(bearerAuth({ token }));
  app.post('/plants', async (context) => {
    const { name, id, tag } = await context.req.json<NewPlant>();
    const wrong =
      (typeof name !== 'string' && 'name') ||
      (!Number.isInteger(id) && 'id') ||
      (tag !== undefined && typeof tag !== 'string' && 'tag');
    if (wrong) return context.json({ error: 422, message: `${wrong} is wrong` }, 422);
    if (plants.has(id as number))
      return context.json({ error: 409, message: 'there is a plant with this id' }, 409);
    plants.set(id as number, { name, tag });
    return context.json({ name, tag });
  });
  return app;
}

/** The same, listening. */
export async function startHono(token: string): Promise<Provider> {
  // Other tests of this process have the Response of Node.
  const options = { overrideGlobalObjects: false };
  return startHandler(getRequestListener(createHono(token).fetch, options));
}
