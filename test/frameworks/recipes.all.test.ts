import { getRequestListener } from '@hono/node-server';
import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import express from 'express';
import fastify, { type FastifyInstance } from 'fastify';
import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import Koa from 'koa';
import { parse, parseNumberAndBigInt } from 'lossless-json';
import { checkConformance } from 'plant-store-contract/conformance';
import type { Finding } from 'plant-store-contract/reporters';
import { describe, expect, test, vi } from 'vitest';
import { startHandler } from '../conformance/providers/handler.js';
import type { Provider } from '../conformance/providers/provider.js';
import { startNest } from './nest.js';

// Starts first: it checks a provider for each recipe.

const token = 'a-token-of-these-tests';

/** The codes of the recipes that are applied. */
type Applied = readonly string[];

/**
 * Runs the code of a recipe as it is printed, if it is applied. The names are those that its text tells the reader about.
 *
 * @param part a part of the code that no other recipe has
 * @returns what the code calls `app`
 */
function paste<App>(applied: Applied, part: string, names: Record<string, unknown>): App | undefined {
  const printed = applied.find((one) => one.includes(part));
  if (printed === undefined) return undefined;
  const code = printed.replaceAll(/^import .*\n/gm, '');
  const given = Object.entries({ ...names, parse, parseNumberAndBigInt }).filter(
    ([name]) => !code.includes(`const ${name} =`),
  );
  return new Function(...given.map(([name]) => name), `${code}\nreturn app;`)(
    ...given.map(([, value]) => value),
  ) as App;
}

interface Body {
  readonly name: string;
  readonly id: number;
  readonly tag?: string;
}

/** Plants in a map: a duplicate id is rejected. */
function store() {
  const ids = new Set<unknown>();
  return (id: unknown): boolean => !ids.has(id) && ids.add(id) !== undefined;
}

/** Nothing checks the types of the fields, and Express responds to whatever fails. */
async function startExpress(applied: Applied): Promise<Provider> {
  const app = express();
  const names = { app, express };
  const create = store();
  app.set('env', 'test');
  app.use((request, _, next) => {
    if (request.get('authorization') === `Bearer ${token}`) next();
    else next(Object.assign(new Error('no or wrong token'), { status: 401, expose: true }));
  });
  paste(applied, 'parseNumberAndBigInt', names);
  app.use(express.json());
  paste(applied, 'function problemOf', names);
  app.post('/plants', (request, response, next) => {
    const { name, id, tag } = (request.body ?? {}) as Body;
    if (create(id)) response.json({ name, tag });
    else next(Object.assign(new Error('duplicate'), { status: 409, expose: true }));
  });
  paste(applied, 'app.use((error,', names);
  return startHandler(app);
}

