import { once } from 'node:events';
import { createServer } from 'node:http';
import type { SuiteTarget } from 'plant-store-contract/conformance';
import { expect, test } from 'vitest';
import { Recorder } from './recorder.js';

const token = 'a-token-of-these-tests';

async function messageFor(target: SuiteTarget): Promise<string | undefined> {
  const { error } = await Recorder.of({ target, token }).run('success/status-is-200');
  return error?.message;
}

test('a server that a function starts is closed, and the reason is there at once', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  const closed = once(server, 'close');
  expect(await messageFor({ start: () => server as never })).toMatch(
    /^the target must be \{ url \}, .* Of a server, pass where it listens: /,
  );
  await closed;
});

test('a router that has a method for every name is called', async () => {
  const fetch = (request: Request) => Response.json({ error: 1, message: request.method }, { status: 403 });
  const target = new Proxy(
    { fetch },
    { get: (of, name) => Reflect.get(of, name) ?? (() => {}), has: () => true },
  );
  expect(await messageFor(target)).toMatch(/every plain plant gets 403/);
});
