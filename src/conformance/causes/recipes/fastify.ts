import { byExactIds, EXACT_JSON } from './javascript.js';
import { code, type Recipes } from './recipe.js';

/** Fastify 5. */
export const fastify: Recipes = {
  language: 'js',
  byFinding: {
    'framework-error-page': {
      text: 'Put these before your routes.',
      code: code`
app.setErrorHandler((error, request, reply) => {
  const status = error.statusCode ?? 500;
  if (status >= 500) request.log.error(error);
  reply.code(status).send({ error: status, message: status < 500 ? error.message : 'failed' });
});
app.setNotFoundHandler((request, reply) => {
  reply.code(404).send({ error: 404, message: 'not found' });
});`,
    },
    'types-are-converted': {
      text: 'Validate the types as they are. By default, Fastify converts them first.',
      code: code`
const app = fastify({ ajv: { customOptions: { coerceTypes: false } } });`,
    },
    ...byExactIds({
      text: 'Put this before your routes. In the schema of the body, write id: {} instead of the type integer.',
      code: code`
${EXACT_JSON}

app.removeContentTypeParser('application/json');
app.addContentTypeParser('application/json', { parseAs: 'string' }, async (request, text) => {
  try {
    return parseJson(text);
  } catch {
    throw Object.assign(new Error('the body is not JSON'), { statusCode: 400 });
  }
});
app.addHook('preHandler', async (request) => {
  if (request.routeOptions.url === '/plants' && !isInt64(request.body?.id))
    throw Object.assign(new Error('"id" must be an int64'), { statusCode: 400 });
});`,
    }),
  },
};
