import { serve } from '@hono/node-server';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { parse, parseNumberAndBigInt } from 'lossless-json';
import { z } from 'zod';

const app = new Hono();
const plants = [];
const schema = z.object({ name: z.string(), id: z.any(), tag: z.string().optional() });

app.use('/plants', bearerAuth({ token: process.env.TOKEN }));

app.post('/plants', async (context, next) => {
  try {
    context.set('body', parse(await context.req.text(), null, parseNumberAndBigInt));
  } catch {
    return context.json({ error: 400, message: 'the body is not JSON' }, 400);
  }
  const id = context.get('body')?.id;
  if (typeof id === 'bigint' && BigInt.asIntN(64, id) === id) return next();
  return context.json({ error: 400, message: '"id" must be an int64' }, 400);
});

app.onError((error, context) => {
  const status = error.status ?? (error instanceof SyntaxError ? 400 : 500);
  if (status >= 500) console.error(error);
  if (status === 401) context.header('WWW-Authenticate', 'Bearer');
  return context.json({ error: status, message: status < 500 ? error.message : 'failed' }, status);
});
app.notFound((context) => context.json({ error: 404, message: 'not found' }, 404));

function respond(result, context) {
  if (result.success) return;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return context.json({ error: 400, message: problems.join('; ') }, 400);
}

app.post('/plants', zValidator('json', schema, respond), (c) => {
  const plant = c.get('body');
  plants.push(plant);
  return c.json({ name: plant.name, tag: plant.tag });
});

serve({ fetch: app.fetch, port: Number(process.env.PORT) });
