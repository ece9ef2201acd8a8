import { failuresText, readFailures } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';

const request = {
  headers: [
    [
      'Authorization',
      [
        'Bearer ',
        { edit: ['x', { token: { from: 1, to: 'middle' } }, { edit: [{ token: {} }], as: 'reversed' }] },
        { unlessToken: 'null' },
        { wrongToken: true },
      ],
    ],
  ],
  body: ['{"id":', { fresh: 'id', of: 1, plus: '-4294967296' }, { base64: 'AAE=' }, '}'],
  plant: { name: { fresh: 'name' }, id: { fresh: 'id', of: 1 }, tag: 'x' },
  chunked: true,
};
const draft = {
  name: 'ids/pair',
  title: 'two ids',
  expectation: 'created',
  phase: 'valid',
  control: 'plain-plant',
  rules: ['request/ids-are-exact'],
  requests: [request],
};
const file = (failure: unknown) => JSON.stringify({ failuresVersion: 1, seed: 5, failures: [failure] });
const good = { rule: 'request/ids-are-exact', foundAfter: 12, draft };

describe('a file of failures', () => {
  test('is read as it was written', () => {
    expect(readFailures(file(good), 'f.json')).toEqual([good]);
    const failures = readFailures(file(good), 'f.json');
    expect(readFailures(failuresText({ seed: 5, failures }), 'f.json')).toEqual([good]);
  });

  test.each<[string, unknown, string]>([
    ['no JSON', '{', 'f.json is not JSON'],
    ['another version', '{"failuresVersion":2,"failures":[]}', '"failuresVersion" must be 1'],
    ['no list', '{"failuresVersion":1}', '"failures" must be a list'],
    ['a text for a failure', file('x'), '/failures/0 must be an object'],
    ['an unknown rule', file({ ...good, rule: 'a/b' }), '/failures/0/rule must be the id of a rule'],
    [
      'an unknown member',
      file({ ...good, draft: { ...draft, x: 1 } }),
      '/failures/0/draft/x must be left out',
    ],
    [
      'another phase',
      file({ ...good, draft: { ...draft, phase: 'x' } }),
      '/draft/phase must be one of control',
    ],
    [
      'another family',
      file({ ...good, draft: { ...draft, name: 'x/y' } }),
      '/draft/name must be the name of a generated probe',
    ],
    [
      'a body that is a number',
      file({ ...good, draft: { ...draft, requests: [{ body: 7 }] } }),
      '/draft/requests/0/body must be a string or one of the pieces',
    ],
    [
      'a header that splits the request',
      file({ ...good, draft: { ...draft, requests: [{ body: '', headers: [['X', 'a\r\nY: b']] }] } }),
      '/draft/requests/0/headers/0 must be a field that can be sent',
    ],
    [
      'too many requests',
      file({ ...good, draft: { ...draft, requests: Array(1001).fill({ body: '' }) } }),
      'a list of at most 1000 requests',
    ],
  ])('with %s is refused, with the place', (_what, text, sentence) => {
    expect(() => readFailures(String(text), 'f.json')).toThrow(sentence);
  });
});
