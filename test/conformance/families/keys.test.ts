import { describe, expect, test } from 'vitest';
import { probeFrom } from '../../../src/conformance/families/draft.js';
import { drawKeys } from '../../../src/conformance/families/keys/explore.js';
import { missingMembers } from '../../../src/conformance/families/keys/missing.js';
import { escapedKeys, unknownMembers } from '../../../src/conformance/families/keys/unknown.js';
import { freshValues } from '../../../src/conformance/sending/fresh-values.js';
import { bodiesOf, drawn, misjudged } from './drawn.js';

/** The field that a body misses, by its own members. */
function missingIn(body: string): string | undefined {
  const parsed = JSON.parse(body);
  return ['name', 'id'].find((key) => !Object.hasOwn(parsed, key));
}

describe('plants with a member under a wrong key', () => {
  test.each(missingMembers.map((draft) => [draft.name, draft] as const))('%s', (_, draft) => {
    const [body = ''] = bodiesOf(draft);
    expect(draft.rules).toEqual([`request/${missingIn(body)}-is-required`]);
    expect(draft.expectation).toBe('rejected');
  });
});

describe('plants with unknown members, or with escapes in keys', () => {
  test.each([...escapedKeys, ...unknownMembers].map((draft) => [draft.name, draft] as const))(
    '%s',
    (_, draft) => {
      const [request] = probeFrom(draft).requests(freshValues('any-token'));
      const { name, id, tag, ...others } = JSON.parse(Buffer.from(request?.body ?? []).toString());
      expect(request?.plant).toEqual(tag === undefined ? { name, id } : { name, id, tag });
      expect(Object.keys(others).length > 0).toBe(
        draft.expectation !== 'created' || draft.requests.length > 1,
      );
    },
  );

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

  test('get what they expect from the reference server', async () => {
    expect(await misjudged(drafts)).toEqual([]);
  });

  test.each([
    'ignores-case-of-keys',
    'trims-keys',
    'cuts-keys-at-nul',
    'normalises-keys',
    'finds-nested-fields',
  ] as const)('show the fault %s', async (fault) => {
    expect(await misjudged(drawn(drawKeys, 1_500), [fault])).not.toEqual([]);
  });
});
