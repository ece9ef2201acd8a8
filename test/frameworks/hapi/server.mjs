import Hapi from '@hapi/hapi';
import bearer from 'hapi-auth-bearer-token';
import Joi from 'joi';

const server = Hapi.server({ port: process.env.PORT });
const plants = [];

await server.register(bearer);
server.auth.strategy('simple', 'bearer-access-token', {
  validate: async (request, token) => ({ isValid: token === process.env.TOKEN, credentials: { token } }),
});
server.auth.default('simple');

server.route({
  method: 'POST',
  path: '/plants',
  options: {
    validate: {
      payload: Joi.object({
        name: Joi.string().required(),
        id: Joi.number().integer().required(),
        tag: Joi.string(),
      }),
    },
  },
  handler: (request) => {
    const { name, id, tag } = request.payload;
    plants.push({ name, id, tag });
    return { name, tag };
  },
});

await server.start();
