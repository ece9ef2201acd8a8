import { createServer } from 'node:http';
import {
  createApp,
  createError,
  createRouter,
  defineEventHandler,
  getHeader,
  readValidatedBody,
  toNodeListener,
} from 'h3';
import { z } from 'zod';

const app = createApp();
const router = createRouter();
const plants = [];
const schema = z.object({ name: z.string(), id: z.number().int(), tag: z.string().optional() });

router.post(
  '/plants',
  defineEventHandler(async (event) => {
    if (getHeader(event, 'authorization') !== `Bearer ${process.env.TOKEN}`)
      throw createError({ statusCode: 401, statusMessage: 'Unauthorized' });
    const plant = await readValidatedBody(event, schema.parse);
    plants.push(plant);
    return { name: plant.name, tag: plant.tag };
  }),
);

app.use(router);
createServer(toNodeListener(app)).listen(process.env.PORT);
