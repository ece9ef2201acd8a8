import { checkConformance, type Report } from 'plant-store-contract/conformance';
import { type FaultName, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { startHandler } from './providers/handler.js';
import { refuse, startInFront } from './providers/in-front.js';

const token = 'token-of-these-tests';

async function reportOn(...faults: FaultName[]): Promise<Report> {
  await using store = await startPlantStore({ token, faults });
  return await checkConformance({ baseUrl: store.url, token });
}

describe('failures that have one cause are one finding', () => {
  test.each<[FaultName, string]>([
    ['answers-html-errors', 'framework-error-page'],
    ['answers-problem-json', 'framework-error-page'],
    ['answers-empty-errors', 'framework-error-page'],
    ['answers-500', 'unhandled-exception'],
    ['redirects-to-login', 'login-page'],
    ['resets-on-malformed-json', 'no-answer'],
    ['rounds-ids', 'id-through-a-double'],
    ['wraps-ids', 'id-in-32-bits'],
    ['refuses-large-ids', 'id-in-32-bits'],
    ['leaks-id', 'record-is-serialised-whole'],
    ['renders-null-tag', 'absent-tag-is-null'],
    ['turns-name-into-text', 'types-are-converted'],
    ['accepts-null-tag', 'null-counts-as-missing'],
    ['accepts-any-token', 'token-is-not-verified'],
    ['loses-astral-characters', 'wrong-charset'],
    ['answers-latin-1', 'wrong-charset'],
    // Where no cause of several is known, the finding is that of the rule.
    ['requires-tag', 'success/tag-is-optional'],
    ['races-equal-ids', 'state/equal-ids-side-by-side'],
  ])('with %s: %s', async (fault, finding) => {
    const report = await reportOn(fault);
    expect(report.findings.map(({ id }) => id)).toEqual([finding]);
    const [found] = report.findings;
    expect(found?.cause).toMatch(/^[A-Zn].*\.$/);
    expect(found?.repair).toMatch(/^.*\.$/);
    const failing = report.rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect([...(found?.rules ?? [])].sort()).toEqual(failing.sort());
  });

  test('and name the framework whose page it is', async () => {
    await using provider = await startInFront({ token }, ({ body, response, pass }) => {
      if (!body.includes('"name":true')) return pass();
      response.writeHead(422, { 'content-type': 'application/json' });
      response.end('{"statusCode":422,"error":"Unprocessable Entity","message":"body/name must be string"}');
    });
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(report.findings[0]?.cause).toBe(
      "Failures are answered with the framework's own JSON, as Fastify does by default.",
    );
  });

  test('each failure says which finding it belongs to', async () => {
    const report = await reportOn('leaks-id', 'answers-html-errors');
    for (const { id, failures } of report.rules) {
      for (const { finding } of failures) expect(report.findings[finding]?.rules).toContain(id);
    }
  });
});

describe('a failure', () => {
  test('that does not come again comes now and then', async () => {
    let asked = 0;
    await using provider = await startInFront({ token }, ({ body, response, pass }) => {
      if (!body.includes('"id":null') || asked++ > 0) return pass();
      return refuse(response, 500);
    });
    const report = await checkConformance({ baseUrl: provider.url, token });
    const [failure] = report.rules.find(({ id }) => id === 'failure/refusal-is-4xx')?.failures ?? [];
    expect(failure).toMatchObject({ again: 'now-and-then', curl: [] });
    const confirmed = report.exchanges.filter(({ role }) => role === 'confirmation');
    expect(confirmed.map(({ response }) => response?.status)).toEqual([400]);
  });

  test('points to its exchanges, the whole sequence up to the one that fails', async () => {
    const report = await reportOn('rounds-ids');
    const [failure] = report.rules.find(({ id }) => id === 'request/ids-are-exact')?.failures ?? [];
    const statuses = failure?.exchanges.map((at) => report.exchanges[at]?.response?.status);
    expect(statuses).toEqual([200, 400]);
  });
});

describe("Prism's opinion", () => {
  const limits = ({ prism }: Report) =>
    prism?.differences.map(({ limit, objects }) => `${objects}: ${limit}`);

  test('of a provider that conforms differs by int64 only, which is said once', async () => {
    const report = await reportOn();
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
    // Of a repeated id and the like no rule says what it gets.
    ['answers-201', ['prism: left-open']],
    ['omits-message', []],
    ['accepts-null-tag', []],
  ])('misses what %s breaks for a known reason: %j', async (fault, expected) => {
    expect(limits(await reportOn(fault))?.sort()).toEqual(['prism: int64-is-clamped', ...expected].sort());
  });

  test('is left out where it is not wanted', async () => {
    await using store = await startPlantStore({ token });
    expect(await checkConformance({ baseUrl: store.url, token, prism: false })).not.toHaveProperty('prism');
  });
});

describe('a mock of examples', () => {
  test('is told to be one', async () => {
    await using provider = await startHandler((request, response) => {
      request.resume().on('end', () => {
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"name":"string","tag":"string"}');
      });
    });
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(report.findings[0]).toMatchObject({
      id: 'answer-is-an-example',
      rules: [
        'success/name-comes-back',
        'success/tag-comes-back',
        'success/texts-come-back',
        'success/absent-tag-stays-absent',
      ],
    });
  });
});
