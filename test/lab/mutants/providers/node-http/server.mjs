// A careful provider on plain node:http. It rejects an id that it has.
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const MOST_BYTES = 2 ** 20;
const MOST_DIGITS = 20;
const TOKEN = digest(process.env.TOKEN);
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const names = new Map();

class Rejection extends Error {
  constructor(status, message, headers = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

function digest(text) {
  return createHash('sha256').update(text).digest();
}

function isAuthorised(field = '') {
  const [, token] = /^bearer +([^ ]+)$/i.exec(field) ?? [];
  return token !== undefined && timingSafeEqual(digest(token), TOKEN);
}

function isJson(field = '') {
  const [type, ...parameters] = field.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return type === 'application/json' && (charset === undefined || /^charset="?utf-?8"?$/.test(charset));
}

async function bodyOf(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MOST_BYTES) throw new Rejection(413, 'the body is too large', { connection: 'close' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The digits of the last "id" of the outermost object. JSON.parse would round them. */
function digitsOfId(text) {
  let depth = 0;
  let previous = '';
  let key = '';
  let digits = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g)) {
    if (depth === 1 && token === ':') key = JSON.parse(previous);
    if (depth === 1 && previous === ':' && key === 'id') digits = token;
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
    previous = token;
  }
  return digits;
}

function int64From(digits) {
  if (!/^-?\d+$/.test(digits) || digits.length > MOST_DIGITS) return undefined;
  const id = BigInt(digits);
  return id >= -(2n ** 63n) && id < 2n ** 63n ? id : undefined;
}

function plantFrom(bytes) {
  let text;
  let body;
  try {
    text = utf8.decode(bytes);
    body = JSON.parse(text);
  } catch {
    throw new Rejection(400, 'the body is not JSON');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Rejection(400, 'the body is not an object');
  if (typeof body.name !== 'string') throw new Rejection(400, 'name must be a string');
  if (Object.hasOwn(body, 'tag') && typeof body.tag !== 'string')
    throw new Rejection(400, 'tag must be a string');
  const id = int64From(digitsOfId(text));
  if (id === undefined) throw new Rejection(400, 'id must be an int64');
  return { id, name: body.name, tag: body.tag };
}

async function create(request) {
  if (!isAuthorised(request.headers.authorization))
    throw new Rejection(401, 'a valid token is needed', { 'www-authenticate': 'Bearer' });
  if (!isJson(request.headers['content-type'])) throw new Rejection(415, 'the body must be JSON');
  const { id, name, tag } = plantFrom(await bodyOf(request));
  if (names.has(id)) throw new Rejection(409, 'there is a plant with this id');
  names.set(id, name);
  return { name, tag };
}

function send(response, status, body, headers = {}) {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': bytes.length,
  });
  response.end(bytes);
}

async function respond(request, response) {
  try {
    const [path] = request.url.split('?');
    if (path !== '/plants') throw new Rejection(404, 'there is only /plants');
    if (request.method !== 'POST') throw new Rejection(405, 'there is only POST', { allow: 'POST' });
    send(response, 200, await create(request));
  } catch (cause) {
    const { status = 500, message, headers } = cause;
    request.resume();
    send(response, status, { error: status, message: status < 500 ? message : 'something failed' }, headers);
  }
}

createServer(respond).listen(Number(process.env.PORT), '127.0.0.1');
