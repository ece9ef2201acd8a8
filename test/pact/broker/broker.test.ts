import type { BrokerOptions, VerifyOptions } from 'plant-store-contract/pact';
import { describe, expect, test } from 'vitest';
import { PactServers } from '../../../src/pact/broker/broker.js';
import { verifySettings } from '../../../src/pact/verification/options.js';
import { startReader } from '../verification/provider.js';
import { type BrokerStub, PROVIDER, startBroker } from './stub.js';

/** Gets the pacts of a stub. */
async function fetched(stub: BrokerStub, options: Partial<BrokerOptions> = {}, provider = PROVIDER) {
  await using broker = await startBroker(stub);
  const servers = new PactServers({ url: broker.url, ...options });
  return { pacts: await servers.pactsFor(provider), calls: broker.calls };
}

test('a broker is asked for the recommended pacts by default, or for those of the selectors', async () => {
  const queries = async (options: Partial<BrokerOptions>): Promise<unknown> => {
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
  const linkingToFile: BrokerStub['override'] = (_request, response) => {
    const link = { href: 'file:///etc/passwd' };
    response.end(JSON.stringify({ _links: { 'pb:provider-pacts-for-verification': link } }));
    return true;
  };
  const badSelector: BrokerStub['override'] = ({ method }, response) => {
    if (method !== 'POST') return false;
    response.writeHead(400).end('{"errors":{"consumerVersionSelectors":["unknown key mainbranch"]}}');
    return true;
  };

  test.each<[string, BrokerStub, RegExp, provider?: string]>([
    ['has no pact', { pacts: [] }, /it has no pact with plant-store-x for these selectors$/],
    [
      'does not know the selector',
      { override: badSelector },
      /400: \{"errors":\{"consumerVersionSelectors":\["unknown key mainbranch"\]\}\}$/,
    ],
    [
      'has a link that leads to a file',
      { override: linkingToFile },
      /the link "pb:provider-pacts-for-verification" leads to another server: file:\/\/\/etc\/passwd\. Is the base/,
    ],
    [
      'does not know the provider',
      {},
      /: the response has the status 404: \{"error":"No provider with name 'none' found"\}$/,
      'none',
    ],
  ])('because it %s', async (_what, stub, why, provider) => {
    const failure = fetched(stub, {}, provider);
    await expect(failure).rejects.toMatchObject({ code: 'no-pact' });
    await expect(failure).rejects.toThrow(why);
  });
});

test('a broker whose links lose its path is named by the URL that failed', async () => {
  const seen: unknown[] = [];
  await using server = await startReader((request, response) => {
    seen.push(request.url);
    const href = `http://${request.headers.host}/pacts/provider/{provider}/for-verification`;
    if (request.url === '/broker')
      response.end(JSON.stringify({ _links: { 'pb:provider-pacts-for-verification': { href } } }));
    else response.writeHead(404).end('nf');
  });
  const { url } = server;
  await expect(new PactServers({ url: `${url}/broker` }).pactsFor('plant store')).rejects.toThrow(
    `the broker gave nothing to verify: ${url}/pacts/provider/plant%20store/for-verification: the response has the status 404`,
  );
  expect(seen).toEqual(['/broker', '/pacts/provider/plant%20store/for-verification']);
});

test('a server that a link names beside the broker gets no request', async () => {
  const seen: unknown[] = [];
  await using other = await startReader(({ headers }, response) => {
    seen.push(headers.authorization);
    response.end('{}');
  });
  const override: BrokerStub['override'] = (_request, response) => {
    const link = { href: `${other.url}/list` };
    response.end(JSON.stringify({ _links: { 'pb:provider-pacts-for-verification': link } }));
    return true;
  };
  await expect(fetched({ override }, { token: 'of-the-broker' })).rejects.toThrow(
    `leads to another server: ${other.url}/list. Is the base URL right`,
  );
  expect(seen).toEqual([]);
});

const url = 'http://b';
const publish = { version: '1' };

test.each<[string, Partial<VerifyOptions>, RegExp]>([
  ['work in progress has no branch', { broker: { url, wipSince: '2026-01-31', publish } }, /need the branch/],
  [
    'it does not choose',
    { broker: { url, pending: true }, pacts: [url] },
    /for a broker that chooses the pacts/,
  ],
])('the options of a broker are rejected if %s', async (_what, options, message) => {
  const settings = verifySettings({ baseUrl: 'http://127.0.0.1:2', token: 'secret', ...options });
  await expect(settings).rejects.toThrow(message);
});
