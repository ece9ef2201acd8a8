import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../../src/conformance/exchange.js';
import { creates, inWords, judged, NONE, nothing, says, sent } from './judged.js';

/** The response to a plant, as JSON. */
function returns(
  plant: { name: string; id: number; tag?: string },
  answer: object,
  given: Partial<Exchange> = {},
) {
  return creates(plant, { response: says(200, JSON.stringify(answer)), ...given });
}

const request = (one: Exchange, given: Partial<Exchange['request']>) => ({
  ...one,
  request: { ...one.request, ...given },
});
const plain = { name: 'Aloe', id: 7 };
const tagged = { ...plain, tag: 'green' };
const other = { name: 'Aloë', id: 7, tag: 'Grün' };
const name = 'expected "name" "Aloe", as sent | "name" is "Fern"';

describe('a plain name', () => {
  const of = (one: Exchange, others: readonly Exchange[] = []) =>
    judged('success/name-comes-back', one, others);
  const wrong = returns(plain, { name: 'Fern' });

  test.each([
    ['comes back', returns(plain, plain), 'passes'],
    ['is another one', wrong, name],
    ['is another one in another 2xx', { ...wrong, response: says(201, '{"name":"Fern"}') }, name],
    ['is missing, which another rule judges', returns(plain, {}), nothing],
    ['does not come back in a rejection', returns(plain, {}, { response: says(400) }), nothing],
    ['is that of a duplicate', request(wrong, { idMayExist: true }), nothing],
    ['is that of an invalid request', { ...wrong, expectation: 'rejected' as const }, nothing],
    ['may be rejected', returns({ name: 'Aloë', id: 7 }, { name: 'Fern' }), nothing],
    ['was not sent', sent('{}', { response: says(200, '{"name":"Fern"}') }), nothing],
  ])('%s', (_what, one, expected) => {
    expect(of(one)).toBe(expected);
  });

  test('is that of another request', () => {
    const one = returns({ name: 'Aloeabcdef', id: 7 }, { name: 'Aloeuvwxyz' });
    const owner = { ...creates({ name: 'Aloeuvwxyz', id: 8 }), probe: 'plain-plant-with-tag' as const };
    expect(of(one)).toMatch(/^expected/);
    expect(of(one, [owner])).toBe(nothing);
  });
});

describe('a plain tag', () => {
  const tag = 'expected "tag" "green", as sent | "tag" is ';

  test.each([
    ['comes back', returns(tagged, tagged), 'passes'],
    ['is another one', returns(tagged, { name: 'Aloe', tag: 'red' }), `${tag}"red"`],
    ['is missing', returns(tagged, { name: 'Aloe' }), `${tag}nothing`],
    ['was not sent', returns(plain, plain), nothing],
    ['may be rejected', returns({ ...plain, tag: 'Green' }, plain), nothing],
    ['is beside a wrong name', returns(tagged, { name: 'Fern', tag: 'green' }), 'passes'],
  ])('%s', (_what, one, expected) => {
    expect(judged('success/tag-comes-back', one)).toBe(expected);
  });
});

describe('a string that may be rejected', () => {
  const control = (answer: object) => returns(tagged, answer, { probe: 'plain-plant-with-tag' });
  const withTags = [control(tagged)];
  const withoutTags = [control(plain)];
  const wrongName = 'expected "name" "Aloë", as sent | "name" is "Aloe"';
  const wrongTag = 'expected "tag" "Grün", as sent | "tag" is ';
  const allowed = 'notApplicable: the interface allows the provider to reject such strings, and it does';
  const both = 'expected "name" "Aloë", as sent; "tag" "Grün", as sent | "name" is "Aloe"; "tag" is "Grun"';
  const wrong = returns(other, { ...other, tag: 'x' });
  const refused = (plant: Parameters<typeof returns>[0]) => returns(plant, {}, { response: says(400) });
  const known = request(refused(other), { idMayExist: true });
  const noTag = { name: 'Aloë' };
  const empty = returns({ name: 'Aloe', id: 7, tag: '' }, { name: 'Aloe' });

  test.each<[string, Exchange, readonly Exchange[], string]>([
    ['comes back', returns(other, other), withTags, 'passes'],
    ['is a wrong name', returns(other, { ...other, name: 'Aloe' }), withTags, wrongName],
    ['is a wrong tag', returns(other, { ...other, tag: 'Grun' }), withTags, `${wrongTag}"Grun"`],
    ['is a wrong name and a wrong tag', returns(other, { name: 'Aloe', tag: 'Grun' }), withTags, both],
    ['is a tag that is missing', returns(other, noTag), withTags, `${wrongTag}nothing`],
    ['is a tag that is missing, as every tag', returns(other, noTag), withoutTags, 'passes'],
    ['is a tag that is missing, without a control', returns(other, noTag), [], 'passes'],
    ['is the only one, and missing like every tag', returns({ ...tagged, tag: 'Grün' }, plain), [], nothing],
    ['is a wrong tag, even if plain tags are missing', wrong, withoutTags, `${wrongTag}"x"`],
    ['is an empty tag, which may be missing', empty, withTags, nothing],
    ['is rejected', refused(other), withTags, allowed],
    ['is throttled', returns(other, {}, { response: says(429) }), withTags, nothing],
    ['gets a 500', returns(other, {}, { response: says(500) }), withTags, nothing],
    ['gets no response', returns(other, {}, NONE), withTags, nothing],
    ['was not sent', returns(tagged, { name: 'Fern' }), withTags, nothing],
    ['was not sent, and the plant is rejected', refused(tagged), withTags, nothing],
    ['has an id that may exist, and is rejected', known, withTags, nothing],
  ])('%s', (_what, one, others, expected) => {
    expect(judged('success/texts-come-back', one, others)).toBe(expected);
  });

  test('may come back with half of a pair', () => {
    const one = returns({ name: 'Aloe🌵', id: 7 }, { name: 'Aloe' });
    expect(judged('success/texts-come-back', one)).toBe(
      'expected "name" "Aloe🌵", as sent | "name" is "Aloe"',
    );
  });
});

describe('a tag that was not sent', () => {
  const empty = returns(plain, { name: 'Aloe', tag: '' });

  test.each([
    ['stays away', returns(plain, plain), 'passes'],
    ['comes back as an empty string', empty, 'expected no "tag" | "tag" is the string ""'],
    ['comes back as null', returns(plain, { name: 'Aloe', tag: null }), 'expected no "tag" | "tag" is null'],
    ['may come back for a duplicate', request(empty, { idMayExist: true }), nothing],
    ['is judged only in a plant', returns(plain, { tag: '' }), nothing],
    ['is judged only in a success', { ...empty, response: says(400) }, nothing],
    ['is judged only if there is none', returns(tagged, tagged), nothing],
  ])('%s', (_what, one, expected) => {
    expect(judged('success/absent-tag-stays-absent', one)).toBe(expected);
  });

  test('may be that of another request', () => {
    const one = returns({ name: 'Aloeabcdef', id: 7 }, { name: 'Aloeuvwxyz', tag: 'x' });
    const owner = { ...creates({ name: 'Aloeuvwxyz', id: 8 }), probe: 'plain-plant-with-tag' as const };
    expect(judged('success/absent-tag-stays-absent', one)).toBe(
      'expected no "tag" | "tag" is the string "x"',
    );
    expect(judged('success/absent-tag-stays-absent', one, [owner])).toBe(nothing);
  });
});

test('the words of a rejection show its body', () => {
  expect(judged('success/tag-is-optional', returns(plain, {}, { response: says(422) }))).toBe(
    `expected 200 | ${inWords(422)}`,
  );
});
