import {
  JsonNumber,
  type Violation,
  validateError,
  validateNewPlant,
  validatePlant,
} from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

const validators = { NewPlant: validateNewPlant, Plant: validatePlant, Error: validateError };

/** A violation of a value's type or range, whose message is made of its other parts. */
function wrong(field: string, keyword: string, expected: string, actual: string): Violation {
  const message = `"${field}" must be ${expected}; got ${actual}`;
  return { severity: 'error', part: 'body', pointer: `/${field}`, keyword, message, expected, actual };
}

function missing(field: string, owner: string): Violation {
  return {
    severity: 'error',
    part: 'body',
    pointer: `/${field}`,
    keyword: 'required',
    message: `"${field}" is missing; ${owner} requires it`,
    expected: `the field "${field}"`,
    actual: 'nothing',
  };
}

const notString = (field: string, actual: string) => wrong(field, 'type', 'a string', actual);
const noInt64 = (actual: string) => wrong('id', 'int64', 'an integer in the range of int64', actual);
const noInt32 = (actual: string) => wrong('error', 'int32', 'an integer in the range of int32', actual);

describe('a valid value has no violation', () => {
  test.each<[string, unknown]>([
    ['a NewPlant with a tag', { name: 'Aloe', id: 7, tag: 'succulent' }],
    ['the greatest int64', { name: 'Aloe', id: INT64_MAX }],
    ['the least int64', { name: 'Aloe', id: INT64_MIN }],
    ['the greatest double below 2^63', { name: 'Aloe', id: 2 ** 63 - 1024 }],
    ['texts of any characters', { name: '\0 🌱 \ud800', id: 7, tag: '\n' }],
    ['a tag that is undefined, as absent', { name: 'Aloe', id: 7, tag: undefined }],
    ['unknown fields', { name: 'Aloe', id: 7, colour: null, '': [] }],
    ['an object without a prototype', Object.assign(Object.create(null), { name: 'Aloe', id: 7 })],
  ])('NewPlant: %s', (_, value) => {
    expect(validateNewPlant(value)).toStrictEqual([]);
    // Every NewPlant is a Plant: the schemas say so with allOf.
    expect(validatePlant(value)).toStrictEqual([]);
  });

  test.each<[string, unknown]>([
    ['empty and zero', { error: 0, message: '' }],
    ['the greatest int32', { error: 2 ** 31 - 1, message: 'm' }],
    ['the least int32', { error: -(2 ** 31), message: 'm' }],
  ])('Error: %s', (_, value) => {
    expect(validateError(value)).toStrictEqual([]);
  });
});

describe('an invalid value has each violation once', () => {
  const noName = missing('name', 'a NewPlant');

  test.each<[string, unknown, Violation[]]>([
    ['no name', { id: 7 }, [noName]],
    ['nothing at all', {}, [noName, missing('id', 'a NewPlant')]],
    ['a number as name', { name: 7, id: 7 }, [notString('name', '7')]],
    ['a JsonNumber as name', { name: new JsonNumber('1e400', true), id: 7 }, [notString('name', '1e400')]],
    ['a null tag', { name: 'Aloe', id: 7, tag: null }, [notString('tag', 'null')]],
    ['an id in quotes', { name: 'Aloe', id: '7' }, [noInt64('the string "7"')]],
    ['a null id', { name: 'Aloe', id: null }, [noInt64('null')]],
    ['one past the greatest int64', { name: 'Aloe', id: INT64_MAX + 1n }, [noInt64('9223372036854775808')]],
    ['one past the least int64', { name: 'Aloe', id: INT64_MIN - 1n }, [noInt64('-9223372036854775809')]],
    ['2^63 as a double', { name: 'Aloe', id: 2 ** 63 }, [noInt64('9223372036854776000')]],
    ['the double below -2^63', { name: 'Aloe', id: -(2 ** 63) - 2048 }, [noInt64('-9223372036854778000')]],
    ['1e400', { name: 'Aloe', id: new JsonNumber('1e400', true) }, [noInt64('1e400')]],
    [
      'a text that a message just holds',
      { name: 'Aloe', id: 'x'.repeat(60) },
      [noInt64(`the string "${'x'.repeat(60)}"`)],
    ],
    [
      'a text too long for a message',
      { name: 'Aloe', id: 'x'.repeat(1000) },
      [noInt64(`the string "${'x'.repeat(60)}"… (1000 characters)`)],
    ],
    [
      'three wrong types',
      { name: 1, id: 'x', tag: null },
      [notString('name', '1'), notString('tag', 'null'), noInt64('the string "x"')],
    ],
    ['a missing and a wrong field', { id: 0.5, tag: 7 }, [noName, notString('tag', '7'), noInt64('0.5')]],
    // As the exact reader returns it: the key is an own property and sets no prototype.
    ['fields in __proto__ only', JSON.parse('{"__proto__":{"name":"Aloe"},"id":7}'), [noName]],
  ])('NewPlant: %s', (_, value, violations) => {
    expect(validateNewPlant(value)).toStrictEqual(violations);
  });

  test.each<[string, unknown, Violation[]]>([
    ['no name', { tag: 'succulent' }, [missing('name', 'a Plant')]],
    ['a null tag', { name: 'Aloe', tag: null }, [notString('tag', 'null')]],
  ])('Plant: %s', (_, value, violations) => {
    expect(validatePlant(value)).toStrictEqual(violations);
  });

  test.each<[string, unknown, Violation[]]>([
    ['no error', { message: 'm' }, [missing('error', 'an Error')]],
    ['nothing', {}, [missing('error', 'an Error'), missing('message', 'an Error')]],
    ['an error in quotes', { error: '3', message: 'm' }, [noInt32('the string "3"')]],
    ['one past the greatest int32', { error: 2 ** 31, message: 'm' }, [noInt32('2147483648')]],
    ['one past the least int32', { error: -(2 ** 31) - 1, message: 'm' }, [noInt32('-2147483649')]],
    ['both wrong', { error: null, message: 7 }, [noInt32('null'), notString('message', '7')]],
  ])('Error: %s', (_, value, violations) => {
    expect(validateError(value)).toStrictEqual(violations);
  });
});

describe.each([
  ['NewPlant', 'a NewPlant'],
  ['Plant', 'a Plant'],
  ['Error', 'an Error'],
] as const)('what is no object at all is no %s, said once', (schema, subject) => {
  test.each<[string, unknown, string]>([
    ['null', null, 'null'],
    ['nothing', undefined, 'nothing'],
    ['an array', [], 'an array'],
    ['a text', 'Aloe', 'the string "Aloe"'],
    ['a bigint', INT64_MAX, '9223372036854775807'],
    ['a JsonNumber', new JsonNumber('1e400', true), '1e400'],
  ])('%s', (_, value, actual) => {
    const expected = 'an object';
    const message = `${subject} must be an object; got ${actual}`;
    expect(validators[schema](value)).toStrictEqual([
      { severity: 'error', part: 'body', pointer: '', keyword: 'type', message, expected, actual },
    ]);
  });
});

test('one call does not affect the next, and its result does not change', () => {
  const first = validateNewPlant({ name: 1 });
  expect(first).toHaveLength(2);
  expect(validateNewPlant({ name: 'Aloe', id: 7 })).toStrictEqual([]);
  expect(validatePlant({})).toHaveLength(1);
  expect(first).toHaveLength(2);
});
