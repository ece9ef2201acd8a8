import type { createServer, RequestListener } from 'node:http';
import express from 'express';
import Koa from 'koa';
import { checkConformance, conformanceSuite, type SuiteTarget } from 'plant-store-contract/conformance';
import { verifyProvider } from 'plant-store-contract/pact';
import { expect, test, vi } from 'vitest';
import { Recorder } from '../conformance/suite/recorder.js';
import { startExpress } from './express.js';
import { createHono, startHono } from './hono.js';

const token = 'a-token-of-these-tests';

test('Express, with 401, 409 and 422, satisfies the shipped pact', async () => {
  await using provider = await startExpress(token);
  const { conclusion, summary } = await verifyProvider({ baseUrl: provider.url, token });
  expect(conclusion, summary).toBe('conforms');
});

test('a Hono application breaks the same rules without a port as over one', async () => {
  // It writes every exception to the console.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const brokenBy = async (options: Parameters<typeof checkConformance>[0]): Promise<string[]> => {
    const { rules } = await checkConformance({ ...options, prism: false });
    return rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  };
  await using provider = await startHono(token);
  const overPort = await brokenBy({ baseUrl: provider.url, token });
  expect(overPort).toContain('request/ids-are-exact');
  const { fetch } = createHono(token, '/api');
  expect(await brokenBy({ baseUrl: 'http://localhost/api', token, fetch })).toEqual(overPort);
});

async function messageFor(target: SuiteTarget): Promise<string | undefined> {
  const { error } = await Recorder.of({ target, token }).run('success/status-is-200');
  return error?.message;
}

test.each<[string, (host?: string) => ReturnType<typeof createServer>]>([
  [
    'Express',
    (host) =>
      express()
        .use((_request, response) => void response.status(403).end())
        .listen(0, host as ''),
  ],
  ['Koa', (host) => new Koa().use((context) => context.throw(403)).listen(0, host)],
])('a server of %s that a function starts is asked, and closed', async (_whose, listen) => {
  for (const host of [undefined, '127.0.0.1', '0.0.0.0', 'localhost']) {
    const server = listen(host);
    expect(await messageFor({ start: () => server })).toMatch(/every plain plant gets 403/);
    expect(server.listening).toBe(false);
  }
});

test.each<[string, RequestListener | object]>([
  ['Express', express()],
  ['Koa', new Koa()],
])(
  'an application of %s that does not listen yet is rejected, before a test is made',
  async (_what, target) => {
    const why = 'the target does not listen; use target: { start: () => app.listen(0) }';
    expect(() => conformanceSuite({ test: () => {}, target: target as SuiteTarget, token })).toThrow(why);
    expect(await messageFor({ start: () => target as never })).toBe(why);
  },
);
