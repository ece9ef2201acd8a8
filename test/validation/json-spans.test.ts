import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonSpans } from '../../src/validation/json.js';

function at(text: string, ...path: (string | number)[]): string | undefined {
  return new JsonSpans(text).textAt(path);
}

describe('textAt', () => {
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
  const elements = (text: string, path: string[]): string[] => new JsonSpans(text).elementsAt(path);

  test('returns each as written', () => {
    expect(elements('{"list":[ {"a": 1.0} , [2,3],"x" ]}', ['list'])).toEqual(['{"a": 1.0}', '[2,3]', '"x"']);
    expect(elements('{"list":[ ]}', ['list'])).toEqual([]);
    expect(elements('{"list":{}}', ['list'])).toEqual([]);
  });
});

describe('at', () => {
  test('counts characters', () => {
    expect(new JsonSpans(' {"ë":"ü","id":7}').at(['id'])).toEqual({ start: 15, end: 16 });
    expect(new JsonSpans(Buffer.from(' [7] ')).at([])).toEqual({ start: 1, end: 4 });
  });
});

describe('replacedAt', () => {
  test.each<[string, (string | number)[], string | undefined]>([
    [' {"ë" : 1.0 , "id":7e0}\n', ['id'], ' {"ë" : 1.0 , "id":8}\n'],
    ['{"id":1,"id":"two"}', ['id'], '{"id":1,"id":8}'],
    ['["ü",[7 ],"x"]', [1, 0], '["ü",[8 ],"x"]'],
    ['{"tag":7}', ['id'], undefined],
  ])('%j at %j', (text, path, expected) => {
    expect(new JsonSpans(text).replacedAt(path, '8')).toBe(expected);
  });
});
