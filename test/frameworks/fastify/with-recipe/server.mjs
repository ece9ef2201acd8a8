import bearerAuth from '@fastify/bearer-auth';
import Fastify from 'fastify';

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

const MARK = crypto.randomUUID();

/** Like JSON.parse, but an integer of 16 or more digits becomes a BigInt. */
function parseJson(text) {
  JSON.parse(text); // Throws if it is not JSON.
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    /^-?\d{16,}$/.test(token) ? `"${MARK}${token}"` : token,
  );
  return JSON.parse(marked, (key, value) =>
    typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  );
}

function isInt64(id) {
  return typeof id === 'bigint' ? BigInt.asIntN(64, id) === id : Number.isSafeInteger(id);
}

fastify.removeContentTypeParser('application/json');
fastify.addContentTypeParser('application/json', { parseAs: 'string' }, async (request, text) => {
  try {
    return parseJson(text);
  } catch {
    throw Object.assign(new Error('the body is not JSON'), { statusCode: 400 });
  }
});
fastify.addHook('preHandler', async (request) => {
  if (request.routeOptions.url === '/plants' && !isInt64(request.body?.id))
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
