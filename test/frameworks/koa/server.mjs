import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import Koa from 'koa';

const app = new Koa();
const router = new Router();
const plants = [];

router.post('/plants', (ctx) => {
  if (ctx.get('Authorization') !== `Bearer ${process.env.TOKEN}`) ctx.throw(401, 'Unauthorized');
  const { name, id, tag } = ctx.request.body;
  if (typeof name !== 'string') ctx.throw(400, 'name must be a string');
  if (!Number.isInteger(id)) ctx.throw(400, 'id must be an integer');
  if (tag !== undefined && typeof tag !== 'string') ctx.throw(400, 'tag must be a string');
  plants.push({ name, id, tag });
  ctx.body = { name, tag };
});

app.use(bodyParser()).use(router.routes()).use(router.allowedMethods());
app.listen(process.env.PORT);
