import { type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { casesOf } from 'plant-store-contract/reporters';
import { type FaultName, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { reportOn, token } from '../../reporters/reports.js';
import { evidenceOf } from '../evidence.js';
import { startHandler } from '../providers/handler.js';
import { refuse, startInFront } from '../providers/in-front.js';

describe('failures with one cause', () => {
  test.each<[FaultName, string]>([
    ['answers-html-errors', 'framework-error-page'],
    ['answers-problem-json', 'framework-error-page'],
    ['answers-empty-errors', 'framework-error-page'],
    ['redirects-to-login', 'login-page'],
    ['resets-on-malformed-json', 'no-response'],
    ['rounds-ids', 'id-through-a-double'],
    ['wraps-ids', 'id-in-32-bits'],
    ['refuses-large-ids', 'id-in-32-bits'],
    ['leaks-id', 'record-is-serialised-whole'],
    ['answers-range', 'range-of-a-creation'],
    ['renders-null-tag', 'absent-tag-is-null'],
    ['turns-name-into-text', 'types-are-converted'],
    ['accepts-null-tag', 'null-counts-as-missing'],
    ['accepts-any-token', 'token-is-not-verified'],
    ['loses-astral-characters', 'wrong-charset'],
    ['answers-latin-1', 'wrong-charset'],
    // If no cause of several failures is known, the finding is that of the rule.
    ['requires-tag', 'success/tag-is-optional'],
    ['races-equal-ids', 'state/equal-ids-side-by-side'],
  ])('of the fault %s are the finding %s', async (fault, finding) => {
    const report = await reportOn([fault]);
    expect(report.findings.map(({ id }) => id)).toEqual([finding]);
    const [found] = report.findings;
    expect(found?.title).toMatch(/^[A-Zn].*\.$/);
    expect(found?.fix).toMatch(/^.*\.$/);
    const failing = report.rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect([...(found?.cases ?? [])].sort()).toEqual(failing.sort());
  });

  test('name the framework that returned them', async () => {
    await using provider = await startInFront({ token }, ({ body, response, pass }) => {
      if (!body.includes('"name":true')) return pass();
      response.writeHead(422, { 'content-type': 'application/json' });
      response.end('{"statusCode":422,"error":"Unprocessable Entity","message":"body/name must be string"}');
    });
    const report = await checkConformance({ baseUrl: provider.url, token, prism: false });
    expect(report.findings[0]?.title).toBe('Failures are the default responses of Fastify, not Errors.');
  });

  test('name their finding', async () => {
    const report = await reportOn(['leaks-id', 'answers-html-errors']);
    for (const { id, evidence } of casesOf(report)) {
      for (const { finding } of evidence) expect(report.findings[finding]?.cases).toContain(id);
    }
  });
});

describe('a failure', () => {
  test('that does not repeat is intermittent', async () => {
    let asked = 0;
    await using provider = await startInFront({ token }, ({ body, response, pass }) => {
      if (!body.includes('"id":null') || asked++ > 0) return pass();
      return refuse(response, 500);
    });
    const report = await checkConformance({ baseUrl: provider.url, token, prism: false });
    const [failure] = evidenceOf(report, 'failure/refusal-is-4xx');
    expect(failure).toMatchObject({ repeated: 'intermittent' });
    const attempts = report.exchanges.filter(({ name }) => name === 'id-is-null');
    expect(attempts.map(({ role, response }) => [role, response?.status])).toEqual([
      ['superseded', 500],
      ['judged', 400],
    ]);
  });

  test('points to its exchanges: the whole sequence up to the exchange that fails', async () => {
    const report = await reportOn(['rounds-ids']);
    const [failure] = evidenceOf(report, 'request/ids-are-exact');
    const statuses = failure?.exchanges?.map((at) => report.exchanges[at]?.response?.status);
    expect(statuses).toEqual([200, 400]);
  });
});

describe("Prism's opinion", () => {
  const limits = ({ prism }: CheckReport) =>
    prism?.differences.map(({ limit, objects }) => `${objects}: ${limit}`);

  test('of a conforming provider differs in int64 only, and the report says so once', async () => {
    const report = await reportOn([]);
    expect(limits(report)).toEqual(['prism: int64-is-clamped']);
    expect(report.prism?.differences[0]?.exchanges.length).toBeGreaterThan(2);
  });

  test.each<[FaultName, string[]]>([
    ['leaks-id', ['rules: further-fields']],
    ['answers-problem-json', ['rules: json-suffix']],
    ['accepts-any-token', ['rules: tokens-are-not-known']],
    ['lower-cases-name', ['rules: messages-are-judged-alone']],
    ['answers-latin-1', ['rules: bytes-are-not-seen']],
    ['answers-500', ['rules: undocumented-statuses']],
    ['omits-name', []],
    // No rule judges the response to a duplicate id, and the like.
    ['answers-201', ['prism: left-open']],
    ['omits-message', []],
    ['accepts-null-tag', []],
  ])('of the fault %s differs for known reasons: %j', async (fault, expected) => {
    expect(limits(await reportOn([fault]))?.sort()).toEqual(['prism: int64-is-clamped', ...expected].sort());
  });

  test('is left out if the option "prism" is false', async () => {
    await using store = await startPlantStore({ token });
    const report = await checkConformance({ baseUrl: store.url, token, prism: false, quick: true });
    expect(report).not.toHaveProperty('prism');
  });
});

describe('a mock that returns examples', () => {
  test('is the likely cause of the failures', async () => {
    await using provider = await startHandler((request, response) => {
      request.resume().on('end', () => {
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"name":"string","tag":"string"}');
      });
    });
    const report = await checkConformance({ baseUrl: provider.url, token, prism: false });
    expect(report.findings[0]).toMatchObject({
      id: 'response-is-an-example',
      isLikelyCause: true,
      cases: [
        'success/name-comes-back',
        'success/tag-comes-back',
        'success/texts-come-back',
        'success/absent-tag-stays-absent',
      ],
    });
  });
});
