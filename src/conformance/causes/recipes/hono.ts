import { byBody, byExactIds, EXACT_JSON, PROBLEM_OF } from './javascript.js';
import { code, type Recipes } from './recipe.js';

const CHECK_THE_BODY = {
  text: 'This checks the body. Put it before your own route. The second call of json() there reads nothing again.',
  code: code`
${PROBLEM_OF}

app.post('/plants', async (context, next) => {
  const problem = problemOf(await context.req.json().catch(() => undefined));
  if (problem === undefined) return next();
  return context.json({ error: 400, message: problem }, 400);
});`,
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
    ...byExactIds({
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
    ...byBody(CHECK_THE_BODY),
  },
};
