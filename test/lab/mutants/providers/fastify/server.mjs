// A careful provider on Fastify. It rejects an id that it has with 422, as all that is wrong with a plant.
import { createHash, timingSafeEqual } from 'node:crypto';
import Fastify from 'fastify';

const LEAST_INT64 = -(2n ** 63n);
const GREATEST_INT64 = 2n ** 63n - 1n;
const store = new Set();

const app = Fastify({
  bodyLimit: 2 ** 20,
  logger: false,
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: false } },
});

const failure = {
  type: 'object',
  properties: { error: { type: 'integer' }, message: { type: 'string' } },
};
const schema = {
  body: {
    type: 'object',
    required: ['name', 'id'],
    properties: { name: { type: 'string' }, tag: { type: 'string' } },
  },
  response: {
    200: { type: 'object', properties: { name: { type: 'string' }, tag: { type: 'string' } } },
    '4xx': failure,
    '5xx': failure,
  },
};

/** An integer as it is written. JSON.parse rounds what is beyond 2^53. */
class Digits {
  constructor(text) {
    this.text = text;
  }

  toBigInt() {
    if (this.text.length > 20) return undefined;
    const value = BigInt(this.text);
    return value >= LEAST_INT64 && value <= GREATEST_INT64 ? value : undefined;
  }
}

/** Each integer outside strings is read from its text. Its place in the list of integers is what JSON.parse sees. */
function parse(text) {
  JSON.parse(text);
  const digits = [];
  const strings = [];
  const indexed = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => {
    if (token.startsWith('"')) {
      strings.push(JSON.parse(token));
      return `"${strings.length - 1}"`;
    }
    if (!/^-?\d+$/.test(token)) return token;
    digits.push(new Digits(token));
    return `{"":${digits.length - 1}}`;
  });
  return restore(JSON.parse(indexed), digits, strings);
}

function restore(value, digits, strings) {
  if (typeof value === 'string') return strings[Number(value)];
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => restore(item, digits, strings));
  if (Object.hasOwn(value, '')) return digits[value['']];
  const entries = Object.keys(value).map((key) => [
    strings[Number(key)],
    restore(value[key], digits, strings),
  ]);
  return entriesInOrder(entries);
}

function entriesInOrder(entries) {
  const object = {};
  for (const [key, value] of entries)
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  return object;
}

function rejected(statusCode, message) {
  return Object.assign(new Error(message), { statusCode });
}

function sha256(text) {
  return createHash('sha256').update(text).digest();
}

const secret = sha256(process.env.TOKEN);

app.removeAllContentTypeParsers();
app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, text, done) => {
  try {
    done(null, parse(text));
  } catch {
    done(rejected(400, 'the body is not JSON'));
  }
});

app.addHook('onRequest', async (request, reply) => {
  const header = request.headers.authorization ?? '';
  const token = header.replace(/^bearer +/i, '');
  if (token !== header && timingSafeEqual(sha256(token), secret)) return;
  reply.header('www-authenticate', 'Bearer');
  throw rejected(403, 'this token is not known');
});

app.setErrorHandler((error, _, reply) => {
  const status = error.validation ? 422 : (error.statusCode ?? 500);
  reply.code(status);
  return { error: status, message: status < 500 ? error.message : 'something failed' };
});

app.setNotFoundHandler((request, reply) => {
  reply.code(404);
  return { error: 404, message: `there is no ${request.method} ${request.url}` };
});

app.post('/plants', { schema }, async (request, reply) => {
  const { id, name, tag } = request.body;
  const number = id instanceof Digits ? id.toBigInt() : undefined;
  if (number === undefined) throw rejected(422, 'body/id must be an int64');
  if (store.has(number)) throw rejected(422, 'body/id is the id of another plant');
  store.add(number);
  reply.code(200).type('application/json');
  return { name, tag };
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
