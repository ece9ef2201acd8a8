import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import Koa from 'koa';
import { parse, parseNumberAndBigInt } from 'lossless-json';

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

app.use(bodyParser({ enableTypes: ['text'], extendTypes: { text: ['application/json'] } }));
router.post('/plants', (context, next) => {
  try {
    context.request.body = parse(context.request.body, null, parseNumberAndBigInt);
  } catch {
    context.request.body = undefined; // It is not JSON.
  }
  const id = context.request.body?.id;
  if (typeof id === 'bigint' && BigInt.asIntN(64, id) === id) return next();
  context.status = 400;
  context.body = { error: 400, message: 'the body must be JSON with an int64 "id"' };
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
