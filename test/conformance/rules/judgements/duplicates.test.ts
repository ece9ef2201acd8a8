import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../../src/conformance/exchange.js';
import { Facts } from '../../../../src/conformance/facts/facts.js';
import {
  isRejectedAlike,
  whyMaybeDuplicate,
  whyStoreIsHidden,
} from '../../../../src/conformance/topics/state/duplicates.js';
import { exchange, probe } from '../../recorded.js';
import { headers, inWords, NONE, PLANT, repeated, said, says, sent, whyHidden } from './judged.js';

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

const rejection = (message: string, status = 400) => ({
  expectation: 'rejected' as const,
  response: says(status, JSON.stringify({ error: 1, message })),
});
const EXISTS = 'the plant 7 exists';
const duplicate = (message = EXISTS) => repeated({ ...rejection(message), expectation: 'open' });
/** An invalid request with a fresh id. */
const other = sent(PLANT, { ...rejection('the name is wrong'), probe: 'missing-name' });

const outsideInt64 = ['id-of-30-digits', 'id-1e400'].map((name) =>
  probe({ name, title: name, rules: ['request/id-is-within-int64'] }),
);

/** What a rejection of an invalid id says, beside other exchanges. */
function reason(given: Partial<Exchange>, others: readonly Exchange[] = [...duplicate(), other]) {
  const request = { headers, body: Buffer.from('{"name":"Palm","id":"x"}'), ...given.request };
  const one = exchange({ probe: 'id-is-text', ...rejection('the plant x7 exists'), ...given, request });
  return said(whyMaybeDuplicate(one, new Facts(outsideInt64, others)));
}

function ambiguous(probe: string, id: string): string {
  return `ambiguous: ${probe} was rejected like a duplicate id: the provider may have converted its id to ${id}, which exists already; check a provider without plants to find out`;
}
const maybe = ambiguous('id-is-text', '0');
const accepted = (name: string) => sent(PLANT, { probe: name });
const request = (body: string, id?: number) => ({
  request: { headers, body: Buffer.from(body), ...(id !== undefined && { id }) },
});

describe('a rejection of an id that may have been converted', () => {
  test.each<[string, Partial<Exchange>, string]>([
    ['has the words for a duplicate', {}, maybe],
    ['has other words', rejection('the id is wrong'), 'passes'],
    ['has another status', rejection(EXISTS, 409), 'passes'],
    ['is none', { response: says(200) }, 'passes'],
    ['is a 500', rejection(EXISTS, 500), 'passes'],
    ['is of a fresh id', request(PLANT, 7), 'passes'],
    ['is of a fresh id in what is not JSON', request('{"id":7', 7), 'passes'],
    ['is of a fresh id under another key', request('{"name":"Palm","Id":7}', 7), maybe],
    ['is of a fresh id in an array', request('[7]', 7), maybe],
    [
      'is of a fresh id outside int64',
      { ...request('{"name":"Palm","id":71234567890123456789}', 7), probe: 'id-of-30-digits' },
      ambiguous('id-of-30-digits', 'one within int64'),
    ],
    ['is of a boolean', { probe: 'id-is-boolean' }, ambiguous('id-is-boolean', '1')],
  ])('%s', (_what, given, expected) => {
    expect(reason(given)).toBe(expected);
  });

  test('is named by the title of its probe', () => {
    const titled = probe({ name: 'id-is-text', title: 'a plant whose id is a string' });
    const one = exchange({ probe: 'id-is-text', ...request('{"id":"x"}'), ...rejection(EXISTS) });
    const facts = new Facts([titled], [...duplicate(), other, one]);
    expect(said(whyMaybeDuplicate(one, facts))).toBe(ambiguous('a plant whose id is a string', '0'));
  });

  const huge = { ...other, probe: 'id-of-30-digits' } as const;
  const sameWords = { ...other, ...rejection(EXISTS) };
  const zero = { ...accepted('id-zero'), ...rejection(EXISTS), expectation: 'open' } as const;

  test.each<[string, Exchange[], string]>([
    ['no duplicate was sent', [other], 'passes'],
    ['duplicates are accepted', [...repeated({}), other], 'passes'],
    ['duplicates get a 500', [...repeated({ response: says(500) }), other], 'passes'],
    ['no other invalid request was sent', duplicate(), 'passes'],
    ['another invalid request was accepted', [...duplicate(), { ...other, response: says(200) }], 'passes'],
    ['another valid request was rejected', [...duplicate(), { ...other, expectation: 'open' }], 'passes'],
    ['the only other id is outside int64', [...duplicate(), huge], 'passes'],
    ['other invalid requests get the same words', [...duplicate(), sameWords], 'passes'],
    ['0 was accepted in this run', [...duplicate(), other, accepted('id-zero')], 'passes'],
    ['0 was rejected in this run', [...duplicate(), other, zero], maybe],
  ])('says nothing else if %s', (_what, others, expected) => {
    expect(reason({}, others)).toBe(expected);
  });

  test.each<[string, readonly string[], string]>([
    ['both ends were accepted', ['id-at-upper-end', 'id-at-lower-end'], 'passes'],
    ['one end was accepted', ['id-at-upper-end'], ambiguous('id-1e400', 'one within int64')],
    ['0 was accepted', ['id-zero'], ambiguous('id-1e400', 'one within int64')],
  ])('of an id outside int64 is judged by the ends: %s', (_what, probes, expected) => {
    const ends = probes.map((name) => accepted(name));
    expect(reason({ probe: 'id-1e400' }, [...duplicate(), other, ...ends])).toBe(expected);
  });

  test('of a boolean does not depend on the id 0', () => {
    const others = [...duplicate(), other, accepted('id-zero')];
    expect(reason({ probe: 'id-is-boolean' }, others)).toBe(ambiguous('id-is-boolean', '1'));
  });
});

