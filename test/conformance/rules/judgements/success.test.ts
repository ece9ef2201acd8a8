import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../../src/conformance/exchange.js';
import { probe } from '../../recorded.js';
import { creates, error, inOrder, inWords, judged, NONE, nothing, says, sent } from './judged.js';

const plain = creates({ name: 'Aloe', id: 7 });
const answered = (status: number, body?: string) => ({ ...plain, response: says(status, body) });
const known = (one: Exchange) => ({ ...one, request: { ...one.request, idMayExist: true } });
const silent = { ...plain, ...NONE };

describe('the status of a valid creation', () => {
  const id = 'success/status-is-200';
  const control = probe();
  const later = probe({ phase: 'valid' });
  const not200 = (status: number) => `expected 200 | ${inWords(status)}`;

  test.each<[string, Exchange, string, string]>([
    ['is 200', plain, 'passes', 'passes'],
    ['is 201', answered(201), not200(201), not200(201)],
    ['is 400', answered(400), nothing, nothing],
    ['is 429', answered(429), nothing, nothing],
    ['is 500', answered(500), not200(500), nothing],
    ['is 302', answered(302), not200(302), nothing],
    ['is 503', answered(503), nothing, nothing],
    ['is missing', silent, 'expected 200 | the connection was reset', nothing],
    [
      'is missing without a connection',
      { ...silent, failure: { kind: 'tls', message: '' } },
      nothing,
      nothing,
    ],
    ['is 201 for a duplicate', known(answered(201)), nothing, nothing],
    ['is 500 for a duplicate', known(answered(500)), nothing, nothing],
    ['is 201 for an invalid request', { ...answered(201), expectation: 'rejected' }, nothing, nothing],
  ])('%s', (_what, one, ofControl, ofLater) => {
    expect(judged(id, one, [], [control])).toBe(ofControl);
    expect(judged(id, one, [], [later])).toBe(ofLater);
  });
});

describe('a plain plant', () => {
  test.each<[string, Exchange, string]>([
    ['is accepted', plain, 'passes'],
    ['is accepted with another 2xx', answered(201), 'passes'],
    ['is rejected', answered(400), `expected 200 | ${inWords(400)}`],
    ['is redirected', answered(302), 'blocked: the response is 302'],
    ['is throttled', { ...answered(429), turnedAway: true }, nothing],
    ['is rejected with 429 for its content', answered(429), `expected 200 | ${inWords(429)}`],
    ['gets no response', silent, 'blocked: there was no response: the connection was reset'],
    ['may be rejected', { ...answered(400), expectation: 'open' }, nothing],
  ])('%s', (_what, one, expected) => {
    expect(judged('success/tag-is-optional', one)).toBe(expected);
  });
});

describe('an ordinary name', () => {
  const exists = 'notApplicable: the provider rejects duplicate names, and this name may exist already';
  const names = (status: number, body?: string) =>
    inOrder('repeated-name', plain, { ...plain, response: says(status, body) });
  const taken = '{"error":2,"message":"the name is taken"}';
  const named = (name: string, body = taken) =>
    creates({ name, id: 7 }, { probe: 'name-null', response: says(400, body) });
  const long = { ...named('Aloeabcdef'), probe: 'name-of-30-letters' } as const;
  const rejected = (body = taken) => `expected 200 | ${inWords(400, body)}`;

  test.each<[string, Exchange, readonly Exchange[], string]>([
    ['is accepted', { ...plain, probe: 'name-null' }, names(400, taken), 'passes'],
    ['is rejected', named('null'), [], rejected()],
    ['is rejected, and others twice are accepted', named('null'), names(200), rejected()],
    ['is rejected like a duplicate', named('null'), names(400, taken), exists],
    ['is rejected in other words', named('null', error), names(400, taken), rejected(error)],
    ['is rejected with another status', named('null'), names(409, taken), rejected()],
    ['is new and rejected like a duplicate', long, names(400, taken), rejected()],
    ['is rejected, and a duplicate is throttled', named('null'), names(429, taken), rejected()],
    [
      'gets a 500',
      { ...named('null'), response: says(500) },
      names(400, taken),
      'blocked: the response is 500',
    ],
  ])('%s', (_what, one, others, expected) => {
    expect(judged('success/plain-names-are-accepted', one, others)).toBe(expected);
  });

  test.each<[string, Exchange, readonly Exchange[], string]>([
    ['is a word that is accepted', plain, names(400, taken), 'passes'],
    ['is a word that is rejected', named('null'), [], rejected()],
    ['is a word that may exist', named('null'), names(400, taken), exists],
    ['is a word that is rejected in other words', named('null', error), names(400, taken), rejected(error)],
    ['is a word that gets a 500', answered(500), names(400, taken), 'blocked: the response is 500'],
  ])('%s', (_what, one, others, expected) => {
    expect(judged('success/plain-words-are-accepted', one, others)).toBe(expected);
  });
});

describe('the body of a 200', () => {
  const body = (text: string, given: Partial<Exchange> = {}) =>
    sent('{}', { response: says(200, text), ...given });
  const isJson = 'success/body-is-json';
  const isPlant = 'success/body-is-a-plant';
  const onlyFields = 'success/plant-fields-only';

  test.each([
    ['is a plant', body('{"name":"Aloe","tag":"green"}'), 'passes', 'passes', 'passes'],
    ['has an id', body('{"name":"Aloe","id":7}'), 'passes', 'passes', /^expected .*200 with "id" \(7\)$/],
    ['has no name', body('{"tag":"green"}'), 'passes', /"name" is missing/, 'passes'],
    ['is an array', body('[]'), 'passes', /^expected/, nothing],
    ['is not JSON', body('{'), /^expected/, nothing, nothing],
    ['is empty', body(''), /^expected/, nothing, nothing],
    ['is that of a 400', body('{', { response: says(400) }), nothing, nothing, nothing],
    ['is missing', body('', NONE), nothing, nothing, nothing],
  ])('%s', (_what, one, json, plant, fields) => {
    expect(judged(isJson, one)).toEqual(expect.stringMatching(json));
    expect(judged(isPlant, one)).toEqual(expect.stringMatching(plant));
    expect(judged(onlyFields, one)).toEqual(expect.stringMatching(fields));
  });

  test('has its wrong fields named, and long ones cut', () => {
    const long = (length: number) => 'k'.repeat(length);
    const of = (fields: object) =>
      judged(onlyFields, body(JSON.stringify({ name: 'Aloe', ...fields }))).split(' with ')[1];
    expect(of({ id: 7, at: 'noon' })).toBe('"id" (7) and "at" (the string "noon")');
    expect(of({ [long(60)]: 1 })).toBe(`"${long(60)}" (1)`);
    expect(of({ [long(61)]: 1 })).toBe(`"${long(60)}"… (1)`);
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${at}`, at]));
    expect(of(many)).toMatch(/ and "k9" \(9\)$/);
  });
});
