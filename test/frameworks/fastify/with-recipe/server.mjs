import bearerAuth from '@fastify/bearer-auth';
import Fastify from 'fastify';
import { parse, parseNumberAndBigInt } from 'lossless-json';

const fastify = Fastify({ ajv: { customOptions: { coerceTypes: false } } });
await fastify.register(bearerAuth, {
  keys: [process.env.TOKEN],
  errorResponse: (error) => ({ error: 401, message: error.message }),
});

const plants = [];

fastify.setErrorHandler((error, request, reply) => {
  const status = error.statusCode ?? 500;
  if (status >= 500) request.log.error(error);
  reply.code(status).send({ error: status, message: status < 500 ? error.message : 'failed' });
});
fastify.setNotFoundHandler((request, reply) => {
  reply.code(404).send({ error: 404, message: 'not found' });
});

fastify.removeContentTypeParser('application/json');
fastify.addContentTypeParser('application/json', { parseAs: 'string' }, async (request, text) => {
  try {
    return parse(text, null, parseNumberAndBigInt);
  } catch (error) {
    throw Object.assign(error, { statusCode: 400 });
  }
});
fastify.addHook('preHandler', async (request) => {
  const id = request.body?.id;
  const isInt64 = typeof id === 'bigint' && BigInt.asIntN(64, id) === id;
  if (request.routeOptions.url === '/plants' && !isInt64)
    throw Object.assign(new Error('"id" must be an int64'), { statusCode: 400 });
});

const body = {
  type: 'object',
  required: ['name', 'id'],
  properties: { name: { type: 'string' }, id: {}, tag: { type: 'string' } },
};
const plant = { type: 'object', properties: { name: { type: 'string' }, tag: { type: 'string' } } };

fastify.post('/plants', { schema: { body, response: { 200: plant } } }, async (request) => {
  plants.push(request.body);
  return request.body;
});

await fastify.listen({ port: Number(process.env.PORT) });