describe('a rejection that names another id than was sent', () => {
  const of = (id: string) => request(`{"name":"Palm","id":"${id}"}`);
  const named = (id: string) => rejection(`the plant ${id} exists`);
  const problem = (id: string) =>
    `expected a rejection of the value that was sent | a duplicate of the id ${id}, to which it was converted: ${inWords(400, JSON.stringify({ error: 1, message: `the plant ${id} exists` }))}`;

  test.each<[string, Partial<Exchange>, string]>([
    ['is a failure for 0', named('0'), problem('0')],
    ['is a failure for an end of int64', named('-9223372036854775808'), problem('-9223372036854775808')],
    ['is none if no provider converts to it', named('5'), maybe],
    ['is none if that id was sent', { ...named('0'), ...of('0') }, maybe],
    ['is a failure if only its digits were sent', { ...named('0'), ...of('10') }, problem('0')],
    ['is a failure if its digits begin what was sent', { ...named('0'), ...of('05') }, problem('0')],
  ])('%s', (_what, given, expected) => {
    expect(reason(given)).toBe(expected);
  });

  test('is none if the rejection of a duplicate names no id', () => {
    const others = [...duplicate('such a plant exists'), other];
    expect(reason(rejection('such a plant exists'), others)).toBe(maybe);
  });

  test('is none if neither is an Error', () => {
    const text = { response: says(400, 'the plant 0 exists') };
    const others = repeated({ expectation: 'open', response: says(400, 'the plant 7 exists') });
    expect(reason(text, [...others, other])).toBe(maybe);
  });

  test('is a failure whatever the names are', () => {
    const others = [...duplicate('Fern: the plant 7 exists'), other];
    const message = 'Palm: the plant 0 exists';
    expect(reason(rejection(message), others)).toMatch('a duplicate of the id 0');
  });
});

test('what a provider stores shows only if it rejects a duplicate', () => {
  const of = (status: number) => said(whyStoreIsHidden(sent(PLANT, { response: says(status) })));
  const silence = 'blocked: there was no response to a duplicate id';
  expect(said(whyStoreIsHidden(undefined))).toBe(silence);
  expect([200, 409, 429, 500].map(of)).toEqual([whyHidden, 'passes', silence, 'passes']);
});
