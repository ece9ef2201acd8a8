import type { Recipe } from '../../../report/frame.js';
import type { Exchange } from '../../exchange.js';
import type { Facts } from '../../facts/facts.js';
import { authorOf, frameworkOf } from '../frameworks.js';
import type { Framework } from '../marks.js';
import { apache, caddy, haproxy, nginx } from './gateways.js';
import { echo, gin, netHttp } from './go.js';
import { springBoot } from './java.js';
import { express, fastify, hono, koa } from './javascript.js';
import { nestjs } from './nestjs.js';
import { django, fastapi, flask } from './python.js';
import type { Recipes } from './recipe.js';

/** The recipes by framework. Each was applied to a provider that had the finding, and the finding was gone. */
export const recipes: Partial<Readonly<Record<Framework, Recipes>>> = {
  Express: express,
  Fastify: fastify,
  Koa: koa,
  Hono: hono,
  NestJS: nestjs,
  FastAPI: fastapi,
  'Flask (Werkzeug)': flask,
  Django: django,
  "Go's net/http": netHttp,
  Gin: gin,
  Echo: echo,
  'Spring Boot': springBoot,
  nginx,
  HAProxy: haproxy,
  Apache: apache,
  Caddy: caddy,
};

/**
 * The recipe for a finding, if the framework is known.
 *
 * @param finding the id of the finding
 * @param exchange the exchange that fails
 */
export function recipeFor(finding: string, { response }: Exchange, facts: Facts): Recipe | undefined {
  // A gateway has failures of its own, so a failure itself says first where it comes from.
  const author = response === undefined ? undefined : authorOf(response, facts);
  for (const framework of [author, frameworkOf(facts)]) {
    const ofFramework = framework === undefined ? undefined : recipes[framework];
    const found = ofFramework?.byFinding[finding];
    if (framework === undefined || ofFramework === undefined || found === undefined) continue;
    const { text, code, language = ofFramework.language } = found;
    return { framework, text, language, code };
  }
  return undefined;
}
