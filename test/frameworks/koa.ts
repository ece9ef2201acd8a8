import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import Koa from 'koa';
import { startHandler } from '../conformance/providers/handler.js';
import type { Provider } from '../conformance/providers/provider.js';

/** What a team writes first with Koa: its body parser, its router, checks of its own, and defaults for the rest. */
export async function startKoa(token: string): Promise<Provider> {
  const plants = new Map<number, unknown>();
  const router = new Router();
  router.post('/plants', (context) => {
    const { name, id, tag } = (context.request.body ?? {}) as Record<string, unknown>;
    const wrong =
      (typeof name !== 'string' && 'name') ||
      (!Number.isInteger(id) && 'id') ||
      (tag !== undefined && typeof tag !== 'string' && 'tag');
    if (wrong) {
      context.status = 422;
      context.body = { error: 422, message: `${wrong} is wrong` };
    } else if (plants.has(id as number)) {
      context.status = 409;
      context.body = { error: 409, message: 'there is a plant with this id' };
    } else {
      plants.set(id as number, { name, tag });
      context.body = { name, tag };
    }
  });
  const app = new Koa();
  // Koa prints what its default error handler answers.
  app.silent = true;
  app.use(async (context, next) => {
    if (context.get('authorization') === `Bearer ${token}`) return next();
    context.status = 401;
    context.body = { error: 401, message: 'no or wrong token' };
  });
  app.use(bodyParser());
  app.use(router.routes());
  return startHandler(app.callback());
}
