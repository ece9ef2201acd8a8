import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elementsAt, replacedAt, spanAt } from '../../src/validation/json.js';

function at(text: string, ...path: (string | number)[]): string | undefined {
  const span = spanAt(text, path);
  return span && text.slice(span.start, span.end);
}

describe('the text at a path', () => {
  const text = ' { "a" : [ 1.0 , {"b\\"":"}],"} ] , "id":9223372036854775807, "c":{} , "id" : 7e0 } ';

  test.each<[(string | number)[], string | undefined]>([
    [[], text.trim()],
    [['a'], '[ 1.0 , {"b\\"":"}],"} ]'],
    [['a', 0], '1.0'],
    [['a', 1, 'b"'], '"}],"'],
    [['id'], '7e0'],
    [['c'], '{}'],
    [['c', 'd'], undefined],
    [['a', 2], undefined],
    [['a', 'b'], undefined],
    [[0], undefined],
    [['a', 0, 'x'], undefined],
  ])('%j', (path, expected) => {
    expect(at(text, ...path)).toBe(expected);
  });

  test.each(['1.0', '+1', ' 1', '1e0'])('takes %j for no index', (step) => {
    expect(at('[7,8]', step)).toBeUndefined();
  });

  test('finds an element after the tenth', () => {
    expect(at('[0,1,2,3,4,5,6,7,8,9,"Aloe"]', '10')).toBe('"Aloe"');
  });

  test('finds every value that JSON.parse finds', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 0, max: 4 }),
        (value, indent) => {
          const json = JSON.stringify(value, null, indent);
          for (const [key, member] of Object.entries(JSON.parse(json)))
            expect(JSON.parse(at(json, key) ?? 'undefined')).toEqual(member);
        },
      ),
    );
  });
});

describe('elementsAt', () => {
  test('returns each as written', () => {
    expect(elementsAt('{"list":[ {"a": 1.0} , [2,3],"x" ]}', ['list'])).toEqual([
      '{"a": 1.0}',
      '[2,3]',
      '"x"',
    ]);
    expect(elementsAt('{"list":[ ]}', ['list'])).toEqual([]);
    expect(elementsAt('{"list":{}}', ['list'])).toEqual([]);
  });
});

describe('spanAt', () => {
  test('counts characters', () => {
    expect(spanAt(' {"ë":"ü","id":7}', ['id'])).toEqual({ start: 15, end: 16 });
    expect(spanAt(' [7] ', [])).toEqual({ start: 1, end: 4 });
  });
});

describe('replacedAt', () => {
  test.each<[string, (string | number)[], string | undefined]>([
    [' {"ë" : 1.0 , "id":7e0}\n', ['id'], ' {"ë" : 1.0 , "id":8}\n'],
    ['{"id":1,"id":"two"}', ['id'], '{"id":1,"id":8}'],
    ['["ü",[7 ],"x"]', [1, 0], '["ü",[8 ],"x"]'],
    ['{"tag":7}', ['id'], undefined],
  ])('%j at %j', (text, path, expected) => {
    expect(replacedAt(text, path, '8')).toBe(expected);
  });
});
