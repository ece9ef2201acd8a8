import { expect, test } from 'vitest';
import { readPact } from '../../../src/pact/pacts.js';
import { sizeProblem } from '../../../src/pact/verification/pact-verifier.js';
import { pactOf } from './pacts.js';

/** The problem of a pact with these generators, or with a matcher of its response. */
function problemOf(generators: string, matcher = '{"match":"type"}'): string | undefined {
  const text = pactOf([{ description: 'fine' }, { description: 'a creation', generators }]);
  return sizeProblem(readPact(text.replaceAll('{"match":"type"}', matcher), 'pact.json'));
}

const regex = (pattern: string): string =>
  `{"body":{"$.name":${JSON.stringify({ type: 'Regex', regex: pattern })}}}`;

test.each([
  '{"body":{"$.id":{"type":"RandomInt","min":1,"max":2147483647}}}',
  '{"body":{"$.name":{"type":"RandomString","size":10000}},"header":{"X":{"type":"Uuid"}}}',
  regex('\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?'),
  regex('\\{99999\\}[{99999}]'),
])('%s asks for little', (generators) => {
  expect(problemOf(generators)).toBeUndefined();
});

test.each([
  '{"body":{"$.name":{"type":"RandomString","size":10001}}}',
  '{"path":{"type":"RandomHexadecimal","digits":9223372036854775807}}',
  `{"body":{"$.day":{"type":"Date","format":"${'y'.repeat(10_001)}"}}}`,
  regex('((ab{2}){100}){100}'),
  regex('(?x)a{20 000}'),
  '{"header":{"X":{"type":"Regex","regex":"(a{101}){100}"}}}',
])('%s asks for too much', (generators) => {
  expect(problemOf(generators)).toBe(
    'a matcher or generator of "a creation" asks for more than 10000 characters',
  );
});

test('a matcher asks as a generator does', () => {
  const variant = '{"index":0,"rules":{},"generators":{"$":{"type":"RandomString","size":65535}}}';
  expect(problemOf('{}', `{"match":"arrayContains","variants":[${variant}]}`)).toMatch(/more than 10000/);
  expect(problemOf('{}', '{"match":"regex","regex":"a{10001}"}')).toMatch(/more than 10000/);
});
