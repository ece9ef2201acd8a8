import { type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { refuse, startInFront } from '../providers/in-front.js';

const token = 'token-of-these-tests';

function verdictOf(report: CheckReport, id: string): unknown {
  return report.rules.find((rule) => rule.id === id);
}

describe('controls', () => {
  test('a control that is rejected once is sent again with another id', async () => {
    let wasRejected = false;
    await using provider = await startInFront({ token }, ({ response, pass }) => {
      if (wasRejected) return pass();
      wasRejected = true;
      return refuse(response, 409);
    });
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(report.conclusion).toBe('conforms');
    const tried = report.exchanges.filter(({ name }) => name === 'plain-plant');
    expect(tried.map(({ role }) => role)).toEqual(['superseded', 'judged']);
    expect(tried[0]?.request.body.text).not.toBe(tried[1]?.request.body.text);
  });

  test('if tags are rejected, every rule that needs a plant with a tag is blocked, and the reason names it', async () => {
    await using provider = await startInFront({ token }, ({ body, response, pass }) =>
      body.includes('"tag":"succulent"') ? refuse(response, 422) : pass(),
    );
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(verdictOf(report, 'success/tag-is-optional')).toMatchObject({ verdict: 'fail' });
    expect(verdictOf(report, 'request/tag-is-a-string')).toMatchObject({
      verdict: 'blocked',
      reason: 'its control was not accepted: a plain plant with a tag',
    });
    expect(verdictOf(report, 'request/name-is-required')).toMatchObject({ verdict: 'pass' });
  });

  test('an accepted invalid request is a failure, even if its control fails', async () => {
    await using provider = await startInFront({ token }, ({ body, response, pass }) => {
      if (body.includes('"tag":"succulent"')) return refuse(response, 422);
      if (!body.includes('"tag":7')) return pass();
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"Aloe","tag":"7"}');
    });
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(verdictOf(report, 'request/tag-is-a-string')).toMatchObject({ verdict: 'fail' });
  });

  test('if negative ids are rejected, only the upper end of int64 is judged', async () => {
    await using provider = await startInFront({ token }, ({ body, response, pass }) =>
      body.includes('"id":-') ? refuse(response, 422) : pass(),
    );
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(report.conclusion).toBe('conforms');
    expect(verdictOf(report, 'request/id-is-within-int64')).toMatchObject({ verdict: 'pass' });
    const only = await checkConformance({
      ...{ baseUrl: provider.url, token, only: ['unspecified/id-negative'] },
    });
    expect(only.profile.behaviours).toMatchObject([
      { rule: 'unspecified/id-negative', sentence: 'A negative id returns 422.', value: '422' },
    ]);
  });

  test('if large ids are rejected, the rejection of a larger one proves nothing', async () => {
    await using provider = await startInFront({ token }, ({ body, response, pass }) =>
      /"id":\d{10}/.test(String(body)) && !/"id":[12]\d{9}\D/.test(String(body))
        ? refuse(response, 422)
        : pass(),
    );
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(verdictOf(report, 'request/int64-ids-are-accepted')).toMatchObject({ verdict: 'fail' });
    expect(verdictOf(report, 'request/id-is-within-int64')).toMatchObject({
      verdict: 'blocked',
      reason: 'its control was not accepted: a plant whose id is just below 2^63',
    });
  });

  test('if a duplicate id is accepted, the rules that need its rejection do not apply', async () => {
    await using provider = await startInFront({ token, duplicateId: 'replace' }, ({ pass }) => pass());
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(report.conclusion).toBe('conforms');
    for (const id of [
      'request/ids-are-exact',
      'state/refused-plant-is-not-stored',
      'state/equal-ids-side-by-side',
    ])
      expect(verdictOf(report, id), id).toMatchObject({ verdict: 'not-applicable' });
  });

  test('if names must be unique, the rejection of a plain name that may exist is not a failure', async () => {
    const names = new Set<string>();
    await using provider = await startInFront({ token }, async ({ request, body, response, pass }) => {
      if (request.headers.authorization !== `Bearer ${token}`) return pass();
      const name = /"name":("[^"]*")/.exec(String(body))?.[1];
      if (name !== undefined && names.has(name)) return refuse(response, 409);
      await pass();
      if (name !== undefined && response.statusCode === 200) names.add(name);
    });
    for (let run = 0; run < 2; run++) {
      const report = await checkConformance({ baseUrl: provider.url, token });
      expect(report.rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([]);
    }
  });
});
