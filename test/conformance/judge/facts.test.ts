import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/conformance/exchange.js';
import {
  Facts,
  isFixedOrInTime,
  isInTime,
  stopOf,
  untilRestart,
} from '../../../src/conformance/judge/facts.js';
import type { Probe } from '../../../src/conformance/row.js';
import { creation, exchange, probe, response } from '../recorded.js';

const [MINE, OTHER] = ['Aloeaaaaaa', 'Aloebbbbbb'];

/** A plant with a name, and what comes back. */
function named(name: string, body: string, given: Partial<Exchange> = {}): Exchange {
  const request = { ...creation, body: Buffer.from(`{"name":"${name}","id":7}`), plant: { name, id: 7 } };
  return exchange({ request, response: response(200, [], body), ...given });
}

const other = named(OTHER, `{"name":"${OTHER}"}`, { probe: 'wrong-token', index: 1 });
const shows = (name: string): string => `{"name":"${name}"}`;
const mine = named(MINE, shows(OTHER));
const asked = (request: Partial<Exchange['request']>) => ({ request: { ...creation, ...request } });
const known = asked({ idMayExist: true });

function isMixed(one: Exchange, others: readonly Exchange[] = [other], given: Partial<Probe> = {}): boolean {
  return new Facts([probe(given)], [...others, one]).mixed.has(one);
}

test('the exchanges of a probe are in the order of its requests, whichever ended first', () => {
  const ended = [2, 0, 1].map((step, index) => exchange({ step, index }));
  const facts = new Facts([probe()], ended);
  expect(facts.of('plain-plant').map(({ step }) => step)).toEqual([0, 1, 2]);
});

describe('a response', () => {
  const encoded = response(200, [['content-encoding', 'gzip']], shows(OTHER));

  test.each<[string, boolean, Exchange]>([
    ['with its own name is its own', false, named(MINE, shows(MINE))],
    ['with the plant of another request is mixed', true, mine],
    ['with that plant in escapes is mixed', true, named(MINE, shows('\\u0041\\u006C\\u006febbbbbb'))],
    ['of 65,536 bytes is looked at', true, named(MINE, shows(OTHER).padEnd(2 ** 16))],
    ['of more bytes is not', false, named(MINE, shows(OTHER).padEnd(2 ** 16 + 1))],
    ['that cannot be decoded is not', false, { ...mine, response: encoded }],
    [
      'from another path is not',
      false,
      { ...mine, ...asked({ otherOperation: { method: 'GET', path: '/' } }) },
    ],
    ['to a duplicate id may show the plant that has the id', false, { ...mine, ...known }],
  ])('%s', (_what, expected, one) => expect(isMixed(one)).toBe(expected));

  test('that shows a name only in the query of another request is mixed', () => {
    const owner = exchange({
      ...asked({ body: Buffer.of(), query: `?name=${OTHER}` }),
      probe: 'wrong-token',
    });
    expect(isMixed(mine, [owner])).toBe(true);
  });

  // A provider may keep ids in a few bits, so one of these has the id of another.
  test.each<[string, boolean, Partial<Probe>]>([
    ['one after the other may show an earlier plant', false, {}],
    ['at the same time may not', true, { together: true }],
    ['on one connection may not', true, { oneConnection: true }],
  ])('to requests of a row, %s', (_what, expected, given) => {
    expect(isMixed({ ...mine, index: 1, step: 1 }, [named(OTHER, '{}')], given)).toBe(expected);
  });

  describe('to an invalid request, if duplicate ids show the plant that exists,', () => {
    const first = named('Aloecccccc', '{}', { probe: 'repeated-id', index: 2 });
    const again = { probe: 'repeated-id', index: 3, step: 1, ...known };
    const duplicate = named('Aloedddddd', shows('Aloecccccc'), again);
    const invalid = { expectation: 'rejected' } as const;

    test.each<[string, boolean, Partial<Exchange>, readonly Exchange[]]>([
      ['may show it', false, invalid, [first, duplicate]],
      ['may not if it has another expectation', true, {}, [first, duplicate]],
      ['may not if no duplicate was sent', true, invalid, [first]],
      ['may not if only another probe shows it', true, invalid, [first, { ...duplicate, probe: 'id-zero' }]],
      ['may not if its id was fresh', true, invalid, [first, { ...duplicate, request: creation }]],
    ])('%s', (_what, expected, given, others) => {
      expect(isMixed({ ...mine, ...given }, [other, ...others])).toBe(expected);
    });
  });
});

const gets = (status: number, given: Partial<Exchange> = {}): Exchange =>
  exchange({ request: creation, response: response(status, [], shows(MINE)), ...given });
const invalid = (status: number): Exchange => gets(status, { expectation: 'rejected' });
const open = (status: number): Exchange => gets(status, { expectation: 'open' });
const duplicate = (status: number): Exchange => gets(status, known);
const late = (shared: boolean): Exchange =>
  gets(0, { response: undefined, shared, failure: { kind: 'timeout', message: '' } });
