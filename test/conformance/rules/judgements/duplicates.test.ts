import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../../src/conformance/exchange.js';
import { isRejectedAlike } from '../../../../src/conformance/rules/duplicates.js';
import { NONE, PLANT, says, sent } from './judged.js';

describe('a rejection is like that of a duplicate', () => {
  const rejected = (name: string, body: string, status = 400): Exchange =>
    sent(JSON.stringify({ name }), { response: says(status, body) });
  const message = (text: string, code = 1) => JSON.stringify({ error: code, message: text });

  test.each<[string, boolean, Exchange, Exchange]>([
    ['if both have the same words', true, rejected('Aloe', message('no')), rejected('Fern', message('no'))],
    [
      'not if the status differs',
      false,
      rejected('Aloe', message('no')),
      rejected('Fern', message('no'), 409),
    ],
    ['not if the code differs', false, rejected('Aloe', message('no')), rejected('Fern', message('no', 2))],
    ['not if the words differ', false, rejected('Aloe', message('no')), rejected('Fern', message('yes'))],
    [
      'if only the names differ',
      true,
      rejected('Aloe', message('Aloe exists')),
      rejected('Fern', message('Fern exists')),
    ],
    [
      'if a name is part of the other',
      true,
      rejected('Aloe', message('Aloe exists')),
      rejected('Aloe vera', message('Aloe vera exists')),
    ],
    ['if a name is empty', true, rejected('', message('exists')), rejected('Fern', message('Fernexists'))],
    [
      'if there is no name',
      true,
      sent('{}', { response: says(400, message('no')) }),
      rejected('Fern', message('no')),
    ],
    [
      'if only the ids differ',
      true,
      rejected('Aloe', message('7 exists')),
      rejected('Fern', message('id8 exists')),
    ],
    [
      'if only a time differs',
      true,
      rejected('Aloe', message('exists since 2026-11-23')),
      rejected('Fern', message('exists since 2026-11-24')),
    ],
    [
      'if only quotes differ',
      true,
      rejected('Aloe', message('the "plant" {x} exists')),
      rejected('Fern', message("the 'plant' [x] exists")),
    ],
    [
      'if only words for a missing value differ',
      true,
      rejected('Aloe', message('NULL exists')),
      rejected('Fern', message('undefined exists')),
    ],
    [
      'if only one has quotes',
      true,
      rejected('Aloe', message('the "plant" exists')),
      rejected('Fern', message('the plant exists')),
    ],
    [
      'not if only one names a value',
      false,
      rejected('Aloe', message('(7) exists')),
      rejected('Fern', message('() exists')),
    ],
    [
      'not if only one names a missing value',
      false,
      rejected('Aloe', message('(null) exists')),
      rejected('Fern', message('() exists')),
    ],
    [
      'if there is no name, and one message shows a missing value',
      true,
      sent('{}', { response: says(400, message('undefined exists')) }),
      rejected('Fern', message('null exists')),
    ],
    [
      'not if words only begin so',
      false,
      rejected('Aloe', message('nullable exists')),
      rejected('Fern', message('nilly exists')),
    ],
    ['if it is no JSON', true, rejected('Aloe', 'no'), rejected('Fern', message('yes'))],
    ['if the other is no Error', true, rejected('Aloe', message('no')), rejected('Fern', '{"error":1}')],
    ['if the other is null', true, rejected('Aloe', message('no')), rejected('Fern', 'null')],
    ['if neither got a response', true, sent(PLANT, NONE), sent(PLANT, NONE)],
    ['not if only the other got one', false, sent(PLANT, NONE), rejected('Fern', message('no'))],
  ])('%s', (_what, isAlike, one, duplicate) => {
    expect(isRejectedAlike(one, duplicate)).toBe(isAlike);
    expect(isRejectedAlike(duplicate, one)).toBe(isAlike);
  });
});
