import { once } from 'node:events';
import { createServer } from 'node:http';
import { conformanceSuite, type SuiteTarget } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { Recorder } from './recorder.js';

const token = 'a-token-of-these-tests';

async function messageFor(target: SuiteTarget): Promise<string | undefined> {
  const { error } = await Recorder.of({ target, token }).run('success/status-is-200');
  return error?.message;
}

describe('a server is no target:', () => {
  const why =
    "the target must be { url }, { fetch }, or { start }, not a server; pass where it listens: { url: 'http://127.0.0.1:3000' }, or { start: … } that returns { url, close }";

  test.each<[string, () => unknown]>([
    ['an application as a function, as of Express', () => Object.assign(() => {}, { listen: () => {} })],
    ['an application that listens, as of Fastify', () => ({ listen: () => {}, close: async () => {} })],
    ['a server of Node', () => createServer()],
  ])('%s', async (_what, made) => {
    const target = made() as SuiteTarget;
    expect(() => conformanceSuite({ test: () => {}, target, token })).toThrow(why);
  });

  test('one that a function starts is closed, and the reason is there at once', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    const closed = once(server, 'close');
    expect(await messageFor({ start: () => server as never })).toBe(why);
    await closed;
  });
});

test('a router that has a method for every name is called', async () => {
  const fetch = (request: Request) => Response.json({ error: 1, message: request.method }, { status: 403 });
  const target = new Proxy(
    { fetch },
    { get: (of, name) => Reflect.get(of, name) ?? (() => {}), has: () => true },
  );
  expect(await messageFor(target)).toMatch(/every plain plant gets 403/);
});
