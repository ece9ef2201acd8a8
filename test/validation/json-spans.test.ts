import fc from 'fast-check';
import { expect, test } from 'vitest';
import { elementsAt, replacedAt, spanAt } from '../../src/validation/json.js';

const text = ' { "a" : [ 1.0 , {"b\\"":"}],"} ] , "id":9223372036854775807, "c":{} , "ü" : 7e0, "id":8 } ';

test.each<[(string | number)[], string | undefined]>([
  [[], text.trim()],
  [['a', 0], '1.0'],
  [['a', 1, 'b"'], '"}],"'],
  [['id'], '8'],
  [['ü'], '7e0'],
  [['c', 'd'], undefined],
  [['a', 2], undefined],
  [['a', 'b'], undefined],
  [['a', '0.0'], undefined],
  [['a', 0, 'x'], undefined],
])('the text at %j, and another text in its place', (path, expected) => {
  const span = spanAt(text, path);
  expect(span && text.slice(span.start, span.end)).toBe(expected);
  const replaced = span && `${text.slice(0, span.start)}[]${text.slice(span.end)}`;
  expect(replacedAt(text, path, '[]')).toBe(replaced);
});

test('finds every value that JSON.parse finds', () => {
  const indent = fc.integer({ min: 0, max: 4 });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), indent, (value, spaces) => {
      const json = JSON.stringify(value, null, spaces);
      for (const [key, member] of Object.entries(JSON.parse(json))) {
        const { start, end } = spanAt(json, [key]) ?? {};
        expect(JSON.parse(json.slice(start, end))).toEqual(member);
      }
    }),
  );
});

test('elementsAt returns each as written', () => {
  expect(elementsAt('{"list":[ {"a": 1.0} , [2,3],"x" ]}', ['list'])).toEqual(['{"a": 1.0}', '[2,3]', '"x"']);
  expect(elementsAt('{"list":[ ]}', ['list'])).toEqual([]);
  expect(elementsAt('{"list":{}}', ['list'])).toEqual([]);
});
