import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { conformanceSuite, type SuiteTarget } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { Recorder } from './recorder.js';

const token = 'a-token-of-these-tests';

/** It refuses everything: that it was asked is what is to be seen. */
const refuse: RequestListener = (_request, response) => response.writeHead(403).end();

async function messageFor(target: SuiteTarget): Promise<string | undefined> {
  const { error } = await Recorder.of({ target, token }).run('success/status-is-200');
  return error?.message;
}

describe('a server of Node', () => {
  test.each<[string, (host?: string) => ReturnType<typeof createServer>]>([
    ['of node:http', (host) => createServer(refuse).listen(0, host)],
  ])('%s that a function starts is asked, and closed', async (_whose, listen) => {
    for (const host of [undefined, '127.0.0.1', '0.0.0.0', 'localhost']) {
      const server = listen(host);
      expect(await messageFor({ start: () => server })).toMatch(/every plain plant gets 403/);
      expect(server.listening).toBe(false);
    }
  });

  test('may be closed already', async () => {
    const server = createServer(refuse).listen(0);
    const { tests } = Recorder.of({
      target: { start: () => server },
      token,
      onReport: () => void server.close(),
    });
    await expect(tests[0]?.run()).rejects.toThrow(/every plain plant gets 403/);
  });

  test('of node:https is requested by https', async () => {
    const server = createTlsServer(refuse).listen(0);
    expect(await messageFor({ start: () => server })).toMatch(
      /could not be tested: .*(SSL|TLS|alert|handshake)/i,
    );
  });

  test('that cannot listen fails with the reason', async () => {
    const first = createServer(refuse).listen(0, '127.0.0.1');
    await once(first, 'listening');
    const { port } = first.address() as AddressInfo;
    const message = await messageFor({
      start: () => createServer(refuse).listen(port, '127.0.0.1'),
    });
    expect(message).toMatch(/^the provider could not be started: .*EADDRINUSE/);
    first.close();
  });

  test('that listens on no port fails, and is closed', async () => {
    const server = createServer(refuse).listen(join('/tmp', `plants-${process.pid}.sock`));
    expect(await messageFor({ start: () => server })).toMatch(
      /could not be started: the server listens on no port/,
    );
    expect(server.listening).toBe(false);
  });
});

describe('what does not listen yet is rejected, before a test is made:', () => {
  test.each<[string, unknown]>([
    ['an application', Object.assign(() => {}, { listen: () => {} })],
    ['a server', createServer(refuse)],
  ])('%s', async (_what, target) => {
    const why = 'the target does not listen; use target: { start: () => app.listen(0) }';
    expect(() => conformanceSuite({ test: () => {}, target: target as SuiteTarget, token })).toThrow(why);
    if (typeof target !== 'object' || !('address' in (target as object)))
      expect(await messageFor({ start: () => target as never })).toBe(why);
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
