import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../../src/conformance/exchange.js';
import { isRejectedAlike, whyStoreIsHidden } from '../../../../src/conformance/topics/duplicates.js';
import { NONE, PLANT, said, says, sent, whyHidden } from './judged.js';

describe('a rejection is like that of a duplicate', () => {
  const message = (text: string, code = 1) => JSON.stringify({ error: code, message: text });
  /** The name of a plant, and the message or the body that its rejection has. */
  const rejected = ([name, text]: readonly [name: string | undefined, text: string], status = 400) =>
    sent(JSON.stringify({ name }), {
      response: says(status, text.startsWith('body: ') ? text.slice(6) : message(text)),
    });

  test.each<[string, boolean, [string | undefined, string], [string, string]]>([
    ['if both have the same words', true, ['Aloe', 'no'], ['Fern', 'no']],
    ['not if the words differ', false, ['Aloe', 'no'], ['Fern', 'yes']],
    ['if only the names differ', true, ['Aloe', 'Aloe exists'], ['Fern', 'Fern exists']],
    ['if a name is part of the other', true, ['Aloe', 'Aloe exists'], ['Aloe vera', 'Aloe vera exists']],
    ['if a name is empty', true, ['', 'exists'], ['Fern', 'Fernexists']],
    ['if there is no name', true, [undefined, 'no'], ['Fern', 'no']],
    ['if only the ids differ', true, ['Aloe', '7 exists'], ['Fern', 'id8 exists']],
    [
      'if only a time differs',
      true,
      ['Aloe', 'exists since 2026-11-23'],
      ['Fern', 'exists since 2026-11-24'],
    ],
    ['if only quotes differ', true, ['Aloe', 'the "plant" {x} exists'], ['Fern', "the 'plant' [x] exists"]],
    ['if only words for a missing value differ', true, ['Aloe', 'NULL exists'], ['Fern', 'undefined exists']],
    ['if only one has quotes', true, ['Aloe', 'the "plant" exists'], ['Fern', 'the plant exists']],
    ['not if only one names a value', false, ['Aloe', '(7) exists'], ['Fern', '() exists']],
    ['not if only one names a missing value', false, ['Aloe', '(null) exists'], ['Fern', '() exists']],
    [
      'if there is no name, and one shows that',
      true,
      [undefined, 'undefined exists'],
      ['Fern', 'null exists'],
    ],
    ['not if words only begin so', false, ['Aloe', 'nullable exists'], ['Fern', 'nilly exists']],
    ['if it is no JSON', true, ['Aloe', 'body: no'], ['Fern', 'yes']],
    ['if the other is no Error', true, ['Aloe', 'no'], ['Fern', 'body: {"error":1}']],
    ['if the other is null', true, ['Aloe', 'no'], ['Fern', 'body: null']],
  ])('%s', (_what, isAlike, one, duplicate) => {
    expect(isRejectedAlike(rejected(one), rejected(duplicate))).toBe(isAlike);
    expect(isRejectedAlike(rejected(duplicate), rejected(one))).toBe(isAlike);
  });

  const one = rejected(['Aloe', 'no']);
  test.each<[string, boolean, Exchange, Exchange]>([
    ['not if the status differs', false, one, rejected(['Fern', 'no'], 409)],
    ['not if the code differs', false, one, rejected(['Fern', `body: ${message('no', 2)}`])],
    ['if neither got a response', true, sent(PLANT, NONE), sent(PLANT, NONE)],
    ['not if only the other got one', false, sent(PLANT, NONE), one],
  ])('%s', (_what, isAlike, first, second) => {
    expect(isRejectedAlike(first, second)).toBe(isAlike);
    expect(isRejectedAlike(second, first)).toBe(isAlike);
  });
});

test('what a provider stores shows only if it rejects a duplicate', () => {
  const of = (status: number) => said(whyStoreIsHidden(sent(PLANT, { response: says(status) })));
  const silence = 'blocked: there was no response to a duplicate id';
  expect(said(whyStoreIsHidden(undefined))).toBe(silence);
  expect([200, 409, 429, 500].map(of)).toEqual([whyHidden, 'passes', silence, 'passes']);
});
