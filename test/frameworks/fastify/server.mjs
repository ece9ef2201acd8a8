import bearerAuth from '@fastify/bearer-auth';
import Fastify from 'fastify';

const fastify = Fastify();
await fastify.register(bearerAuth, { keys: [process.env.TOKEN] });

const plants = [];
const body = {
  type: 'object',
  required: ['name', 'id'],
  properties: { name: { type: 'string' }, id: { type: 'integer' }, tag: { type: 'string' } },
};
const plant = { type: 'object', properties: { name: { type: 'string' }, tag: { type: 'string' } } };

fastify.post('/plants', { schema: { body, response: { 200: plant } } }, async (request) => {
  plants.push(request.body);
  return request.body;
});

await fastify.listen({ port: Number(process.env.PORT) });
