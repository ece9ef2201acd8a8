// Goes with src/conformance/facts/facts.ts (the memo by function): it tests how that works. Whoever replaces it deletes this file.
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/conformance/exchange.js';
import { Facts, stopOf } from '../../../src/conformance/judge/facts.js';
import { exchange, probe, response } from '../recorded.js';

const ok = { response: response(200) };
const bad = { response: response(400) };
const tooMany = { response: response(429) };
const later = { response: response(503, [['Retry-After', '1']]) };
const none = { failure: { kind: 'reset', message: '' } } as const;

test('keeps the exchanges that count, and those of every attempt', () => {
  const roles = ['superseded', 'judged', 'confirmation'] as const;
  const facts = new Facts(
    [probe()],
    roles.map((role, index) => exchange({ role, index })),
  );
  expect(facts.exchanges.map(({ index }) => index)).toEqual([1]);
  expect(facts.everyAttempt.map(({ index }) => index)).toEqual([0, 1]);
  expect(facts.of('plain-plant').map(({ index }) => index)).toEqual([1]);
});

test('orders the exchanges of a probe by its requests, not by when they ended', () => {
  const steps = [2, 0, 1].map((step, index) => exchange({ step, index }));
  const other = exchange({ probe: 'wrong-token', index: 3 });
  const facts = new Facts([probe(), probe({ name: 'wrong-token' })], [...steps, other]);
  expect(facts.of('plain-plant').map(({ step }) => step)).toEqual([0, 1, 2]);
  expect(facts.of('wrong-token')).toEqual([other]);
  expect(facts.exchanges.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
});

test('names what was sent by the title of its probe, and by its name if the probe is not known', () => {
  const facts = new Facts([probe({ title: 'a plain plant' })], []);
  expect(facts.titleOf(exchange())).toBe('a plain plant');
  expect(facts.titleOf(exchange({ probe: 'wrong-token' }))).toBe('wrong-token');
});

describe('the last request of a probe', () => {
  test.each([
    ['was accepted', [bad, ok], { accepted: true, rejected: false, throttled: false }],
    ['was accepted, the only one', [ok], { accepted: true, rejected: false, throttled: false }],
    ['was accepted, one of three', [bad, bad, ok], { accepted: true, rejected: false, throttled: false }],
    ['was throttled, the only one', [tooMany], { accepted: false, rejected: false, throttled: true }],
    ['was rejected', [ok, bad], { accepted: false, rejected: true, throttled: false }],
    ['was throttled by 429', [bad, tooMany], { accepted: false, rejected: false, throttled: true }],
    ['was throttled by 503', [bad, later], { accepted: false, rejected: false, throttled: true }],
    ['got no response', [ok, none], { accepted: false, rejected: false, throttled: false }],
    ['was not sent', [], { accepted: false, rejected: false, throttled: false }],
  ])('%s', (_what, results, expected) => {
    const facts = new Facts(
      [probe()],
      results.map((result, step) => exchange({ step, ...result })),
    );
    expect({
      accepted: facts.accepted('plain-plant'),
      rejected: facts.rejected('plain-plant'),
      throttled: facts.throttled('plain-plant'),
    }).toEqual(expected);
  });

  test('is not the only one that can be asked about', () => {
    const facts = new Facts([probe()], [exchange(bad), exchange({ step: 1, ...ok })]);
    expect(facts.rejected('plain-plant', 0)).toBe(true);
    expect(facts.rejected('plain-plant', 1)).toBe(false);
    expect(facts.rejected('plain-plant', 2)).toBe(false);
  });
});

test('look once for what many ask for, and at the whole run', () => {
  const facts = new Facts([probe()], [exchange(bad)]);
  const looks: Facts[] = [];
  const rejections = (all: Facts): number => {
    looks.push(all);
    return all.of('plain-plant').length;
  };
  expect(facts.with([exchange(ok), exchange(ok)]).find(rejections)).toBe(1);
  expect(facts.find(rejections)).toBe(1);
  expect(looks).toEqual([facts]);
});

describe('the provider limits its rate', () => {
  const late = probe({ name: 'wrong-token', phase: 'wrong-token' });
  const last = probe({ name: 'id-zero', phase: 'afterwards' });

  test.each<[string, Parameters<typeof exchange>[0], boolean]>([
    ['if it throttles a request', tooMany, true],
    ['if the request was sent again', { ...tooMany, role: 'superseded' }, true],
    ['not if it only confirmed a failure', { ...tooMany, role: 'confirmation' }, false],
    ['not if it has a wrong token', { ...tooMany, probe: 'wrong-token' }, false],
    ['not if wrong tokens came before', { ...tooMany, probe: 'id-zero' }, false],
    ['not if it rejects the request for its content', bad, false],
  ])('%s', (_what, given, expected) => {
    expect(new Facts([probe(), late, last], [exchange(), exchange(given)]).limitsItsRate).toBe(expected);
  });
});

describe('with one more probe,', () => {
  const facts = new Facts([probe(), probe({ name: 'wrong-token' })], [exchange(bad)]);

  test('the facts have its exchanges, and those of the other probes', () => {
    const sequence = [exchange({ probe: 'wrong-token', ...ok })];
    const more = facts.with(sequence);
    expect(more.of('wrong-token')).toBe(sequence);
    expect(more.accepted('wrong-token')).toBe(true);
    expect(more.rejected('plain-plant')).toBe(true);
    expect(more.exchanges).toBe(facts.exchanges);
    expect(facts.of('wrong-token')).toEqual([]);
  });

  test('the facts are the same if nothing was sent', () => {
    expect(facts.with([])).toBe(facts);
  });
});

test.each<[string, readonly Parameters<typeof exchange>[0][], boolean]>([
  ['a valid request gets 503', [ok, { response: response(503) }], true],
  ['only an invalid one does', [ok, { response: response(503), expectation: 'rejected' }], false],
  ['none does', [ok, bad], false],
])('the provider is overloaded if %s (case %#)', (_what, exchanges, expected) => {
  expect(new Facts([probe()], exchanges.map(exchange)).isOverloaded).toBe(expected);
});

describe('a provider has stopped', () => {
  const silent = { failure: { kind: 'reset', message: 'reset' } } as const;
  const notSent = (one: Exchange): Exchange => ({ ...one, failure: { kind: 'not-sent', message: '' } });
  const last: readonly Exchange[] = [1, 2, 3].map(() => exchange({ ...silent, role: 'confirmation' }));

  test.each<[string, number | undefined, readonly Exchange[]]>([
    ['if not even the last plain plants get a response', 1, [exchange(), exchange(silent), ...last]],
    ['not if it never responded', undefined, [exchange(silent), ...last]],
    ['not without these plain plants', undefined, [exchange(), exchange(silent), exchange(silent)]],
    ['not if one of them gets a response', undefined, [...last, exchange({ role: 'confirmation' })]],
    ['not if they were not sent', undefined, [exchange(), ...last.map(notSent)]],
  ])('%s', (_what, after, exchanges) => {
    expect(stopOf(exchanges)?.after).toBe(after);
  });

  test('at the request that was sent first of those that got no response', () => {
    const later = exchange({ ...silent, startMs: 9 });
    const first = exchange({ ...silent, startMs: 8 });
    const found = stopOf([exchange(), later, first, ...last.map((one) => ({ ...one, startMs: 10 }))]);
    expect(found?.first).toBe(first);
    expect(found?.lost.size).toBe(5);
  });

  test('until it was started again, at the request that counts', () => {
    const another = exchange({ ...silent, index: 1, role: 'superseded' });
    const fatal = exchange({ ...silent, index: 6, startMs: 20 });
    const after = last.map((one) => ({ ...one, startMs: 20 }));
    const all = [exchange(), another, ...last, exchange({ index: 5 }), fatal, ...after];
    expect(stopOf(all, [5])).toMatchObject({ first: fatal, after: 6, isRestarted: false });
    const found = stopOf([...all, exchange({ startMs: 30 })], [5, all.length]);
    expect(found).toMatchObject({ first: fatal, after: 6, isRestarted: true });
    expect(found?.lost).toEqual(new Set([another, ...last, fatal, ...after]));
  });

  test('once more, before it responded again', () => {
    const fatal = exchange({ ...silent, index: 5 });
    const again = stopOf(
      [exchange(), exchange({ ...silent, role: 'superseded' }), ...last, fatal, ...last],
      [5],
    );
    expect(again?.first).toBe(fatal);
  });
});
