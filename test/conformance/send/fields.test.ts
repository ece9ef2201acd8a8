import { checkConformance } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import type { ProbeRequest } from '../../../src/conformance/exchange.js';
import { fieldsOf } from '../../../src/conformance/send/pieces.js';
import { type Fields, headerValues } from '../../../src/http/fields.js';
import { startInFront } from '../providers/in-front.js';

const token = 'token-of-these-tests';

/** The names of the fields that a request has more than once. */
function repeatedIn(rawHeaders: readonly string[]): string[] {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
}

test('no request has a field twice, but for the one with two tokens', async () => {
  const repeated: string[] = [];
  await using provider = await startInFront({ token }, ({ request, pass }) => {
    repeated.push(...repeatedIn(request.rawHeaders));
    return pass();
  });
  const headers = [
    ['User-Agent', 'an agent of the user'],
    ['Cookie', 'of=the-user'],
  ] as const;
  await checkConformance({ baseUrl: provider.url, token, headers, prism: false });
  expect(repeated).toEqual(['authorization']);
});

test('all cookies are in one field: those of a probe, and those of the user', () => {
  const url = new URL('http://localhost/plants');
  const request: ProbeRequest = {
    headers: [
      ['Cookie', 'a=1'],
      ['X', 'y'],
    ],
    body: Buffer.from('{}'),
  };
  const fields = fieldsOf({ url, headers: [['cookie', 'b=2']] }, request);
  expect(headerValues(fields, 'cookie')).toEqual(['a=1; b=2']);
});

describe('a User-Agent', () => {
  const url = new URL('http://localhost/plants');
  const request: ProbeRequest = { headers: [['user-agent', 'aloe/1']], body: Buffer.from('{}') };
  const agents = (sent: ProbeRequest, headers: Fields = []): readonly string[] =>
    headerValues(fieldsOf({ url, headers }, sent), 'user-agent');

  test('is the one of the request, of the user, or ours', () => {
    expect(agents({ ...request, headers: [] })).toEqual(['plant-store-contract']);
    expect(agents({ ...request, headers: [] }, [['User-Agent', 'given/1']])).toEqual(['given/1']);
    expect(agents(request, [['User-Agent', 'given/1']])).toEqual(['aloe/1']);
  });
});
