// A careful provider on Express and zod. A plant with an id that it has replaces the other one.
import { randomUUID, timingSafeEqual } from 'node:crypto';
import express from 'express';
import { z } from 'zod';

const MARK = randomUUID();
const LEAST_LONG = 16;
const TOKEN = Buffer.from(process.env.TOKEN);
const plants = new Map();

const id = z.union([
  z.int(),
  z
    .bigint()
    .gte(-(2n ** 63n))
    .lt(2n ** 63n),
]);
const newPlant = z.object({ name: z.string(), id, tag: z.string().optional() });

class HttpError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
    this.expose = true;
  }
}

/** Like JSON.parse, but an integer of 16 digits or more becomes a BigInt. */
function parseJson(text) {
  JSON.parse(text);
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => {
    const isLong = /^-?\d+$/.test(token) && token.length >= LEAST_LONG;
    return isLong && token.length <= 20 ? JSON.stringify(MARK + token) : token;
  });
  return JSON.parse(marked, (_, value) =>
    typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  );
}

function authenticate(request, response, next) {
  const [scheme, token, ...more] = (request.get('Authorization') ?? '').split(/ +/);
  const given = Buffer.from(token ?? '');
  const isRight =
    scheme.toLowerCase() === 'bearer' &&
    more.length === 0 &&
    given.length === TOKEN.length &&
    timingSafeEqual(given, TOKEN);
  if (isRight) return next();
  response.set('WWW-Authenticate', 'Bearer realm="plants"');
  next(new HttpError(401, 'a valid token is needed'));
}

function readBody(request, _, next) {
  if (typeof request.body !== 'string') return next(new HttpError(415, 'the body must be JSON'));
  try {
    request.body = parseJson(request.body);
    next();
  } catch {
    next(new HttpError(400, 'the body is not JSON'));
  }
}

function create(request, response, next) {
  const { success, data, error } = newPlant.safeParse(request.body);
  if (!success) {
    const [issue] = error.issues;
    return next(new HttpError(400, `${issue.path.join('.') || 'body'}: ${issue.message}`));
  }
  plants.set(String(data.id), data);
  const plant = { name: data.name };
  if (data.tag !== undefined) plant.tag = data.tag;
  response.status(200).json(plant);
}

function fail(error, _, response, next) {
  if (response.headersSent) return next(error);
  const status = error.status >= 400 && error.status < 500 ? error.status : 500;
  const message = error.expose === true && status !== 500 ? error.message : 'something failed';
  response.status(status).json({ error: status, message });
}

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.set('strict routing', true);
app.use('/plants', authenticate);
app
  .route('/plants')
  .post(express.text({ type: 'application/json', limit: '1mb' }), readBody, create)
  .all((_, response, next) => {
    response.set('Allow', 'POST');
    next(new HttpError(405, 'there is only POST'));
  });
app.use((request, _, next) => {
  next(new HttpError(404, `there is no ${request.path}`));
});
app.use(fail);

app.listen(Number(process.env.PORT), '127.0.0.1');
