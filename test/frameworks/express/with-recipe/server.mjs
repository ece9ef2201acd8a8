import express from 'express';

const app = express();
const MARK = crypto.randomUUID();

/** Like JSON.parse, but an integer of 16 or more digits becomes a BigInt. */
function parseJson(text) {
  JSON.parse(text); // Throws if it is not JSON.
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    /^-?\d{16,}$/.test(token) ? `"${MARK}${token}"` : token,
  );
  return JSON.parse(marked, (key, value) =>
    typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  );
}

function isInt64(id) {
  return typeof id === 'bigint' ? BigInt.asIntN(64, id) === id : Number.isSafeInteger(id);
}

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
});

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
