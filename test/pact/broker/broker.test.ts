import { createServer } from 'node:http';
import type { BrokerOptions, VerifyOptions } from 'plant-store-contract/pact';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../src/http/address.js';
import { fetchPacts } from '../../../src/pact/broker/pacts.js';
import { verifySettings } from '../../../src/pact/verification/options.js';
import { type BrokerStub, PROVIDER, startBroker } from './stub.js';

/** Gets the pacts of a stub. */
async function fetched(stub: BrokerStub, options: BrokerOptions = {}, provider = PROVIDER) {
  await using broker = await startBroker(stub);
  const access = { timeoutMs: 20_000, ...options };
  const pacts = await fetchPacts({ ...options, url: broker.url }, provider, access);
  return { pacts, calls: broker.calls };
}

test('a broker is asked for the recommended pacts by default, or for those of the selectors', async () => {
  const queries = async (options: BrokerOptions): Promise<unknown> => {
    const { calls } = await fetched({}, options);
    return calls.find(({ target }) => target.endsWith('/for-verification'))?.body;
  };
  expect(await queries({})).toEqual({
    consumerVersionSelectors: [{ mainBranch: true }, { deployedOrReleased: true }],
    includePendingStatus: false,
  });
  expect(await queries({ selectors: [], branch: 'feat', wipSince: '2026-01-31', pending: true })).toEqual({
    consumerVersionSelectors: [],
    includePendingStatus: true,
    includeWipPactsSince: '2026-01-31',
    providerVersionBranch: 'feat',
  });
});

describe('a broker that gives no pacts', () => {
  const answered =
    (status: number, body = ''): BrokerStub['override'] =>
    (_request, response) => {
      response.writeHead(status, { location: 'http://elsewhere.example/' }).end(body);
      return true;
    };
  const linking = (href: string): string =>
    JSON.stringify({ _links: { 'pb:provider-pacts-for-verification': { href } } });
  const badSelector: BrokerStub['override'] = ({ method }, response) => {
    if (method !== 'POST') return false;
    response.writeHead(400).end('{"errors":{"consumerVersionSelectors":["unknown key mainbranch"]}}');
    return true;
  };

  test.each<[string, BrokerStub, RegExp]>([
    ['needs credentials', { override: answered(401) }, /it needs credentials \(status 401\)$/],
    ['has no pact', { pacts: [] }, /it has no pact with plant-store-x for these selectors$/],
    ['is no broker', { override: answered(200, '<') }, /the response is not JSON: is this a Pact broker\?$/],
    ['has no links', { override: answered(200, '{}') }, /no link "pb:provider-pacts-for-v.*a Pact broker\?$/],
    ['does not know the selector', { override: badSelector }, /400: consumerVersionSelectors: unknown key/],
    [
      'links to another server',
      { override: answered(200, linking('http://169.254.169.254/{provider}')) },
      /it links to another server, http:\/\/169\.254\.169\.254; set the base URL of the broker to http/,
    ],
  ])('because it %s', async (_what, stub, why) => {
    const failure = fetched(stub);
    await expect(failure).rejects.toMatchObject({ code: 'no-pact' });
    await expect(failure).rejects.toThrow(why);
  });

  test('because it never responds', async () => {
    await expect(fetched({ override: () => true }, { timeoutMs: 50 })).rejects.toThrow(/within 50 ms$/);
  });

  test('because it does not know the provider', async () => {
    await expect(fetched({}, {}, 'none')).rejects.toThrow(
      /: the response has the status 404: No provider with name 'none' found$/,
    );
  });
});

describe('a token that a link has is not shown:', () => {
  const token = 'the-token-of-the-broker';

  /** A broker with one pact that cannot be read, at an address. */
  async function withPactAt(address: (origin: string) => string): Promise<string> {
    const server = createServer((request, response) => {
      const origin = `http://${request.headers.host}`;
      const link = { href: request.url === '/' ? '/list' : address(origin) };
      const list = { _embedded: { pacts: [{ _links: { self: link } }] } };
      const index = { _links: { 'pb:provider-pacts-for-verification': link } };
      if (request.url === '/') response.end(JSON.stringify(index));
      else response.end(request.url === '/list' ? JSON.stringify(list) : Buffer.of(0xff));
    });
    onTestFinished(() => void server.close());
    return (await listen(server, '127.0.0.1', 0)).url;
  }

  test.each([
    ['as a user', (origin: string) => origin.replace('//', `//${token}:${token}@`).concat('/pact'), '/pact'],
    ['in a query', () => `/pact?key=${token}`, '/pact?key=$PACT_BROKER_TOKEN'],
  ])('%s', async (_where, address, shown) => {
    const url = await withPactAt(address);
    await expect(fetchPacts({ url }, 'plant store', { token, timeoutMs: 60_000 })).rejects.toThrow(
      `the broker at ${url} gave nothing to verify: ${url}${shown} is not a pact: `,
    );
  });
});

const url = 'http://b';
const publish = { version: '1' };

test.each<[string, Partial<VerifyOptions>, RegExp]>([
  ['its URL is not valid', { broker: { url: 'broker' } }, /must be a URL/],
  ['its URL contains a password', { broker: { url: 'http://me:secret@b' } }, /not contain a user or a pass/],
  ['it gets two kinds of credentials', { broker: { url, token: 'a', username: 'b' } }, /not both/],
  ['its token cannot be sent', { broker: { url, token: 'a\n' } }, /cannot be sent as it is/],
  ['results have no version', { broker: { url, publish: { version: '' } } }, /must not be empty/],
  ['a day is not valid', { broker: { url, wipSince: 'yesterday' } }, /2026-01-31; got yesterday/],
  ['work in progress has no branch', { broker: { url, wipSince: '2026-01-31', publish } }, /need the branch/],
  [
    'the URL of the build is not valid',
    { broker: { publish: { ...publish, buildUrl: 'build 7' } }, pacts: [url] },
    /the URL of the build must be a URL that begins with http:\/\/ or https:\/\/$/,
  ],
  ['a timeout is not valid', { broker: { url, timeoutMs: 0 } }, /timeout of the broker must be/],
  ['there are pacts too', { broker: { url }, pacts: ['a.json'] }, /not from both/],
  ['there is nothing to publish', { broker: { publish }, pacts: ['a.json'] }, /only for pacts of a broker/],
  ['there is no broker to select from', { broker: { pending: true }, pacts: [url] }, /need the URL/],
  [
    'one token is for two servers',
    { broker: { token: 'a' }, pacts: ['http://a/1', 'http://b/1'] },
    /the credentials are for one server, but the pacts are on several: http:\/\/a and http:\/\/b$/,
  ],
])('the options of a broker are rejected if %s', async (_what, options, message) => {
  const settings = verifySettings({ baseUrl: 'http://127.0.0.1:2', token: 'secret', ...options });
  await expect(settings).rejects.toThrow(message);
});
