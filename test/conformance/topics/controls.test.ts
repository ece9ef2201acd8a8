import type { CheckReport } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { answer, brokenIn, checkBehind, type Passing } from '../checks.js';

function verdictOf(report: CheckReport, id: string): unknown {
  return report.rules.find((rule) => rule.id === id);
}

describe('controls', () => {
  const TAGS = ['success/tag-is-optional', 'request/tag-is-a-string', 'request/name-is-required'];
  const refusesTags = ({ body, pass }: Passing) =>
    body.includes('"tag":"succulent"') ? answer(422) : pass();

  test('a control that is rejected once is sent again with another id', async () => {
    let requests = 0;
    const report = await checkBehind(({ pass }) => (++requests === 1 ? answer(409) : pass()), {
      only: TAGS,
    });
    expect(report).toConform();
    const tried = report.exchanges.filter(({ name }) => name === 'plain-plant');
    expect(tried.map(({ role }) => role)).toEqual(['superseded', 'judged', 'confirmation']);
    expect(tried[0]?.request.body.text).not.toBe(tried[1]?.request.body.text);
  });

  test('if tags are rejected, every rule that needs a plant with a tag is blocked, and the reason names it', async () => {
    const report = await checkBehind(refusesTags, { only: TAGS });
    expect(verdictOf(report, 'success/tag-is-optional')).toMatchObject({ verdict: 'fail' });
    expect(verdictOf(report, 'request/tag-is-a-string')).toMatchObject({
      verdict: 'blocked',
      detail: 'its control was not accepted: a plain plant with a tag',
    });
    expect(verdictOf(report, 'request/name-is-required')).toMatchObject({ verdict: 'pass' });
  });

  test('if negative ids are rejected, only the upper end of int64 is judged', async () => {
    const report = await checkBehind(({ body, pass }) => (body.includes('"id":-') ? answer(422) : pass()), {
      only: ['request/id-is-within-int64', 'unspecified/id-negative'],
    });
    expect(report).toConform();
    expect(verdictOf(report, 'request/id-is-within-int64')).toMatchObject({ verdict: 'pass' });
    expect(report.profile.behaviours).toMatchObject([
      { rule: 'unspecified/id-negative', sentence: 'A negative id returns 422.', value: '422' },
    ]);
  });
});

describe('a valid request that may be rejected gets 200 or a 4xx', () => {
  test('a 5xx for a string is a failure', async () => {
    const report = await checkBehind(({ body, pass }) => (body.includes('🌵') ? answer(500) : pass()), {
      only: ['success', 'failure', 'unspecified/names-refused'],
    });
    // A rejected request has such a string too.
    expect(brokenIn(report)).toEqual(['success/valid-plant-is-processed', 'failure/rare-input-is-answered']);
    const names = report.profile.behaviours.find(({ rule }) => rule === 'unspecified/names-refused');
    expect(names?.value).toBe('emoji, cut-at-255');
  });

  test('a response that is cached by name is the response to another plant', async () => {
    const cached = new Map<string, object>();
    const report = await checkBehind(
      ({ body, isAuthorised, pass }) => {
        const [, name, tag] = /^\{"name":"(Aloe\w{6})","id":\d+(?:,"tag":"(\w+)")?\}$/.exec(body) ?? [];
        if (name === undefined || !isAuthorised) return pass();
        const plant = cached.get(name);
        if (plant !== undefined) return answer(200, plant);
        cached.set(name, { name, tag });
        return pass();
      },
      { only: ['success', 'state'] },
    );
    expect(brokenIn(report)).toEqual(['success/tag-comes-back', 'success/absent-tag-stays-absent']);
  });
});
