import { getRequestListener } from '@hono/node-server';
import express, { type ErrorRequestHandler } from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import Koa from 'koa';
import { readPlant } from '../conformance/providers/correct/plant.js';
import { startHandler } from '../conformance/providers/handler.js';
import type { Provider } from '../conformance/providers/provider.js';

/** A failure with its status: a 4xx. */
class Failure extends Error {
  constructor(
    readonly status: 400 | 401 | 404 | 415,
    message: string,
  ) {
    super(message);
  }
}

function errorOf(status: number, message: string): { error: number; message: string } {
  return { error: status, message };
}

function authorize(token: string, authorization: string | undefined): void {
  if (authorization !== `Bearer ${token}`) throw new Failure(401, 'no token, or a wrong one');
}

/** Reads the body exactly: the readers of the frameworks use JSON.parse, which rounds ids. */
function plantIn(mediaType: string | undefined, body: Uint8Array): { name: string; tag?: string } {
  if (!/^application\/json *(;|$)/i.test(mediaType ?? ''))
    throw new Failure(415, 'application/json is wanted');
  const plant = readPlant(body);
  if (typeof plant === 'string') throw new Failure(400, plant === 'json' ? 'not JSON' : 'not a NewPlant');
  const { id: _, ...fields } = plant;
  return fields;
}

/** Providers as their careful authors write them: an exact reader, and an Error for whatever the framework rejects. */
export const careful: Readonly<Record<string, (token: string) => Promise<Provider>>> = {
  async Express(token) {
    const app = express();
    app.use((request, _response, next) => {
      authorize(token, request.get('authorization'));
      next();
    });
    app.post('/plants', express.raw({ type: () => true }), (request, response) => {
      const { body } = request as { body: unknown };
      response.json(plantIn(request.get('content-type'), body instanceof Uint8Array ? body : Buffer.of()));
    });
    app.use(() => {
      throw new Failure(404, 'no such path');
    });
    app.use(((error, _request, response, _next) => {
      const { status = 500, message } = error as Partial<Failure> & Error;
      response.status(status).json(errorOf(status, message));
    }) satisfies ErrorRequestHandler);
    return startHandler(app);
  },

  async Fastify(token) {
    const app = fastify();
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    app.addHook('onRequest', async ({ headers }) => authorize(token, headers.authorization));
    app.post('/plants', async ({ headers, body }) =>
      plantIn(headers['content-type'], body instanceof Uint8Array ? body : Buffer.of()),
    );
    app.setNotFoundHandler((_request, reply) => reply.code(404).send(errorOf(404, 'no such path')));
    app.setErrorHandler((error: Error & { statusCode?: number; status?: number }, _request, reply) => {
      const status = error.status ?? error.statusCode ?? 500;
      return reply.code(status).send(errorOf(status, error.message));
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    return { url, [Symbol.asyncDispose]: () => app.close() };
  },

  async Koa(token) {
    const app = new Koa();
    app.use(async (context, next) => {
      try {
        await next();
      } catch (error) {
        const { status = 500, message } = error as Partial<Failure> & Error;
        context.status = status;
        context.body = errorOf(status, message);
      }
    });
    app.use(async (context) => {
      authorize(token, context.get('authorization'));
      if (context.method !== 'POST' || context.path !== '/plants') throw new Failure(404, 'no such path');
      const parts: Buffer[] = [];
      for await (const part of context.req) parts.push(part);
      context.body = plantIn(context.get('content-type'), Buffer.concat(parts));
    });
    return startHandler(app.callback());
  },

  async Hono(token) {
    const app = new Hono();
    app.use(async (context, next) => {
      authorize(token, context.req.header('authorization'));
      await next();
    });
    app.post('/plants', async ({ req, json }) =>
      json(plantIn(req.header('content-type'), new Uint8Array(await req.arrayBuffer()))),
    );
    app.notFound(({ json }) => json(errorOf(404, 'no such path'), 404));
    app.onError((error, { json }) => {
      const status = error instanceof Failure || error instanceof HTTPException ? error.status : 500;
      return json(errorOf(status, error.message), status);
    });
    return startHandler(getRequestListener(app.fetch));
  },
};
