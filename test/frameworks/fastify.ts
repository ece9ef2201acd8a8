import fastify from 'fastify';
import type { Provider } from '../conformance/providers/provider.js';

interface NewPlant {
  readonly name: string;
  readonly id: number;
  readonly tag?: string;
}

/** What NewPlant looks like to who writes it as Fastify's guide shows: nobody thinks of int64. */
const body = {
  type: 'object',
  required: ['name', 'id'],
  properties: { name: { type: 'string' }, id: { type: 'integer' }, tag: { type: 'string' } },
};

/** What a team writes first with Fastify: a schema for the body, and Fastify's defaults for what that refuses. */
export async function startFastify(token: string): Promise<Provider> {
  const plants = new Map<number, unknown>();
  const app = fastify();
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.authorization !== `Bearer ${token}`)
      return reply.code(401).send({ error: 401, message: 'no or wrong token' });
  });
  app.post<{ Body: NewPlant }>('/plants', { schema: { body } }, async (request, reply) => {
    const { name, id, tag } = request.body;
    if (plants.has(id)) return reply.code(409).send({ error: 409, message: 'there is a plant with this id' });
    plants.set(id, { name, tag });
    return { name, tag };
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url, [Symbol.asyncDispose]: () => app.close() };
}
