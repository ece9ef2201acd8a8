import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonSlices, sliceAt } from '../../src/validation/json-slices.js';

function at(text: string, ...path: (string | number)[]): string | undefined {
  const slice = sliceAt(text, path);
  return slice && text.slice(slice.start, slice.end);
}

describe('sliceAt', () => {
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
  const elements = (text: string, path: string[]): string[] => new JsonSlices(text).elementsAt(path);

  test('returns each as written', () => {
    expect(elements('{"list":[ {"a": 1.0} , [2,3],"x" ]}', ['list'])).toEqual(['{"a": 1.0}', '[2,3]', '"x"']);
    expect(elements('{"list":[ ]}', ['list'])).toEqual([]);
    expect(elements('{"list":{}}', ['list'])).toEqual([]);
  });
});
