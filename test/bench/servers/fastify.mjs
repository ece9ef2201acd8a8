// What a team that takes care would write with Fastify: JSON schemas for the body and the answers.
import fastify from 'fastify';
import { openApiDocument } from 'plant-store-contract/spec';

const { NewPlant, Plant, Error: Failure } = openApiDocument.components.schemas;
const app = fastify({
  // By default Fastify makes "7" of 7 and takes unknown fields out; the interface asks for neither.
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
