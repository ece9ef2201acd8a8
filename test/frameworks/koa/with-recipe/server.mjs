import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import Koa from 'koa';

const app = new Koa();
const router = new Router();
const plants = [];

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
});

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
});

router.post('/plants', (ctx) => {
  if (ctx.get('Authorization') !== `Bearer ${process.env.TOKEN}`) ctx.throw(401, 'Unauthorized');
  const { name, id, tag } = ctx.request.body;
  if (typeof name !== 'string') ctx.throw(400, 'name must be a string');
  if (tag !== undefined && typeof tag !== 'string') ctx.throw(400, 'tag must be a string');
  plants.push({ name, id, tag });
  ctx.body = { name, tag };
});

app.use(router.routes()).use(router.allowedMethods());
app.listen(process.env.PORT);
