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
  const elements = (text: string, path: string[]): string[] => new JsonSlices(text).elementsAt(path);

  test('returns each as written', () => {
    expect(elements('{"list":[ {"a": 1.0} , [2,3],"x" ]}', ['list'])).toEqual(['{"a": 1.0}', '[2,3]', '"x"']);
    expect(elements('{"list":[ ]}', ['list'])).toEqual([]);
    expect(elements('{"list":{}}', ['list'])).toEqual([]);
  });
});

describe('as written,', () => {
  const slices = new JsonSlices('{"name":"Aloe","ids":[7.0, 8e0],"none":[]}');

  test.each([
    [['ids'], '[7.0, 8e0]'],
    [['ids', 1], '8e0'],
    [['tag'], undefined],
  ])('the value at %j is %j', (path, expected) => {
    expect(slices.textAt(path)).toBe(expected);
  });

  test.each([
    [['ids'], ['7.0', '8e0']],
    [['none'], []],
    [['name'], []],
    [[], []],
    [['tag'], []],
  ])('the elements at %j are %j', (path, expected) => {
    expect(slices.elementsAt(path)).toEqual(expected);
  });
});
