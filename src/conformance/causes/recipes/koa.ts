import { byBody, byExactIds, EXACT_JSON, PROBLEM_OF } from './javascript.js';
import { code, type Recipes } from './recipe.js';

const CHECK_THE_BODY = {
  text: 'This checks the body. Put it after the body parser and before your own route.',
  code: code`
${PROBLEM_OF}

router.post('/plants', async (context, next) => {
  const problem = problemOf(context.request.body);
  if (problem === undefined) return next();
  context.status = 400;
  context.body = { error: 400, message: problem };
});`,
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
    ...byExactIds({
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
    ...byBody(CHECK_THE_BODY),
  },
};
