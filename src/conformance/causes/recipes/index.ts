import type { Recipe } from '../../../report/frame.js';
import type { Exchange } from '../../exchange.js';
import type { RunRecord } from '../../judging/run-record.js';
import { authorOf, frameworkOf } from '../frameworks.js';
import type { Framework } from '../marks.js';
import { aiohttp } from './aiohttp.js';
import { django } from './django.js';
import { express } from './express.js';
import { fastapi } from './fastapi.js';
import { fastify } from './fastify.js';
import { flask } from './flask.js';
import { hono } from './hono.js';
import { koa } from './koa.js';
import type { Recipes } from './recipe.js';

/** The recipes by framework. Each was applied to a provider that had the finding, and the finding was gone. */
export const recipes: Partial<Readonly<Record<Framework, Recipes>>> = {
  Express: express,
  Fastify: fastify,
  Koa: koa,
  Hono: hono,
  FastAPI: fastapi,
  'Flask (Werkzeug)': flask,
  Django: django,
  aiohttp,
};

/**
 * The recipe for a finding, if the framework is known.
 *
 * @param finding the id of the finding
 * @param exchange the exchange that fails
 */
export function recipeFor(finding: string, { response }: Exchange, record: RunRecord): Recipe | undefined {
  // A gateway returns failures of its own, so the page itself says where it comes from.
  const author =
    finding === 'framework-error-page' && response !== undefined ? authorOf(response, record) : undefined;
  const framework = author ?? frameworkOf(record);
  if (framework === undefined) return undefined;
  const found = recipes[framework]?.byFinding[finding];
  if (found === undefined) return undefined;
  const { text, code, language = recipes[framework]?.language ?? '' } = found;
  return { framework, text, language, code };
}