const wrong = exchange({ request: creation, response: response(200, [], shows(OTHER)) });
const tagged = response(200, [], `{"name":"${MINE}","tag":"x"}`);
const { plant: _plant, ...unnamed } = creation;
const later = response(503, [['retry-after', '1']]);
const unusual = (status: number): Exchange => ({
  ...invalid(status),
  request: { ...creation, isUnusual: true },
});

describe('what is sent once more is judged instead', () => {
  test.each<[string, boolean, Exchange, Exchange]>([
    ['if a valid plant failed, and is accepted now', true, gets(500), gets(200)],
    ['if it was rejected, and is accepted now', true, gets(400), gets(200)],
    ['if another plant came back, and its own comes back now', true, wrong, gets(200)],
    ['if it failed, and is rejected now', true, gets(500), gets(400)],
    ['if the provider failed on an invalid request, and rejects it now', true, invalid(500), invalid(400)],
    ['not if there is no response now', false, gets(500), late(false)],
    ['not if a plant was rejected that may be', false, open(400), open(200)],
    ['not if an invalid request was accepted', false, invalid(200), invalid(400)],
    ['not if a duplicate was rejected', false, duplicate(400), duplicate(200)],
    ['but if the provider failed on a duplicate', true, duplicate(500), duplicate(400)],
    ['not if nobody sends such a request', false, unusual(500), unusual(400)],
    [
      'not if another 2xx came back',
      false,
      { ...wrong, response: response(201, [], shows(OTHER)) },
      gets(200),
    ],
    ['if another tag came back', true, gets(200, { response: tagged }), gets(200)],
    ['if no plant came back', true, gets(200, { response: response(200) }), gets(200)],
    ['not if any plant may come back', false, { ...wrong, request: unnamed }, gets(200)],
    [
      'not if the provider had no time for it',
      false,
      gets(503, { response: later, turnedAway: true }),
      gets(200),
    ],
    ['if it was late beside others, and is not late now', true, late(true), gets(200)],
  ])('%s', (_what, expected, before, after) => {
    expect(isFixedOrInTime([before], [after])).toBe(expected);
  });

  test('only if all of its requests were sent again', () => {
    expect(isFixedOrInTime([gets(500), gets(500)], [gets(200)])).toBe(false);
    expect(isFixedOrInTime([gets(500), gets(500)], [gets(500), gets(200)])).toBe(true);
    expect(isFixedOrInTime([gets(500), gets(200)], [gets(200), gets(500)])).toBe(false);
    expect(isFixedOrInTime([gets(500), gets(500)], [gets(200), late(false)])).toBe(false);
  });

  test.each<[string, boolean, readonly Exchange[], readonly Exchange[]]>([
    ['if it was late beside others', true, [late(true), gets(200)], [gets(200), gets(200)]],
    ['not if it was late alone', false, [late(false)], [gets(200)]],
    ['not if it failed otherwise', false, [gets(500, { shared: true })], [gets(200)]],
    ['even if it fails now in another way', true, [late(true)], [gets(500)]],
    ['not if what fails now is worse', false, [late(true), gets(200)], [gets(500), gets(400)]],
  ])('for its time, %s', (_what, expected, before, after) => expect(isInTime(before, after)).toBe(expected));
});

describe('a provider has stopped', () => {
  const reset = { failure: { kind: 'reset', message: '' } } as const;
  const silent = [0, 1, 2, 3].map((at) =>
    exchange({ index: at, role: at === 0 ? 'judged' : 'confirmation', ...reset }),
  );

  const elsewhere = silent.map((one) => ({ ...one, probe: 'wrong-token' }));
  const unsent = silent.map((one): Exchange => ({ ...one, failure: { kind: 'not-sent', message: '' } }));

  test.each<[string, number | undefined, readonly Exchange[], readonly number[]]>([
    ['if it responds to nothing any more', 1, [exchange(), ...silent], []],
    ['not if it never responded', undefined, silent, []],
    ['if it never responded after a restart', 0, [exchange(), ...silent], [1]],
    ['not if only other requests get no response', undefined, [exchange(), ...elsewhere], []],
    ['not if plain plants were not sent', undefined, [exchange(), ...unsent], []],
    ['not with two plain plants at the end', undefined, [exchange(), ...silent.slice(0, 3)], []],
  ])('%s', (_what, after, exchanges, restarts) => expect(stopOf(exchanges, restarts)?.after).toBe(after));

  test('at the first request that counts', () => {
    const before = exchange({ ...reset, role: 'superseded' });
    expect(stopOf([exchange(), before, ...silent], [])?.first).toBe(silent[0]);
  });

  test('until it was started again, if it responds then', () => {
    const stop = stopOf([exchange(), ...silent, exchange()], [5]);
    expect(stop && untilRestart(stop)).toBe(', until it was started again');
  });
});
