import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../src/http/listen.js';
import { fetchPacts } from '../../../src/pact/broker/fetch-pacts.js';

// A broker knows the token, and could write it into a link. No message may show it.

const TOKEN = 'the-token-of-the-broker';
const access = { token: TOKEN, timeoutMs: 60_000 };

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
  ['as a user', (origin: string) => origin.replace('//', `//${TOKEN}:${TOKEN}@`).concat('/pact'), '/pact'],
  ['in a query', () => `/pact?key=${TOKEN}`, '/pact?key=$PACT_BROKER_TOKEN'],
])('a token that a link has %s is not shown', async (_where, address, shown) => {
  const url = await withPactAt(address);
  await expect(fetchPacts({ url }, 'plant store', access)).rejects.toThrow(
    `the broker at ${url} gave nothing to verify: ${url}${shown} is not a pact: `,
  );
});