/** A schema as in Fastify's guide, and Fastify's responses to whatever fails. */
async function startFastify(applied: Applied): Promise<Provider> {
  const app: FastifyInstance = paste<FastifyInstance>(applied, 'coerceTypes', { fastify }) ?? fastify();
  const create = store();
  app.addHook('onRequest', async (request) => {
    if (request.headers.authorization !== `Bearer ${token}`)
      throw Object.assign(new Error('no or wrong token'), { statusCode: 401 });
  });
  paste(applied, 'app.setErrorHandler(', { app });
  const isExact = paste(applied, 'parseNumberAndBigInt', { app }) !== undefined;
  const properties = {
    name: { type: 'string' },
    id: isExact ? {} : { type: 'integer' },
    tag: { type: 'string' },
  };
  const body = { type: 'object', required: ['name', 'id'], properties };
  app.post<{ Body: Body }>('/plants', { schema: { body } }, async (request) => {
    const { name, id, tag } = request.body;
    if (!create(id)) throw Object.assign(new Error('duplicate'), { statusCode: 409 });
    return { name, tag };
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url, [Symbol.asyncDispose]: () => app.close() };
}

/** Nothing checks the types of the fields, and Koa responds to whatever fails. */
async function startKoa(applied: Applied): Promise<Provider> {
  const app = new Koa();
  const router = new Router();
  const names = { app, router, bodyParser };
  const create = store();
  app.silent = true;
  paste(applied, 'context.throw(context.status)', names);
  app.use(async (context, next) => {
    if (context.get('authorization') !== `Bearer ${token}`) context.throw(401);
    await next();
  });
  if (paste(applied, 'parseNumberAndBigInt', names) === undefined) app.use(bodyParser());
  paste(applied, 'function problemOf', names);
  router.post('/plants', (context) => {
    const { name, id, tag } = (context.request.body ?? {}) as Body;
    if (!create(id)) context.throw(409);
    context.body = { name, tag };
  });
  app.use(router.routes()).use(router.allowedMethods());
  return startHandler(app.callback());
}

/** Nothing checks the body, and Hono responds to whatever fails. */
async function startHono(applied: Applied): Promise<Provider> {
  const app = new Hono<{ Variables: { body: unknown } }>();
  const create = store();
  app.use(bearerAuth({ token }));
  paste(applied, 'app.onError(', { app });
  paste(applied, 'function problemOf', { app });
  paste(applied, 'parseNumberAndBigInt', { app });
  app.post('/plants', async (context) => {
    const { name, id, tag } = (context.get('body') ?? (await context.req.json())) as Body;
    const plant = { name: name.slice(), tag };
    if (!create(id)) return context.json({ error: 409, message: 'duplicate' }, 409);
    return context.json(plant);
  });
  return startHandler(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
}

async function findingsOf(
  start: (applied: Applied) => Promise<Provider>,
  applied: Applied = [],
  only: readonly string[] = [],
) {
  await using provider = await start(applied);
  const { findings } = await checkConformance({ baseUrl: provider.url, token, prism: false, only });
  return findings;
}

/** The findings of each code. Some recipes fix several findings with one code. */
function byCode(findings: readonly Finding[]): Map<string, Finding[]> {
  const found = new Map<string, Finding[]>();
  for (const finding of findings) {
    const { recipe } = finding;
    if (recipe !== undefined) found.set(recipe.code, [...(found.get(recipe.code) ?? []), finding]);
  }
  return found;
}

describe.each([
  ['Express', startExpress, ['types-are-not-checked', 'id-through-a-double', 'request/body-is-required']],
  ['Fastify', startFastify, ['types-are-converted', 'id-through-a-double']],
  ['Koa', startKoa, ['types-are-not-checked', 'id-through-a-double', 'request/body-is-required']],
  [
    'NestJS',
    (applied: Applied) => startNest(applied, token),
    ['request/null-tag-is-refused', 'types-are-converted', 'id-through-a-double'],
  ],
  [
    'Hono',
    startHono,
    [
      ...['types-are-not-checked', 'id-through-a-double'],
      ...['failure/refusal-is-4xx', 'failure/rare-input-is-answered'],
    ],
  ],
] as const)('the recipes of %s', (framework, start, expected) => {
  test(`fix the findings that they are printed with: ${framework}`, async () => {
    // Hono prints every exception, and so do the recipes.
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const before = await findingsOf(start);
    expect(before.map(({ id, recipe }) => [id, recipe?.framework])).toEqual(
      before.map(({ id }) => [id, framework]),
    );
    expect(before.map(({ id }) => id)).toEqual(expect.arrayContaining([...expected, 'framework-error-page']));
    const codes = byCode(before);
    for (const [code, fixed] of codes) {
      const only = fixed.flatMap(({ cases }) => cases);
      const after = (await findingsOf(start, [code], only)).map(({ id }) => id);
      expect(fixed.filter(({ id }) => after.includes(id))).toEqual([]);
    }
    const all = await findingsOf(start, [...codes.keys()]);
    expect(all.map(({ id, title }) => [id, title])).toEqual([]);
    printed.mockRestore();
  });
});
