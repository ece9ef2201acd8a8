import { type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { isBroken } from '../../../src/report/conclusion.js';
import { evidenceOf, probeOf } from '../evidence.js';
import { type Passing, refuse, startInFront } from '../providers/in-front.js';

const token = 'token-of-these-tests';

function broken({ rules }: CheckReport): string[] {
  return rules.filter(isBroken).map(({ id }) => id);
}

/** Checks the reference server behind a handler that responds to some requests itself. */
async function checked(handle: (passing: Passing) => unknown): Promise<CheckReport> {
  await using provider = await startInFront({ token }, handle);
  return await checkConformance({ baseUrl: provider.url, token, prism: false, timeoutMs: 2_000 });
}

/** Responds to the requests that are meant with a status, or closes the connection. */
function failing(isMeant: (passing: Passing) => unknown, status: number | 'reset') {
  return (passing: Passing) => {
    if (!isMeant(passing)) return passing.pass();
    return status === 'reset' ? passing.response.destroy() : refuse(passing.response, status);
  };
}

describe('a valid plant that is not processed fails', () => {
  const rule = 'success/valid-plant-is-processed';

  test.each<[string, string, (passing: Passing) => unknown]>([
    ['in chunks', 'chunked-body', ({ request }) => request.headers['transfer-encoding']],
    ['with a query', 'query', ({ request }) => request.url?.includes('colour')],
    ['with an unknown field', 'unknown-field', ({ body }) => body.includes('"colour":"green"')],
    ['with another string', 'strings/name-emoji', ({ body }) => /"name":"[^"]*🇧🇷/.test(body.toString())],
    ['with a tag', 'strings/tag-emoji', ({ body }) => /"tag":"[^"]*🇧🇷/.test(body.toString())],
    ['with a large id', 'id-at-upper-end', ({ body }) => body.includes('9223372036854775807}')],
  ])('%s', async (_what, probe, isMeant) => {
    for (const status of [500, 'reset'] as const) {
      const report = await checked(failing(isMeant, status));
      expect(broken(report)).toEqual([rule]);
      expect(evidenceOf(report, rule).map((one) => probeOf(report, one))).toContain(probe);
    }
  });

  test('after wrong tokens: a lockout is a 4xx', async () => {
    let isLocked = false;
    const report = await checked((passing) => {
      isLocked ||= passing.request.headers.authorization?.startsWith('Bearer wrong') === true;
      return isLocked ? refuse(passing.response, 500) : passing.pass();
    });
    const probes = evidenceOf(report, rule).map((one) => probeOf(report, one));
    expect(probes).toContain('plain-plant-after-wrong-tokens');
  });

  test('if it gets 503 every time, which is then no limit, and nothing else fails because of that', async () => {
    const report = await checked(failing(({ body }) => body.includes('"colour":"green"'), 503));
    expect(broken(report)).toEqual([rule]);
  });
});

describe('no rule fails for a response', () => {
  test.each<[string, (passing: Passing) => unknown, number]>([
    ['411 to chunks', ({ request }) => request.headers['transfer-encoding'], 411],
    ['502 to a body of more than 64 KiB', ({ body }) => body.length > 65_536, 502],
    ['400 to chunks', ({ request }) => request.headers['transfer-encoding'], 400],
    ['500 to a byte-order mark', ({ body }) => body[0] === 0xef, 500],
    ['500 to another charset', ({ request }) => /utf-16/.test(request.headers['content-type'] ?? ''), 500],
    ['500 to malformed UTF-8', ({ body }) => body.includes(Buffer.from([0xe9, 0x22])), 500],
    ['500 to half a surrogate pair', ({ body }) => body.includes('\\ud800"'), 500],
    ['500 to an id with a fraction of zero', ({ body }) => /"id":\d{1,18}\.0\}/.test(body.toString()), 500],
    ['500 to NaN in an unknown field', ({ body }) => body.includes('"colour":NaN'), 500],
    ['500 to gzip', ({ request }) => request.headers['content-encoding'], 500],
  ])('of %s', async (_what, isMeant, status) => {
    const report = await checked(failing(isMeant, status));
    expect(broken(report)).toEqual([]);
    expect(report.conclusion).toBe('conforms');
  });

  test('to two Authorization headers: a server may respond before the provider sees them', async () => {
    const report = await checked(({ request, response, pass }) => {
      const names = request.rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
      if (names.filter((name) => name === 'authorization').length < 2) return pass();
      response.writeHead(400, { 'content-type': 'text/html' }).end('<h1>400 Bad Request</h1>');
    });
    expect(report.conclusion).toBe('conforms');
    expect(report.rules.find(({ id }) => id === 'unspecified/two-authorizations')?.behaviour?.value).toBe(
      '400',
    );
  });
});

describe('an id that may exist', () => {
  const toEnd = ({ body }: Passing) => body.includes('9223372036854775807}');

  test('excuses a 500 if duplicate ids get a 500', async () => {
    const ids = new Set<string>();
    const report = await checked((passing) => {
      const id = /"id":(\d+)\}$/.exec(passing.body.toString())?.[1];
      const isDuplicate = toEnd(passing) || (id !== undefined && ids.has(id));
      if (id !== undefined && passing.request.headers.authorization === `Bearer ${token}`) ids.add(id);
      return isDuplicate ? refuse(passing.response, 500) : passing.pass();
    });
    expect(evidenceOf(report, 'success/valid-plant-is-processed')).toEqual([]);
  });
});
