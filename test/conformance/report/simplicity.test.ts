import { expect, test } from 'vitest';
import type { ProbeRequest } from '../../../src/conformance/exchange.js';
import { bySimplicity, complexityOf } from '../../../src/conformance/report/findings.js';

const HEADERS = [
  ['Authorization', 'Bearer token'],
  ['Content-Type', 'application/json'],
] as const;

function request(text: string, given: Partial<ProbeRequest> = {}): ProbeRequest {
  return { headers: HEADERS, body: Buffer.from(text), ...given };
}

const PLAIN = request('{"name":"Aloe","id":123}', { id: 123 });

/** What is sent, the simplest first: each is as far from a plain plant as the one before it, or further. */
const SENT: readonly (readonly [what: string, requests: readonly ProbeRequest[], isControl?: true])[] = [
  ['a plain plant, as a control', [PLAIN], true],
  [
    'a plain plant with a tag, as a control',
    [request('{"name":"Aloe","id":123,"tag":"succulent"}', { id: 123 })],
    true,
  ],
  ['a plain plant', [PLAIN]],
  ['a plain plant with a longer name', [request('{"name":"Barbadensis","id":123}', { id: 123 })]],
  ['a plant without a name', [request('{"id":123}', { id: 123 })]],
  ['a plant without an id', [request('{"name":"Aloe"}')]],
  ['a plant whose id is true', [request('{"name":"Aloe","id":true}')]],
  ['a plain plant with a tag', [request('{"name":"Aloe","id":123,"tag":"herb"}', { id: 123 })]],
  ['a plant with an empty body', [request('')]],
  ['an object without a field', [request('{}')]],
  ['a plant whose tag is null', [request('{"name":"Aloe","id":123,"tag":null}', { id: 123 })]],
  ['two plain plants', [PLAIN, PLAIN]],
  ['a plain plant, and one without a name', [PLAIN, request('{"id":123}', { id: 123 })]],
];

test('fewer and plainer differences from a plain plant are simpler', () => {
  const measured = SENT.map(([what, requests, isControl = false]) => ({
    what,
    complexity: complexityOf({ requests, isControl }, PLAIN),
  }));
  const sorted = [...measured].reverse().sort((a, b) => bySimplicity(a.complexity, b.complexity));
  expect(sorted.map(({ what }) => what)).toEqual(SENT.map(([what]) => what));
});

test.for<[what: string, other: ProbeRequest]>([
  ['no token', request('{"name":"Aloe","id":123}', { headers: HEADERS.slice(1), id: 123 })],
  [
    'two tokens',
    request('{"name":"Aloe","id":123}', { headers: [...HEADERS, ['Authorization', 'x']], id: 123 }),
  ],
  [
    'another media type',
    request('{"name":"Aloe","id":123}', { headers: [['Content-Type', 'text/plain']], id: 123 }),
  ],
  ['a query', { ...PLAIN, query: '?a=1' }],
  ['chunks', { ...PLAIN, chunked: true }],
  ['a large id', request('{"name":"Aloe","id":4294967296}', { id: 4294967296 })],
  ['a negative id', request('{"name":"Aloe","id":-1}', { id: -1 })],
  ['an id of 30 digits', request(`{"name":"Aloe","id":1${'0'.repeat(29)}}`)],
  ['an emoji', request('{"name":"🌵","id":123}', { id: 123 })],
  ['spaces', request('{ "name": "Aloe", "id": 123 }', { id: 123 })],
  ['another order', request('{"id":123,"name":"Aloe"}', { id: 123 })],
  ['a field twice', request('{"name":"Agave","name":"Aloe","id":123}', { id: 123 })],
  ['an unknown field', request('{"name":"Aloe","id":123,"colour":"green"}', { id: 123 })],
  ['no JSON', request('{"name":"Aloe","id":123', { id: 123 })],
  ['an array', request('[{"name":"Aloe","id":123}]', { id: 123 })],
])('%s is less simple than a plain plant', ([, other]) => {
  const of = (one: ProbeRequest) => complexityOf({ requests: [one], isControl: false }, PLAIN);
  expect(of(other)[2]).toBeGreaterThan(of(PLAIN)[2] as number);
  expect(bySimplicity(of(PLAIN), of(other))).toBeLessThan(0);
});

test('the digits of a random id make no difference', () => {
  const of = (id: number) =>
    complexityOf({ requests: [request(`{"name":"Aloe","id":${id}}`, { id })], isControl: false }, PLAIN);
  expect(bySimplicity(of(7), of(1234567890))).toBe(0);
});
