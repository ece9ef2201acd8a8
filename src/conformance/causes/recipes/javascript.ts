import { CONVERTED_TYPES, code, fixOf, INEXACT_IDS, type Recipes, UNCHECKED_BODIES } from './recipe.js';

/** Reads JSON without rounding integers: `parseJson` and `isInt64`. */
export const EXACT_JSON = code`
const MARK = crypto.randomUUID();

/** Like JSON.parse, but an integer of 16 or more digits becomes a BigInt. */
function parseJson(text) {
  JSON.parse(text); // Throws if it is not JSON.
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    /^-?\d{16,}$/.test(token) ? \`"\${MARK}\${token}"\` : token,
  );
  return JSON.parse(marked, (key, value) =>
    typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  );
}

function isInt64(id) {
  return typeof id === 'bigint' ? BigInt.asIntN(64, id) === id : Number.isSafeInteger(id);
}`;

/** Says what is wrong with a body: `problemOf`. The range of the id is left to `isInt64`. */
const PROBLEM_OF = code`
/** What is wrong with a body. undefined if it is a NewPlant. */
function problemOf(body) {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'the body must be a JSON object';
  const { name, id, tag } = body;
  if (typeof name !== 'string') return '"name" must be a string';
  if (!Number.isInteger(id) && typeof id !== 'bigint') return '"id" must be an integer';
  if (tag !== undefined && typeof tag !== 'string') return '"tag" must be a string';
}`;

/** Findings that a check of the parsed body fixes. */
const UNCHECKED = [...UNCHECKED_BODIES, 'request/body-is-json'];

/** Express 5. */
export const express: Recipes = {
  language: 'js',
  byFinding: {
    'framework-error-page': {
      text: 'Put these two after all routes. Instead of response.sendStatus(401), throw an error with the status 401.',
      code: code`
app.use((request, response) => {
  response.status(404).json({ error: 404, message: 'not found' });
});
app.use((error, request, response, next) => {
  const status = error.status ?? 500;
  if (status >= 500) console.error(error);
  response.status(status).json({ error: status, message: error.expose ? error.message : 'failed' });
});`,
    },
    ...fixOf(INEXACT_IDS, {
      text: 'Use this instead of express.json(), and remove your own check of the id.',
      code: code`
${EXACT_JSON}

app.use(express.text({ type: 'application/json', limit: '100kb' }));
app.use((request, response, next) => {
  if (typeof request.body !== 'string') return next();
  try {
    request.body = parseJson(request.body);
  } catch {
    return response.status(400).json({ error: 400, message: 'the body is not JSON' });
  }
  next();
});
app.post('/plants', (request, response, next) => {
  if (isInt64(request.body?.id)) next();
  else response.status(400).json({ error: 400, message: '"id" must be an int64' });
});`,
    }),
    ...fixOf(UNCHECKED, {
      text: 'This checks the body. Put it after express.json() and before your own route.',
      code: code`
${PROBLEM_OF}

app.post('/plants', (request, response, next) => {
  const problem = problemOf(request.body);
  if (problem === undefined) next();
  else response.status(400).json({ error: 400, message: problem });
});`,
    }),
  },
};

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
    ...fixOf(CONVERTED_TYPES, {
      text: 'Validate the types as they are. By default, Fastify converts them first.',
      code: code`
const app = fastify({ ajv: { customOptions: { coerceTypes: false } } });`,
    }),
    ...fixOf([...INEXACT_IDS, 'fractions-are-accepted'], {
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

/** Koa 3, with @koa/bodyparser 6 and @koa/router. */
export const koa: Recipes = {
  language: 'js',
  byFinding: {
    'framework-error-page': {
      text: 'Put this before every other middleware.',
      code: code`
app.use(async (context, next) => {
  try {
    await next();
    if (context.status >= 400 && context.body == null) context.throw(context.status);
  } catch (error) {
    const status = error.status ?? 500;
    if (status >= 500) context.app.emit('error', error, context);
    context.status = status;
    context.body = { error: status, message: error.expose ? error.message : 'failed' };
  }
});`,
    },
    ...fixOf(INEXACT_IDS, {
      text: 'Use this instead of bodyParser(), and remove your own check of the id.',
      code: code`
${EXACT_JSON}

app.use(bodyParser({ enableTypes: ['text'], extendTypes: { text: ['application/json'] } }));
app.use(async (context, next) => {
  if (typeof context.request.body !== 'string') return next();
  let problem;
  try {
    context.request.body = parseJson(context.request.body);
    if (!isInt64(context.request.body?.id)) problem = '"id" must be an int64';
  } catch {
    problem = 'the body is not JSON';
  }
  if (problem === undefined) return next();
  context.status = 400;
  context.body = { error: 400, message: problem };
});`,
    }),
    ...fixOf(UNCHECKED, {
      text: 'This checks the body. Put it after the body parser and before your own route.',
      code: code`
${PROBLEM_OF}

router.post('/plants', async (context, next) => {
  const problem = problemOf(context.request.body);
  if (problem === undefined) return next();
  context.status = 400;
  context.body = { error: 400, message: problem };
});`,
    }),
  },
};

/** Hono 4. */
export const hono: Recipes = {
  language: 'js',
  byFinding: {
    'framework-error-page': {
      text: 'Put these beside your routes. They cover the failures of bearerAuth() too.',
      code: code`
app.onError((error, context) => {
  const status = error.status ?? (error instanceof SyntaxError ? 400 : 500);
  if (status >= 500) console.error(error);
  if (status === 401) context.header('WWW-Authenticate', 'Bearer');
  return context.json({ error: status, message: status < 500 ? error.message : 'failed' }, status);
});
app.notFound((context) => context.json({ error: 404, message: 'not found' }, 404));`,
    },
    ...fixOf(INEXACT_IDS, {
      text: 'Put this before your own route, and read the body there with context.get("body"). Remove your own check of the id.',
      code: code`
${EXACT_JSON}

app.post('/plants', async (context, next) => {
  try {
    context.set('body', parseJson(await context.req.text()));
  } catch {
    return context.json({ error: 400, message: 'the body is not JSON' }, 400);
  }
  if (!isInt64(context.get('body')?.id)) return context.json({ error: 400, message: '"id" must be an int64' }, 400);
  return next();
});`,
    }),
    ...fixOf(UNCHECKED, {
      text: 'This checks the body. Put it before your own route. The second call of json() there reads nothing again.',
      code: code`
${PROBLEM_OF}

app.post('/plants', async (context, next) => {
  const problem = problemOf(await context.req.json().catch(() => undefined));
  if (problem === undefined) return next();
  return context.json({ error: 400, message: problem }, 400);
});`,
    }),
  },
};
