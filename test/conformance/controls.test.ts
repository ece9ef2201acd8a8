import { checkConformance, type Report } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { refuse, startInFront } from './providers/in-front.js';

const token = 'token-of-these-tests';

function verdictOf(report: Report, id: string): unknown {
  return report.rules.find((rule) => rule.id === id);
}

describe('controls', () => {
  test('a control that is refused once is tried again with another id', async () => {
    let refused = false;
    await using provider = await startInFront({ token }, ({ response, pass }) => {
      if (refused) return pass();
      refused = true;
      return refuse(response, 409);
    });
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(report.conclusion).toBe('conforms');
    const tried = report.exchanges.filter(({ probe }) => probe === 'plain-plant');
    expect(tried.map(({ role }) => role)).toEqual(['superseded', 'judged']);
    expect(tried[0]?.request.body.text).not.toBe(tried[1]?.request.body.text);
  });

  test('where tags are refused, what rests on a plant with a tag is blocked and says on what', async () => {
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

  test('a bad request that is accepted is a failure, control or not', async () => {
    await using provider = await startInFront({ token }, ({ body, response, pass }) => {
      if (body.includes('"tag":"succulent"')) return refuse(response, 422);
      if (!body.includes('"tag":7')) return pass();
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"Aloe","tag":"7"}');
    });
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(verdictOf(report, 'request/tag-is-a-string')).toMatchObject({ verdict: 'fail' });
  });

  test('where negative ids are refused, the lower end of int64 does not apply, and the upper still does', async () => {
    await using provider = await startInFront({ token }, ({ body, response, pass }) =>
      body.includes('"id":-') ? refuse(response, 422) : pass(),
    );
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(report.conclusion).toBe('conforms');
    expect(verdictOf(report, 'request/id-is-within-int64')).toMatchObject({ verdict: 'pass' });
    const only = await checkConformance({
      ...{ baseUrl: provider.url, token, only: ['unspecified/id-negative'] },
    });
    expect(only.profile.behaviours).toEqual([
      { rule: 'unspecified/id-negative', sentence: 'A negative id is answered with 422.', value: '422' },
    ]);
  });

  test('where no large id is accepted, that one past the end is refused proves nothing', async () => {
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

  test('where a repeated id is accepted, what only its refusal shows does not apply', async () => {
    await using provider = await startInFront({ token, repeatedId: 'replace' }, ({ pass }) => pass());
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(report.conclusion).toBe('conforms');
    for (const id of [
      'request/ids-are-exact',
      'state/refused-plant-is-not-stored',
      'state/equal-ids-side-by-side',
    ])
      expect(verdictOf(report, id), id).toMatchObject({ verdict: 'not-applicable' });
  });

  test('where names must be unique, a plain name that may be taken does not fail', async () => {
    const names = new Set<string>();
    await using provider = await startInFront({ token }, ({ request, body, response, pass }) => {
      if (request.headers.authorization !== `Bearer ${token}`) return pass();
      const name = /"name":("[^"]*")/.exec(String(body))?.[1];
      if (name !== undefined && names.has(name)) return refuse(response, 409);
      if (name !== undefined) names.add(name);
      return pass();
    });
    for (let run = 0; run < 2; run++) {
      const report = await checkConformance({ baseUrl: provider.url, token });
      expect(report.rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([]);
    }
  });
});
