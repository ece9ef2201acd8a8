import { describe, expect, test } from 'vitest';
import { drawKeys } from '../../../src/conformance/families/keys/explore.js';
import { missingMembers } from '../../../src/conformance/families/keys/missing.js';
import { escapedKeys, unknownMembers } from '../../../src/conformance/families/keys/unknown.js';
import { bodiesOf, drawn, requestsOf, textOf } from './drawn.js';

/** The field that a body misses, by its own members. */
function missingIn(body: string): string | undefined {
  const parsed = JSON.parse(body);
  return ['name', 'id'].find((key) => !Object.hasOwn(parsed, key));
}

describe('plants with a member under a wrong key', () => {
  test.each(missingMembers)('$name', (draft) => {
    const [body = ''] = bodiesOf(draft);
    expect(draft.rules).toEqual([`request/${missingIn(body)}-is-required`]);
    expect(draft.expectation).toBe('rejected');
  });
});

describe('plants with unknown members, or with escapes in keys', () => {
  test.each([...escapedKeys, ...unknownMembers])('$name', (draft) => {
    const [request] = requestsOf(draft);
    const { name, id, tag, ...others } = JSON.parse(textOf(request));
    expect(request?.plant).toEqual(tag === undefined ? { name, id } : { name, id, tag });
    expect(Object.keys(others).length > 0).toBe(draft.expectation !== 'created' || draft.requests.length > 1);
  });

  test('the second plant has the id that was under other keys before', () => {
    const draft = unknownMembers.find(({ name }) => name === 'keys/other-id-beside');
    const [first, second, again] = (draft === undefined ? [] : bodiesOf(draft)).map((body) =>
      JSON.parse(body),
    );
    expect([first.ID, first.Id, first._id]).toEqual([second.id, second.id, second.id]);
    expect(again.id).toBe(first.id);
    expect(second.id).toBeLessThan(2 ** 31);
  });
});

describe('drawn keys', () => {
  const drafts = drawn(drawKeys);

  test('are classified as JSON.parse reads them', () => {
    for (const draft of drafts) {
      const [body = ''] = bodiesOf(draft);
      const missing = missingIn(body);
      expect(draft.expectation === 'rejected', body).toBe(missing !== undefined);
      if (missing !== undefined) expect(draft.rules).toEqual([`request/${missing}-is-required`]);
    }
  });

  test('are of every kind', () => {
    const kinds = new Set(
      drafts.flatMap(({ rules, expectation }) => rules.map((rule) => `${expectation} ${rule}`)),
    );
    expect([...kinds]).toEqual(
      expect.arrayContaining([
        'open request/unknown-members-change-nothing',
        'open success/tag-comes-back',
        'created request/unknown-members-change-nothing',
        'rejected request/name-is-required',
        'rejected request/id-is-required',
      ]),
    );
  });
});
