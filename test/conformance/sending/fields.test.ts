import { checkConformance } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { startHandler } from '../providers/handler.js';

const token = 'token-of-these-tests';

/** The names of the fields that a request has more than once. */
function repeatedIn(rawHeaders: readonly string[]): string[] {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
}

test('no request has a field twice, but for the one with two tokens', async () => {
  const repeated: string[] = [];
  await using store = await startPlantStore({ token });
  await using provider = await startHandler(async (request, response) => {
    repeated.push(...repeatedIn(request.rawHeaders));
    const body = Buffer.concat(await request.toArray());
    const {
      host,
      connection,
      'content-length': length,
      'transfer-encoding': coding,
      ...headers
    } = request.headers;
    const answer = await fetch(`${store.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  const headers = [['User-Agent', 'an agent of the user']] as const;
  await checkConformance({ baseUrl: provider.url, token, headers, prism: false });
  expect(repeated).toEqual(['authorization']);
});
