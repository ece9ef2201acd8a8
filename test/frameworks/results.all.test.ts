import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { checkConformance, rules } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { recipes } from '../../src/conformance/report/frameworks.js';
import { linesOfRecipe, RECIPE, sourcesOf } from './code.mjs';

interface Broken {
  readonly errors: Readonly<Record<string, object>>;
  readonly warnings: Readonly<Record<string, object>>;
}

interface Result extends Broken {
  readonly name: string;
  readonly withRecipe?: Broken & {
    readonly framework: string;
    readonly findings: readonly string[];
    readonly lines: number;
  };
}

const beside = (name: string): URL => new URL(name, import.meta.url);
const { frameworks }: { frameworks: readonly Result[] } = JSON.parse(
  readFileSync(beside('results.json'), 'utf8'),
);
const fixed = frameworks.flatMap((result) => {
  const { name, withRecipe } = result;
  return withRecipe === undefined ? [] : [{ name, withRecipe }];
});
const token = 'a-token-for-frameworks';

/** No handler of the table shows them: Django's is that of Django REST framework, which has failures of its own. */
const NOT_IN_THE_TABLE: readonly string[] = ['Django', 'nginx', 'HAProxy', 'Apache'];

/** Lines of one recipe of NestJS that another one replaces. */
const REPLACED = ['@IsInt()', 'id: number;'];

/** The ids of errors, and of warnings. */
function idsIn(broken: Broken | undefined): [string[], string[]] {
  return [Object.keys(broken?.errors ?? {}), Object.keys(broken?.warnings ?? {})];
}

/** Starts a handler in a process of its own, on a free port. @param file relative to this one */
async function startHandler(file: string) {
  const code = `
    const { Server } = await import('node:net');
    const { listen } = Server.prototype;
    Server.prototype.listen = function (...args) {
      return listen.apply(this, args).on('listening', () => console.log(this.address().port));
    };
    await import(${JSON.stringify(beside(file).href)});`;
  const env = {
    ...process.env,
    PORT: '0',
    TOKEN: token,
    OPENAPI: beside('../../spec/openapi.yaml').pathname,
  };
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => child.kill() };
}

describe('the results of the frameworks', () => {
  test('are about rules that exist', () => {
    const known = new Set<string>(rules.map(({ id }) => id));
    const named = [...frameworks, ...fixed.map(({ withRecipe }) => withRecipe)].flatMap(idsIn).flat();
    expect(named.filter((id) => !known.has(id))).toEqual([]);
    expect(frameworks.length).toBeGreaterThan(30);
  });

  // recipes.all.test.ts checks what they break with their recipes: nothing.
  test.each(['express', 'fastify', 'koa', 'express-openapi-validator'])(
    '%s breaks today what the table says',
    async (framework) => {
      using handler = await startHandler(`${framework}/server.mjs`);
      const report = await checkConformance({ baseUrl: handler.url, token, prism: false });
      const of = (verdict: string): string[] =>
        report.rules.filter((rule) => rule.verdict === verdict).map(({ id }) => id);
      expect([of('fail'), of('warn')]).toEqual(idsIn(frameworks.find(({ name }) => name === framework)));
    },
  );
});

describe('a handler with the recipes of the report', () => {
  test('is in the table for every framework with recipes that the table has', () => {
    const folders = readdirSync(beside('.')).filter((name) => existsSync(beside(`${name}/${RECIPE}`)));
    expect(fixed.map(({ name }) => name)).toEqual(folders);
    expect(new Set(fixed.map(({ withRecipe }) => withRecipe.framework))).toEqual(
      new Set([...recipes().keys()].filter((framework) => !NOT_IN_THE_TABLE.includes(framework))),
    );
  });

  test.each(fixed)('has the code as it is printed, and so many more lines: $name', ({ name, withRecipe }) => {
    const { framework, findings, lines } = withRecipe;
    const folder = beside(name).pathname;
    expect(linesOfRecipe(folder)).toBe(lines);
    // The pages of Fastify name the application after it.
    const code = sourcesOf(join(folder, RECIPE))
      .replaceAll('fastify', 'app')
      .replaceAll('Fastify', 'fastify');
    const written = linesOf(code);
    const printed = findings.flatMap((id) => linesOf(recipes().get(framework)?.get(id)?.code ?? 'no code'));
    expect(printed.filter((line) => !written.includes(line) && !REPLACED.includes(line))).toEqual([]);
  });
});

/** The lines of code, without imports, which a file has once. */
function linesOf(code: string): string[] {
  return code
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:import |from |package |"[\w./-]+"$|\)$)/.test(line));
}
