import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { checkConformance, rules } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';

interface Result {
  readonly name: string;
  readonly errors: Readonly<Record<string, object>>;
  readonly warnings: Readonly<Record<string, object>>;
}

const beside = (name: string): URL => new URL(name, import.meta.url);
const { frameworks }: { frameworks: readonly Result[] } = JSON.parse(
  readFileSync(beside('results.json'), 'utf8'),
);
const token = 'a-token-for-frameworks';

/** Starts a handler in a process of its own, on a free port. */
async function startHandler(name: string) {
  const code = `
    const { Server } = await import('node:net');
    const { listen } = Server.prototype;
    Server.prototype.listen = function (...args) {
      return listen.apply(this, args).on('listening', () => console.log(this.address().port));
    };
    await import(${JSON.stringify(beside(`${name}/server.mjs`).href)});`;
  const env = { ...process.env, PORT: '0', TOKEN: token, OPENAPI: beside('../../spec/openapi.yaml').pathname };
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
    const named = frameworks.flatMap(({ errors, warnings }) => [
      ...Object.keys(errors),
      ...Object.keys(warnings),
    ]);
    expect(named.filter((id) => !known.has(id))).toEqual([]);
    expect(frameworks.length).toBeGreaterThan(30);
  });

  test.each(['express', 'fastify', 'koa', 'express-openapi-validator'])(
    '%s breaks today what the table says',
    async (name) => {
      using handler = await startHandler(name);
      const report = await checkConformance({ baseUrl: handler.url, token, prism: false });
      const of = (verdict: string): string[] =>
        report.rules.filter((rule) => rule.verdict === verdict).map(({ id }) => id);
      const shown = frameworks.find((one) => one.name === name);
      expect([of('fail'), of('warn')]).toEqual([
        Object.keys(shown?.errors ?? {}),
        Object.keys(shown?.warnings ?? {}),
      ]);
    },
  );
});
