import { startProxy } from 'plant-store-contract/proxy';
import { reporters } from 'plant-store-contract/reporters';
import { type FaultName, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { proxySettings } from '../../src/proxy/options.js';
import { reportOf } from '../../src/proxy/report.js';
import { TrafficCounts } from '../../src/proxy/traffic-counts.js';
import { Redactor } from '../../src/report/redaction.js';
import { schemaErrors } from '../report/formats/schema.js';
import { elementsOf, parseXml } from '../report/formats/xml.js';

/** The report on traffic that was counted like this. */
function counted(
  failOn: 'response' | 'request' | 'both',
  request: [number, number],
  response: [number, number],
) {
  const counts = new TrafficCounts();
  Object.assign(counts.judgedSides, { request: request[0], response: response[0] });
  Object.assign(counts.errors, { request: request[1], response: response[1] });
  const settings = proxySettings({ upstream: 'http://localhost', failOn });
  return reportOf(settings, counts, new Redactor(), new Date());
}

async function sent(bodies: readonly string[], faults: FaultName[] = [], failOn?: 'both') {
  const store = await startPlantStore({ token: 'secret', faults });
  const proxy = await startProxy({ upstream: store.url, ...(failOn !== undefined && { failOn }) });
  onTestFinished(async () => {
    await proxy.close();
    await store.close();
  });
  const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
  for (const body of bodies) await fetch(`${proxy.url}/plants`, { method: 'POST', headers, body });
  return proxy.report();
}

describe('the conclusion', () => {
  test.for<
    readonly [
      conclusion: string,
      failOn: 'response' | 'request' | 'both',
      requests: [judged: number, violations: number],
      responses: [judged: number, violations: number],
      summary: string,
    ]
  >([
    [
      'conforms',
      'response',
      [2, 1],
      [2, 0],
      '0 violations in responses, 1 violation in requests (not counted).',
    ],
    ['does-not-conform', 'both', [2, 1], [2, 0], '0 violations in responses, 1 violation in requests.'],
    [
      'does-not-conform',
      'response',
      [0, 0],
      [1, 2],
      '2 violations in responses, no request was judged (not counted).',
    ],
    ['incomplete', 'both', [2, 0], [0, 0], 'No response was judged, 0 violations in requests.'],
    [
      'not-testable',
      'response',
      [2, 1],
      [0, 0],
      'Nothing that counts was judged: no POST …/plants arrived, or none got a response.',
    ],
    [
      'not-testable',
      'request',
      [0, 0],
      [2, 1],
      'Nothing that counts was judged: no POST …/plants arrived, or none got a response.',
    ],
  ])('%s with failOn %s: requests %j, responses %j', ([conclusion, failOn, requests, responses, summary]) => {
    expect(counted(failOn, requests, responses)).toMatchObject({ conclusion, summary });
  });
});

describe('the report', () => {
  test('has a case for each side, and evidence for each kind of violation', async () => {
    const report = await sent(
      ['{"name":"Aloe","id":9007199254740993}', '{"name":"Aloe","id":2}', '{"id":1}'],
      ['leaks-id'],
    );
    expect(report).toMatchObject({ conclusion: 'does-not-conform', counts: { fail: 2 } });
    expect(report.groups[0]?.cases).toMatchObject([
      {
        id: 'Every response conforms.',
        verdict: 'fail',
        evidence: [{ where: 'body /id', count: 2, finding: 0 }],
      },
      {
        id: 'Every request conforms.',
        verdict: 'fail',
        excuse: { kind: 'not-counted', reason: 'only violations in responses count' },
        evidence: [{ where: 'body /name', finding: 1 }],
      },
    ]);
    expect(report.findings.map(({ title, cases }) => [title, ...cases])).toEqual([
      ['response /id: a Plant has no field "id"; got 9007199254740993', 'Every response conforms.'],
      ['request /name: "name" is missing; a NewPlant requires it', 'Every request conforms.'],
    ]);
    expect(report.remarks).toEqual([
      'The proxy forwarded 3 requests; 0 got no response. Of 3 to POST …/plants, it judged 3 requests and 3 responses.',
    ]);
  });

  test('follows the schema', async () => {
    const reports = [
      await sent([]),
      await sent(['{"name":"Aloe","id":2}', '{"id":1}'], ['leaks-id'], 'both'),
    ];
    expect(reports.map(schemaErrors)).toEqual([[], []]);
  });

  test('says why requests got no response, and could not be read', () => {
    const counts = new TrafficCounts();
    counts.ended('no response: connect ECONNREFUSED');
    counts.ended('the response cannot be forwarded: it has a-token-of-a-client');
    const secrets = new Redactor([{ value: 'a-token-of-a-client' }]);
    counts.unreadable.add('Invalid method');
    const report = reportOf(proxySettings({ upstream: 'http://localhost' }), counts, secrets, new Date());
    expect(report.sections).toMatchObject([
      {
        title: 'Requests without a response',
        items: [
          '1 × no response: connect ECONNREFUSED',
          '1 × the response cannot be forwarded: it has [redacted]',
        ],
      },
      { title: 'Rejected requests', items: ['1 × Invalid method'] },
    ]);
  });

  test('as text', async () => {
    const report = await sent(['{"name":"Aloe","id":7}', '{"id":1}'], ['leaks-id']);
    const text = reporters.text({ ...report, subject: 'traffic to http://localhost', durationMs: 10 });
    expect(text.replaceAll(report.upstream, 'http://localhost')).toMatchInlineSnapshot(`
      "traffic to http://localhost (interface 1.0.0)

      1. response /id: a Plant has no field "id"; got 7
         Case: Every response conforms.
           where      body /id
           expected   only the fields "name" and "tag"
           got        7

      - request /name: "name" is missing; a NewPlant requires it (not counted: only
        violations in responses count)

      does not conform: 1 fail, 1 failure that does not count in 0.01 s
      1 violation in responses, 1 violation in requests (not counted).
      The proxy forwarded 2 requests; 0 got no response. Of 2 to POST …/plants, it
      judged 2 requests and 2 responses.
      "
    `);
  });

  test('as JUnit', async () => {
    const [nothing] = elementsOf(parseXml(reporters.junit(await sent([]))), 'testsuite');
    expect(nothing?.attributes).toMatchObject({ tests: '2', errors: '1', skipped: '1' });
    const report = await sent(['{"name":"Aloe","id":7}', '{"id":1}'], ['leaks-id']);
    const [suite] = elementsOf(parseXml(reporters.junit(report)), 'testsuite');
    expect(suite?.attributes).toMatchObject({ tests: '2', failures: '1', skipped: '1', errors: '0' });
  });
});
