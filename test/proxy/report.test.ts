import { startProxy } from 'plant-store-contract/proxy';
import { reporters } from 'plant-store-contract/reporters';
import { startPlantStore } from 'plant-store-contract/server';
import { expect, onTestFinished, test } from 'vitest';
import { TrafficCounts } from '../../src/proxy/report.js';
import { ViolationKinds } from '../../src/proxy/violation-kinds.js';
import type { TrafficViolation } from '../../src/validation/exchange.js';
import { type AnyFaultName, faultsNamed } from '../conformance/faults/index.js';
import { schemaErrors } from '../report/formats/schema.js';

type FailOn = 'response' | 'request' | 'both';

const PLANT = '{"name":"Aloe","id":7}';

/** The report on these requests. */
async function sent(bodies: readonly string[], faults: AnyFaultName[] = [], failOn: FailOn = 'response') {
  const store = await startPlantStore({ token: 'secret', faults: faultsNamed(...faults) });
  const proxy = await startProxy({ upstream: store.url, failOn });
  onTestFinished(async () => {
    await proxy.close();
    await store.close();
  });
  const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
  for (const body of bodies)
    await fetch(`${proxy.url}/plants`, { method: 'POST', headers, body }).catch(() => {});
  await fetch(proxy.url).catch(() => {});
  return proxy.report();
}

const NOTHING = 'Nothing that counts was judged: no POST …/plants arrived, or none got a response.';

test.for<
  readonly [body: string | undefined, fault: AnyFaultName, FailOn, conclusion: string, summary: string]
>([
  [
    ...(['{"id":7}', 'answers-201', 'response', 'conforms'] as const),
    '0 violations in responses, 1 violation in requests (not counted).',
  ],
  [
    ...(['{"id":7}', 'answers-201', 'both', 'does-not-conform'] as const),
    '0 violations in responses, 1 violation in requests.',
  ],
  [
    ...([PLANT, 'answers-201', 'request', 'conforms'] as const),
    '1 violation in responses (not counted), 0 violations in requests.',
  ],
  [
    ...([PLANT, 'answers-201', 'both', 'does-not-conform'] as const),
    '1 violation in responses, 0 violations in requests.',
  ],
  [PLANT, 'dies-at-request-60', 'both', 'conforms', '0 violations in responses, 0 violations in requests.'],
  // How a wrong request fails is not shown, so its missing response says nothing.
  ['{"name"', 'resets-on-malformed-json', 'response', 'not-testable', NOTHING],
  [
    ...(['{"name"', 'resets-on-malformed-json', 'both', 'does-not-conform'] as const),
    'No response was judged, 1 violation in requests.',
  ],
  [undefined, 'answers-201', 'both', 'not-testable', NOTHING],
])('%s to a provider that %s: with failOn %s, %s', async ([body, fault, failOn, conclusion, summary]) => {
  const report = await sent(body === undefined ? [] : [body], [fault], failOn);
  expect(report).toMatchObject({ conclusion, summary });
  expect(schemaErrors(report)).toEqual([]);
});

test('has a case and a finding for each kind of violation, with how many there are', async () => {
  const bodies = ['{"name":"Aloe","id":9007199254740993}', '{"name":"Aloe","id":2}', '{"id":1}'];
  const report = await sent(bodies, ['leaks-id']);
  expect(report).toMatchObject({
    conclusion: 'does-not-conform',
    counts: { fail: 2 },
    traffic: { exchanges: 4, withoutResponse: 0, judgedRequests: 3, judgedResponses: 3 },
  });
  expect(report.groups[0]?.cases).toMatchObject([
    {
      id: 'response body /id: additionalProperties',
      verdict: 'fail',
      evidence: [{ where: 'body /id', count: 2, finding: 0 }],
    },
    {
      id: 'request body /name: required',
      verdict: 'fail',
      excuse: { kind: 'not-counted', reason: 'only violations in responses count' },
    },
  ]);
  const text = reporters.text({ ...report, subject: 'traffic to http://localhost', durationMs: 10 });
  expect(text.replaceAll(report.upstream, 'http://localhost')).toMatchInlineSnapshot(`
    "traffic to http://localhost (interface 1.0.0)

    1. response /id: a Plant has no field "id"; got 9007199254740993
       Case: response body /id: additionalProperties
         sent       POST /plants {"name":"Aloe","id":9007199254740993}, response 200
                    {"name":"Aloe","id":9007199254740993}
         where      body /id
         expected   only the fields "name" and "tag"
         got        9007199254740993 (2 times)

    - request /name: "name" is missing; a NewPlant requires it (not counted: only
      violations in responses count)

    does not conform: 1 fail, 1 failure that does not count in 0.01 s
    2 violations in responses, 1 violation in requests (not counted).
    The proxy forwarded 4 requests; 0 got no response. Of POST …/plants, it judged 3
    requests and 3 responses.
    "
  `);
});

const violation = (side: TrafficViolation['side'], pointer: string, severity = 'error') =>
  ({
    side,
    severity,
    part: 'body',
    pointer,
    keyword: 'type',
    message: `${pointer} is wrong`,
    expected: 'a string',
    actual: '7',
  }) as TrafficViolation;

test('kinds: errors first, then those of responses, then the most frequent', () => {
  const kinds = new ViolationKinds();
  const twice = violation('response', '/d');
  const others = [violation('response', '/c'), violation('response', '/d', 'warning'), twice, twice];
  for (const one of [violation('request', '/b'), ...others]) kinds.add(one);
  expect(kinds.sorted().map(({ pointer, severity, count }) => [pointer, severity, count])).toEqual([
    ['/d', 'error', 2],
    ['/c', 'error', 1],
    ['/b', 'error', 1],
    ['/d', 'warning', 1],
  ]);
});

test('of thousands of kinds, the report lists the first 200, and an error after them still counts', () => {
  const kinds = new ViolationKinds();
  for (let at = 0; at < 1_000; at++) kinds.add(violation('response', `/${at}`, 'warning'));
  kinds.add(violation('response', '/id'));
  const sorted = kinds.sorted();
  expect(sorted).toHaveLength(202);
  expect(sorted[0]).toMatchObject({ pointer: '/id', severity: 'error' });
  expect(sorted[1]).toMatchObject({ pointer: '/200', severity: 'warning', count: 800 });
});

test('the most frequent reasons come first, and 50 are counted apart', () => {
  const counts = new TrafficCounts();
  for (let at = 0; at < 60; at++) counts.failed(`reason ${at}`);
  counts.failed('reason 7');
  const [others, seventh, ...rest] = counts.failures();
  expect([others, seventh]).toEqual(['10 × other reasons', '2 × reason 7']);
  expect(rest).toHaveLength(49);
});
