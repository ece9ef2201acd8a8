// A careful implementation with Fastify: JSON schemas for requests and responses.
import fastify from 'fastify';
import { openApiDocument } from '../../../dist/spec/index.js';

const { NewPlant, Plant, Error: Failure } = openApiDocument.components.schemas;
const app = fastify({
  // By default Fastify turns 7 into "7" and removes unknown fields. The interface requires neither.
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
});
const plants = new Map();
app.setErrorHandler((error, _request, reply) => {
  const status = error.statusCode ?? 500;
  reply.code(status).send({ error: status, message: error.message });
});
app.post('/plants', {
  schema: { body: withoutReferences(NewPlant), response: { 200: Plant, '4xx': Failure } },
  onRequest(request, reply, done) {
    if (request.headers.authorization === 'Bearer bench-token') done();
    else reply.code(401).send({ error: 401, message: 'no or wrong token' });
  },
  handler(request, reply) {
    const { id, name, tag } = request.body;
    if (plants.has(id)) return reply.code(409).send({ error: 409, message: 'there is a plant with this id' });
    plants.set(id, { id, name, tag });
    reply.send({ name, tag });
  },
});
await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${app.server.address().port}\n`);

/** Fastify does not know the document, and NewPlant refers to Plant in it. */
function withoutReferences({ allOf: [, own] }) {
  return { allOf: [Plant, own] };
}
