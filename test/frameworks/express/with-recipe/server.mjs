import express from 'express';
import { parse, parseNumberAndBigInt } from 'lossless-json';

const app = express();
app.post('/plants', express.text({ type: 'application/json' }), (request, response, next) => {
  try {
    request.body = parse(request.body, null, parseNumberAndBigInt);
  } catch {
    request.body = undefined; // It is not JSON.
  }
  const id = request.body?.id;
  if (typeof id === 'bigint' && BigInt.asIntN(64, id) === id) next();
  else response.status(400).json({ error: 400, message: 'the body must be JSON with an int64 "id"' });
});

app.use(express.json());

const plants = [];

function authenticate(request, response, next) {
  if (request.get('Authorization') === `Bearer ${process.env.TOKEN}`) return next();
  response.status(401).json({ error: 401, message: 'Unauthorized' });
}

app.post('/plants', authenticate, (request, response) => {
  const { name, id, tag } = request.body ?? {};
  if (typeof name !== 'string')
    return response.status(400).json({ error: 1, message: 'name must be a string' });
  if (tag !== undefined && typeof tag !== 'string')
    return response.status(400).json({ error: 3, message: 'tag must be a string' });
  plants.push({ name, id, tag });
  response.json({ name, tag });
});

app.use((request, response) => {
  response.status(404).json({ error: 404, message: 'not found' });
});
app.use((error, request, response, next) => {
  const status = error.status ?? 500;
  if (status >= 500) console.error(error);
  response.status(status).json({ error: status, message: error.expose ? error.message : 'failed' });
});

app.listen(process.env.PORT);
