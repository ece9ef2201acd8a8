import { byBody, byExactIds, EXACT_JSON, PROBLEM_OF } from './javascript.js';
import { code, type Recipes } from './recipe.js';

const CHECK_THE_BODY = {
  text: 'This checks the body. Put it after express.json() and before your own route.',
  code: code`
${PROBLEM_OF}

app.post('/plants', (request, response, next) => {
  const problem = problemOf(request.body);
  if (problem === undefined) next();
  else response.status(400).json({ error: 400, message: problem });
});`,
};

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
    ...byExactIds({
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
    ...byBody(CHECK_THE_BODY),
  },
};
