import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { type VerifyOptions, verifySettings } from '../../../src/pact/verification/options.js';
import { statesByHandlers, statesByUrl, statesWithoutHelp } from '../../../src/pact/verification/states.js';
import { certificate, startGateway } from '../../conformance/providers/tls.js';
import { startReader } from './provider.js';

const NO_PLANT = 'no plant with id';

/** Sets a state up without help from the provider, and returns what it did. */
async function setUp(name: string, params: Readonly<Record<string, string | number | bigint>>) {
  const replaced: (readonly [unknown, number | bigint])[] = [];
  const values = await statesByHandlers(statesWithoutHelp)(
    'setup',
    { name, params },
    {
      createPlant: async () => {},
      replaceId: (id, by) => void replaced.push([id, by]),
    },
  );
  return { replaced, values };
}

test.each<[id: number | bigint | string, low: bigint, high: bigint]>([
  ['9223372036854775807', 2n ** 62n, 2n ** 63n - 1n],
  ['-9223372036854775808', -(2n ** 63n), -(2n ** 62n)],
  [4294967296, 2n ** 31n, 2n ** 53n],
  [-5, -(2n ** 31n), -1n],
  [0, 0n, 0n],
])('a fresh id is like %s, the one of the pact', async (id, low, high) => {
  const { replaced, values } = await setUp(NO_PLANT, { id });
  expect(replaced).toEqual([[BigInt(id), values.id]]);
  expect(BigInt(values.id as number)).toBeGreaterThanOrEqual(low);
  expect(BigInt(values.id as number)).toBeLessThanOrEqual(high);
});

const shop = { name: 'the shop is open', params: { id: 9007199254740993n } };
const context = { createPlant: async () => {}, replaceId: () => {} };

/** Writes until the client is gone. */
function writeOn(response: ServerResponse): void {
  response.write(Buffer.alloc(2 ** 16, ' '), (problem) => {
    if (problem == null) writeOn(response);
  });
}

test.each<[string, (response: ServerResponse) => void]>([
  ['returned 500', (response) => response.writeHead(500).end()],
  [
    'returned 307: redirects are not followed',
    (response) => response.writeHead(307, { location: '/' }).end(),
  ],
  ['is longer than 2 MiB', writeOn],
])('a state cannot be set up if the response %s', async (why, answer) => {
  await using provider = await startReader((_request, response) => answer(response));
  const run = statesByUrl({ url: new URL(provider.url), headers: [] });
  await expect(run('setup', shop, context)).rejects.toThrow(
    new RegExp(`^the state "the shop is open" cannot be set up: .*${why}`),
  );
});

const JSON_TYPE = 'application/json';

// As Pact's own verifier reads them: a 2xx means that the state is set, and values come only from a JSON object.
test.each<[what: string, status: number, type: string | undefined, body: string, values: object]>([
  ['text', 200, 'text/plain', 'OK', {}],
  ['an object without a type', 200, undefined, '{"id":5}', {}],
  ['broken JSON', 200, JSON_TYPE, '{"id":', {}],
  ['a list', 200, JSON_TYPE, '[5]', {}],
  ['an object', 200, JSON_TYPE, '{"id":9007199254740993}', { id: 9007199254740993n }],
  ['an object of another JSON type', 200, 'application/vnd.states+json', '{"id":5}', { id: 5 }],
  ['204', 204, undefined, '', {}],
])('a state URL may respond with %s', async (_what, status, type, body, values) => {
  await using states = await startReader((_request, response) => {
    if (type !== undefined) response.setHeader('content-type', type);
    response.writeHead(status).end(body);
  });
  const run = statesByUrl({ url: new URL(states.url), headers: [] });
  expect(await run('setup', shop, context)).toEqual(values);
});

describe('the way to a state URL', () => {
  /** Sets a state up through a URL, as the options of a verification say. */
  async function setUpBy(stateUrl: string, options: Partial<VerifyOptions> = {}) {
    const { stateRoute } = await verifySettings({ baseUrl: stateUrl, token: 'secret', ...options, stateUrl });
    return statesByUrl(stateRoute as NonNullable<typeof stateRoute>)('setup', shop, context);
  }

  test('has the certificates that the provider has', async () => {
    await using states = await startReader((_request, response) => response.end());
    await using gateway = await startGateway(states.url);
    await expect(setUpBy(gateway.url)).rejects.toThrow(`${gateway.url}/: self-signed certificate`);
    for (const baseUrl of [gateway.url, 'http://provider.test']) {
      expect(await setUpBy(gateway.url, { baseUrl, ca: certificate })).toEqual({});
      expect(await setUpBy(gateway.url, { baseUrl, insecure: true })).toEqual({});
    }
  });

  test('has the fields of the provider only at the origin of the provider', async () => {
    const keys: unknown[] = [];
    await using states = await startReader((request, response) => {
      keys.push(request.headers['x-key']);
      response.end();
    });
    const headers = [['X-Key', 'gateway']] as const;
    await setUpBy(states.url, { headers });
    await setUpBy(states.url, { baseUrl: 'http://127.0.0.1:9', headers });
    await setUpBy(states.url, { baseUrl: 'http://provider.test', headers });
    expect(keys).toEqual(['gateway', undefined, undefined]);
  });

  test.each([
    ['ftp://127.0.0.1', 'must begin with http'],
    ['http://me:secret@127.0.0.1', 'must not have a user or a password'],
  ])('cannot lead to %s', async (stateUrl, why) => {
    await expect(setUpBy(stateUrl, { baseUrl: 'http://127.0.0.1' })).rejects.toThrow(`the state URL ${why}`);
  });
});
