import { describe, expect, test } from 'vitest';
import { type Exchange, overlap } from '../../../src/conformance/exchange.js';
import { MixedResponses } from '../../../src/conformance/judge/facts.js';
import { FRESH_NAME, freshValues, type Probe } from '../../../src/conformance/probe.js';
import { evidenceOf } from '../evidence.js';
import { answer, checkedInProcess, type Passing, token } from '../in-process.js';
import { exchange, probe, response } from '../recorded.js';

const [MINE, OTHER] = ['Aloeaaaaaa', 'Aloebbbbbb'];

/** A text with every character as an escape of JSON. */
function inEscapes(text: string): string {
  return [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}

function sent(name: string, answer: string, given: Partial<Exchange> = {}): Exchange {
  return exchange({
    request: {
      headers: [],
      body: Buffer.from(JSON.stringify({ name, id: 7 })),
      id: 7,
      plant: { name, id: 7 },
    },
    response: response(200, [], answer),
    ...given,
  });
}

function mixedOf(exchanges: readonly Exchange[], probes: readonly Probe[] = [probe()]): MixedResponses {
  return new MixedResponses(exchanges, new Map(probes.map((one) => [one.name, one])));
}

const other = sent(OTHER, `{"name":"${OTHER}"}`, { probe: 'wrong-token', index: 1 });

test('every fresh name is found', () => {
  const { freshName } = freshValues(token);
  const names = [freshName(), freshName()];
  expect(`${names[0]}${names[1]}x`.match(FRESH_NAME)).toEqual(names);
});

describe('a response', () => {
  test.each<[string, number, string, boolean]>([
    ['with its own name is its own', 200, `{"name":"${MINE}"}`, false],
    ['with the plant of another request is mixed', 200, `{"name":"${OTHER}"}`, true],
    ['with a message that names another plant is mixed', 400, `{"error":1,"message":"see ${OTHER}"}`, true],
    ['with the plant of another request in escapes is mixed', 200, `{"name":"${inEscapes(OTHER)}"}`, true],
    ['with a name that no request has is its own', 200, '{"name":"Aloecccccc"}', false],
  ])('%s', (_what, status, body, isMixed) => {
    const one = sent(MINE, body, { response: response(status, [], body) });
    expect(mixedOf([one, other]).of(one)?.owner).toBe(isMixed ? other : undefined);
  });

  test('with a name that two requests of its probe have is its own', () => {
    const both = [0, 1].map((index) => sent(MINE, `{"name":"${MINE}"}`, { index, step: index }));
    const mixed = mixedOf([...both, other], [probe({ together: true })]);
    for (const one of both) {
      expect(mixed.of(one)).toBeUndefined();
      expect(mixed.isOwn(one)).toBe(true);
    }
  });

  test('to a duplicate id may have the plant with that id', () => {
    const one = sent(MINE, `{"name":"${OTHER}"}`);
    const duplicate = { ...one, request: { ...one.request, idMayExist: true } };
    expect(mixedOf([duplicate, other]).of(duplicate)).toBeUndefined();
  });

  test.each<[string, Partial<Probe>, boolean]>([
    ['a sequence may show a plant with a similar id', {}, false],
    ['requests at the same time may not', { together: true }, true],
    ['requests on one connection may not', { oneConnection: true }, true],
  ])('of %s', (_what, given, isMixed) => {
    const [first, second] = [sent(OTHER, '{}'), sent(MINE, `{"name":"${OTHER}"}`, { index: 1, step: 1 })];
    expect(mixedOf([first, second], [probe(given)]).of(second) !== undefined).toBe(isMixed);
  });

  describe('if a duplicate id shows the plant that exists,', () => {
    const first = sent('Aloecccccc', '{"name":"Aloecccccc"}', { probe: 'repeated-id', index: 2 });
    const { request } = sent('Aloedddddd', '');
    const duplicate = sent('Aloedddddd', '{"name":"Aloecccccc"}', {
      ...{ probe: 'repeated-id', index: 3, step: 1, request: { ...request, idMayExist: true } },
    });
    const one = sent(MINE, `{"name":"${OTHER}"}`);
    const invalid = { ...one, expectation: 'rejected' } as const;
    const otherPlant = response(200, [], '{"name":"Aloedddddd"}');

    test.each<[string, Exchange, readonly Exchange[], boolean]>([
      ['the response to an invalid request may, too', invalid, [first, duplicate], false],
      ['but not if none does', invalid, [], true],
      ['but not if only another probe does', invalid, [first, { ...duplicate, probe: 'id-zero' }], true],
      ['but not if it shows its own plant', invalid, [first, { ...duplicate, response: otherPlant }], true],
      ['but not if its id was fresh', invalid, [first, { ...duplicate, request }], true],
      ['that to a valid request with a fresh id may not', one, [first, duplicate], true],
    ])('%s', (_what, asked, others, isMixed) => {
      expect(mixedOf([asked, other, ...others]).of(asked)?.owner).toBe(isMixed ? other : undefined);
    });
  });

  test('from another path is not looked at', () => {
    const one = sent(MINE, `{"name":"${OTHER}"}`);
    const get = { ...one, request: { ...one.request, otherOperation: { method: 'GET', path: '/' } } };
    expect(mixedOf([get, other]).of(get)).toBeUndefined();
  });

  test('that cannot be decoded is not looked at', () => {
    const answer = response(200, [['Content-Encoding', 'gzip']], `{"name":"${OTHER}"}`);
    const one = sent(MINE, '', { response: answer });
    expect(mixedOf([one, other]).of(one)).toBeUndefined();
  });

  test.each([
    [2 ** 16, true],
    [2 ** 16 + 1, false],
  ])('of %d bytes is looked at: %s', (length, isMixed) => {
    const one = sent(MINE, `{"name":"${OTHER}"}`.padEnd(length));
    expect(mixedOf([one, other]).of(one) !== undefined).toBe(isMixed);
  });

  test.each<[string, Partial<Exchange['request']>]>([
    ['escaped', { plant: { name: OTHER, id: 7 } }],
    ['in the query', { query: `?name=${OTHER}` }],
  ])('with a name that another request has %s is mixed', (_what, given) => {
    const one = sent(MINE, `{"name":"${OTHER}"}`);
    const owner = exchange({
      probe: 'wrong-token',
      index: 1,
      request: { headers: [], body: Buffer.of(), ...given },
    });
    expect(mixedOf([one, owner]).of(one)).toEqual({ name: OTHER, owner });
  });

  test.each([
    [`{"name":"${MINE}"}`, true],
    [`{"name":"${OTHER}","was":"${MINE}"}`, true],
    [`{"name":"${inEscapes(MINE)}"}`, true],
    [`{"name":"${inEscapes(MINE).toUpperCase().replaceAll('U', 'u')}"}`, true],
    [`{"name":"${inEscapes(OTHER)}"}`, false],
    [`{"name":"${OTHER}"}`, false],
    ['{"name":"Aloecccccc"}', false],
    ['{}', false],
  ])('%s is its own: %s', (body, isOwn) => {
    const one = sent(MINE, body);
    expect(mixedOf([one, other]).isOwn(one)).toBe(isOwn);
  });
});

describe('a response with a name that several requests have', () => {
  const fixed = sent('null', '{"name":"null"}', { startMs: 100 });
  const mixed = sent('Aloecccccc', `{"name":"${OTHER}"}`, { index: 3 });

  test.each<[string, Exchange, boolean]>([
    ['is mixed if it is that of a concurrent request', sent(MINE, '{"name":"null"}', { startMs: 100 }), true],
    ['is its own if the other was not concurrent', sent(MINE, '{"name":"null"}', { startMs: 50 }), false],
    ['is its own if it has that name too', sent('null', '{"name":"null"}', { startMs: 100 }), false],
    ['is its own if it has no name', sent(MINE, '{}', { startMs: 100 }), false],
    ['is its own if it is no plant', sent(MINE, '["null"]', { startMs: 100 }), false],
    ['is its own if it is null', sent(MINE, 'null', { startMs: 100 }), false],
    ['is its own if it is not JSON', sent(MINE, 'null and void', { startMs: 100 }), false],
  ])('%s', (_what, one, isMixed) => {
    expect(mixedOf([fixed, one]).belongsToAnother(one)).toBe(false);
    expect(mixedOf([fixed, one, mixed, other]).belongsToAnother(one)).toBe(isMixed);
  });

  test('is mixed if one of the requests with that name was concurrent', () => {
    const one = sent(MINE, '{"name":"null"}', { startMs: 100 });
    const earlier = { ...fixed, startMs: 0 };
    expect(mixedOf([earlier, fixed, one, mixed, other]).belongsToAnother(one)).toBe(true);
  });

  test('is mixed in any case if the name is fresh', () => {
    expect(mixedOf([mixed, { ...other, startMs: 100 }]).belongsToAnother(mixed)).toBe(true);
  });
});

test.each([
  [0, false],
  [10, true],
  [15, true],
  [30, true],
  [31, false],
])('two exchanges overlap if one begins before the other ends (at %d ms: %s)', (startMs, expected) => {
  const [long, short] = [exchange({ startMs: 20, durationMs: 10 }), exchange({ startMs, durationMs: 10 })];
  expect([overlap(long, short), overlap(short, long)]).toEqual([expected, expected]);
});

test('one response that belongs to an earlier request fails, whichever request gets it', async () => {
  let last = '';
  let requests = 0;
  const late = ({ body, pass }: Passing) => {
    const name = /"name":"(Aloe[a-z]{6})"/.exec(body)?.[1] ?? '';
    const previous = last;
    if (name !== '') last = name;
    return ++requests === 40 && previous !== '' ? answer(200, { name: previous }) : pass();
  };
  const report = await checkedInProcess(late, { only: ['success', 'state'] });
  const [failure, ...others] = evidenceOf(report, 'state/answers-do-not-mix');
  expect(failure?.actual).toMatch(/^a 200 with "Aloe[a-z]{6}", the name in another request$/);
  expect(others).toEqual([]);
  expect(report.rules.find(({ id }) => id === 'success/name-comes-back')?.verdict).toBe('pass');
});
