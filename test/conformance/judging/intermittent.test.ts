import { type CheckOptions, type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/conformance/exchange.js';
import {
  intermittentFailures,
  isFixedOrInTime,
  isInTime,
} from '../../../src/conformance/judging/intermittent.js';
import { RunRecord } from '../../../src/conformance/judging/run-record.js';
import { evidenceOf } from '../evidence.js';
import { type Passing, refuse, startInFront } from '../providers/in-front.js';
import { creation, exchange, probe, response } from '../recorded.js';

const token = 'token-of-these-tests';
const rule = 'state/no-intermittent-failures';

function plant(given: Partial<Exchange> = {}): Exchange {
  return exchange({
    request: creation,
    response: 'failure' in given ? undefined : response(200, [], '{"name":"Aloeaaaaaa"}'),
    ...given,
  });
}

const fine = plant();
const broken = plant({ response: response(500) });
const rejected = plant({ response: response(400) });
const wrong = plant({ response: response(200, [], '{"name":"Aloe"}') });
const reset = plant({ failure: { kind: 'reset', message: '' } });
const timeout = plant({ failure: { kind: 'timeout', message: '' }, shared: true });

describe('a request that timed out beside others was in time', () => {
  const alone = { ...timeout, shared: false };
  const invalid = { expectation: 'rejected' } as const;

  test.each<[string, boolean, readonly Exchange[], readonly Exchange[]]>([
    ['if it gets a response now', true, [timeout], [fine]],
    ['if it gets a 5xx now, which is no worse', true, [timeout], [broken]],
    ['if it is one of several', true, [fine, timeout], [fine, fine]],
    ['not if nothing was beside it', false, [alone], [fine]],
    ['not if it was reset', false, [{ ...reset, shared: true }], [fine]],
    ['not if it got a 5xx', false, [{ ...broken, shared: true }], [fine]],
    ['not if it fails worse now', false, [{ ...timeout, ...invalid }], [{ ...broken, ...invalid }]],
    ['not if another request of it is missing now', false, [timeout, fine], [fine]],
    ['not if another request of it gets no response', false, [timeout, fine], [fine, reset]],
  ])('%s', (_what, expected, before, after) => {
    expect(isInTime(before, after)).toBe(expected);
  });
});

describe('what the provider may do is no failure:', () => {
  const { plant: _plant, ...withoutPlant } = fine.request;

  test.each<[string, Exchange]>([
    ['a rejection of an id that may exist', { ...rejected, request: { ...fine.request, idMayExist: true } }],
    ['a rejection of what it may reject', { ...rejected, expectation: 'open' }],
    ['any body with a 201', { ...wrong, response: response(201, [], '{"name":"Aloe"}') }],
    ['any plant if none was sent to compare', { ...wrong, request: withoutPlant }],
  ])('%s', (_what, before) => {
    expect(isFixedOrInTime([before], [fine])).toBe(false);
  });

  test.each<[string, string]>([
    ['another tag', '{"name":"Aloeaaaaaa","tag":"a"}'],
    ['no plant', '[]'],
  ])('but %s is one', (_what, body) => {
    expect(isFixedOrInTime([plant({ response: response(200, [], body) })], [fine])).toBe(true);
  });
});

describe('of the failures that did not repeat', () => {
  const names = ['plain-plant', 'plain-plant-with-tag', 'id-zero'] as const;
  const recordOf = (...failed: readonly Exchange[]): RunRecord =>
    new RunRecord(
      names.map((name) => probe({ name })),
      failed.flatMap((one, at) => {
        const name = names[at] ?? 'plain-plant';
        return [
          { ...one, probe: name, role: 'superseded' as const },
          { ...fine, probe: name },
        ];
      }),
    );

  test.each<[string, readonly Exchange[], number]>([
    ['one rejection does not count', [rejected], 0],
    ['two rejections do', [rejected, rejected], 2],
    ['a 5xx beside one rejection counts alone', [rejected, broken], 1],
  ])('%s', (_what, failed, expected) => {
    expect(intermittentFailures(recordOf(...failed)).failed.size).toBe(expected);
  });

  test('the number is given among the valid requests that were processed', () => {
    const { failed, of } = intermittentFailures(
      recordOf(broken, { ...rejected, expectation: 'rejected' }, plant({ response: response(429) })),
    );
    expect([failed.size, of]).toEqual([1, 4]);
  });
});

describe('a new attempt is judged', () => {
  test.each<[string, boolean, readonly Exchange[], readonly Exchange[]]>([
    ['if a 5xx does not repeat', true, [broken], [fine]],
    ['if a reset does not repeat', true, [reset], [fine]],
    ['if a rejection does not repeat', true, [rejected], [fine]],
    ['if a wrong plant does not repeat', true, [wrong], [fine]],
    ['if a request timed out beside others', true, [timeout], [plant({ expectation: 'rejected' })]],
    ['not if the failure repeats', false, [broken], [broken]],
    ['not if it fails worse', false, [rejected], [broken]],
    ['not if nothing failed', false, [fine], [fine]],
    [
      'not if another request of it fails now',
      false,
      [broken, { ...fine, step: 1 }],
      [fine, { ...broken, step: 1 }],
    ],
    ['not if it gets no response', false, [broken], [reset]],
    [
      'if a 5xx to an invalid request does not repeat',
      true,
      [{ ...broken, expectation: 'rejected' }],
      [{ ...rejected, expectation: 'rejected' }],
    ],
    [
      'not if an invalid request was accepted',
      false,
      [{ ...fine, expectation: 'rejected' }],
      [{ ...rejected, expectation: 'rejected' }],
    ],
  ])('%s', (_what, expected, before, after) => {
    expect(isFixedOrInTime(before, after)).toBe(expected);
  });
});

describe('an earlier attempt of a valid plant', () => {
  const again = plant({ index: 1, startMs: 100 });
  const superseded = (one: Exchange, given: Partial<Exchange> = {}): Exchange => ({
    ...one,
    role: 'superseded',
    ...given,
  });

  test.each<[string, boolean, Exchange]>([
    ['with a 500', true, superseded(broken)],
    ['with a wrong plant', true, superseded(wrong)],
    ['with a single rejection: the id may exist', false, superseded(rejected)],
    ['with a reset while it was alone', true, superseded(reset)],
    ['with a reset of an idle connection', false, superseded(reset, { reusedConnection: true })],
    ['with a timeout', false, superseded(timeout)],
    ['with a 503', false, superseded(plant({ response: response(503) }))],
    ['with a 504', false, superseded(plant({ response: response(504) }))],
    ['with a 429', false, superseded(plant({ response: response(429) }))],
    [
      'with a 403, as of a firewall that limits the rate',
      false,
      superseded(plant({ response: response(403) })),
    ],
    ['that was fine', false, superseded(fine)],
  ])('%s counts: %s', (_what, counts, first) => {
    const record = new RunRecord([probe()], [first, again]);
    expect(intermittentFailures(record).failed.size).toBe(counts ? 1 : 0);
  });

  test('with a reset while others were open does not count', () => {
    const others = [3, 4].map((index) => plant({ index, probe: 'wrong-token' }));
    const record = new RunRecord([probe()], [superseded(reset), again, ...others]);
    expect(intermittentFailures(record).failed.size).toBe(0);
  });

  test('does not count if the last attempt fails too', () => {
    const record = new RunRecord([probe()], [superseded(broken), { ...broken, index: 1 }]);
    expect(intermittentFailures(record).failed.size).toBe(0);
  });
});

async function checked(
  handle: (passing: Passing) => unknown,
  options: Partial<CheckOptions> = {},
): Promise<CheckReport> {
  await using provider = await startInFront({ token }, handle);
  return await checkConformance({ baseUrl: provider.url, token, prism: false, ...options });
}

function broke({ rules }: CheckReport): string[] {
  return rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

/** Handles every n-th valid plant in another way. */
function everySoMany(many: number, handle: (passing: Passing) => unknown) {
  let seen = 0;
  return (passing: Passing) => {
    const { request, body } = passing;
    const isPlain = /^\{"name":"Aloe[a-z]{6}","id":\d{1,18}\}$/.test(body.toString());
    const isValid = isPlain && request.headersDistinct.authorization?.join() === `Bearer ${token}`;
    return isValid && ++seen % many === 0 ? handle(passing) : passing.pass();
  };
}

describe('a provider that fails now and then breaks one rule', () => {
  test.each<[string, (passing: Passing) => unknown, RegExp]>([
    [
      'with a 500',
      ({ response: answer }) => refuse(answer, 500),
      /^500 .*; intermittent \(\d+ of \d+ valid requests\)$/,
    ],
    ['with a 502', ({ response: answer }) => refuse(answer, 502), /^502 /],
    [
      'with a fresh id rejected as a duplicate',
      async ({ response: answer, body, pass }) => {
        const id = /"id":(\d+)/.exec(body.toString())?.[1];
        const message = `a plant with the "id" ${id} exists already`;
        answer
          .writeHead(400, { 'content-type': 'application/json' })
          .end(JSON.stringify({ error: 40, message }));
        void pass;
      },
      /^400 /,
    ],
  ])('%s', async (_what, handle, actual) => {
    const report = await checked(everySoMany(17, handle));
    expect(broke(report)).toEqual([rule]);
    const [failure] = evidenceOf(report, rule);
    expect(failure?.actual).toMatch(actual);
    expect(failure?.repeated).toBe('intermittent');
    expect(report.findings).toMatchObject([
      {
        title: expect.stringMatching(/^Valid plants fail intermittently \(\d+ of \d+ requests\)\.$/),
        isLikelyCause: false,
      },
    ]);
  });

  test('with half a name', async () => {
    const report = await checked(
      everySoMany(17, ({ response: answer }) => {
        answer.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"Aloe"}');
      }),
      { only: ['success', rule] },
    );
    expect(broke(report)).toEqual([rule]);
  });

  test('with a reset while it is alone', async () => {
    const report = await checked(
      everySoMany(17, ({ request }) => request.socket.destroy()),
      { concurrency: 1 },
    );
    expect(broke(report)).toEqual([rule]);
  });
});

describe('a provider breaks no rule', () => {
  test('if one random id exists', async () => {
    let isFirst = true;
    const report = await checked(
      everySoMany(9, ({ response: answer, pass }) => {
        if (!isFirst) return pass();
        isFirst = false;
        answer.writeHead(400, { 'content-type': 'application/json' });
        answer.end('{"error":40,"message":"a plant with the \\"id\\" 7 exists already"}');
      }),
    );
    expect(report.conclusion).toBe('conforms');
  });

  test('if it resets connections while others are open, and the report says how many', async () => {
    let seen = 0;
    const report = await checked(({ request, pass }) =>
      request.headers.authorization === `Bearer ${token}` && ++seen > 20 && seen <= 23
        ? request.socket.destroy()
        : pass(),
    );
    expect(report.conclusion).toBe('conforms');
    expect(report.remarks).toContainEqual(
      expect.stringMatching(/^\d+ of \d+ requests got no response and were sent again: \d resets?\.$/),
    );
  });
});
