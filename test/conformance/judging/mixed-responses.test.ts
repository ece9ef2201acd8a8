import { checkConformance } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/conformance/exchange.js';
import { MixedResponses } from '../../../src/conformance/judging/mixed-responses.js';
import type { Probe } from '../../../src/conformance/probe.js';
import { FRESH_NAME, freshValues } from '../../../src/conformance/sending/fresh-values.js';
import { evidenceOf } from '../evidence.js';
import { startInFront } from '../providers/in-front.js';
import { exchange, probe, response } from '../recorded.js';

const token = 'token-of-these-tests';
const [MINE, OTHER] = ['Aloeaaaaaa', 'Aloebbbbbb'];

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
    ['with a name that no request has is its own', 200, '{"name":"Aloecccccc"}', false],
  ])('%s', (_what, status, body, isMixed) => {
    const one = sent(MINE, body, { response: response(status, [], body) });
    expect(mixedOf([one, other]).of(one)?.owner).toBe(isMixed ? other : undefined);
  });

  test('to a duplicate id may have the plant with that id', () => {
    const one = sent(MINE, `{"name":"${OTHER}"}`);
    const duplicate = { ...one, request: { ...one.request, idMayExist: true } };
    expect(mixedOf([duplicate, other]).of(duplicate)).toBeUndefined();
  });

  test('to an invalid request may have an existing plant, if duplicate ids do', () => {
    const invalid = sent(MINE, `{"name":"${OTHER}"}`, { expectation: 'rejected' });
    const [first, second] = [
      sent('Aloecccccc', '{"name":"Aloecccccc"}', { probe: 'repeated-id', index: 2 }),
      sent('Aloedddddd', '{"name":"Aloecccccc"}', { probe: 'repeated-id', index: 3, step: 1 }),
    ];
    const duplicate = { ...second, request: { ...second.request, idMayExist: true } };
    expect(mixedOf([invalid, other]).of(invalid)?.owner).toBe(other);
    expect(mixedOf([invalid, other, first, duplicate]).of(invalid)).toBeUndefined();
  });

  test.each<[string, Partial<Probe>, boolean]>([
    ['a sequence may show a plant with a similar id', {}, false],
    ['requests at the same time may not', { together: true }, true],
    ['requests on one connection may not', { oneConnection: true }, true],
  ])('of %s', (_what, given, isMixed) => {
    const [first, second] = [sent(OTHER, '{}'), sent(MINE, `{"name":"${OTHER}"}`, { index: 1, step: 1 })];
    expect(mixedOf([first, second], [probe(given)]).of(second) !== undefined).toBe(isMixed);
  });

  test('with a name that several requests have is mixed if others are', () => {
    const [fixed, one] = [sent('null', '{"name":"null"}'), sent(MINE, '{"name":"null"}', { index: 2 })];
    expect(mixedOf([fixed, one]).belongsToAnother(one)).toBe(false);
    const mixed = sent('Aloecccccc', `{"name":"${OTHER}"}`, { index: 3 });
    expect(mixedOf([fixed, one, mixed, other]).belongsToAnother(one)).toBe(true);
  });
});

test('one response that belongs to an earlier request fails, whichever request gets it', async () => {
  let last = '';
  let requests = 0;
  await using provider = await startInFront({ token }, async ({ body, response: answer, pass }) => {
    const name = /"name":"(Aloe[a-z]{6})"/.exec(body.toString())?.[1] ?? '';
    const isLate = ++requests === 40 && last !== '';
    const previous = last;
    if (name !== '') last = name;
    if (!isLate) return pass();
    answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ name: previous }));
  });
  const report = await checkConformance({ baseUrl: provider.url, token, prism: false });
  const [failure, ...others] = evidenceOf(report, 'state/answers-do-not-mix');
  expect(failure?.actual).toMatch(/^a 200 with "Aloe[a-z]{6}", the name in another request$/);
  expect(others).toEqual([]);
  expect(report.rules.find(({ id }) => id === 'success/name-comes-back')?.verdict).toBe('pass');
});
