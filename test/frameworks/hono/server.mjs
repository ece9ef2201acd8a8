import { serve } from '@hono/node-server';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { z } from 'zod';

const app = new Hono();
const plants = [];
const schema = z.object({ name: z.string(), id: z.number().int(), tag: z.string().optional() });

app.use('/plants', bearerAuth({ token: process.env.TOKEN }));

app.post('/plants', zValidator('json', schema), (c) => {
  const plant = c.req.valid('json');
  plants.push(plant);
  return c.json({ name: plant.name, tag: plant.tag });
});

serve({ fetch: app.fetch, port: Number(process.env.PORT) });
