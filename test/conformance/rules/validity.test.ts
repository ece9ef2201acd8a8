import { describe, expect, test } from 'vitest';
import { isValidPlant } from '../../../src/conformance/rules/validity.js';
import { exchange } from '../recorded.js';

const headers = [
  ['Authorization', 'Bearer a-token'],
  ['Content-Type', 'application/json'],
] as const;

function isValid(body: string | Uint8Array): boolean {
  return isValidPlant(exchange({ request: { headers, body: Buffer.from(body as string) } }));
}

describe('a plant beyond doubt', () => {
  test.each([
    ['is plain', '{"name":"Aloe","id":7}'],
    ['has escapes, white space and another order', '{ "\\u0069d" : 7 , "name" : "\\u0041loe" }'],
    ['has fractions and exponents in an unknown field', '{"name":"Aloe","id":7,"x":[1.5,1e2,-0.5E-10]}'],
    ['has a number with a point in a string', '{"name":"id 7.0","id":7,"x":"\\"id\\":7.0"}'],
    ['has 400 arrays in each other', `{"name":"Aloe","id":7,"x":${'['.repeat(400)}${']'.repeat(400)}}`],
  ])('%s', (_, body) => {
    expect(isValid(body)).toBe(true);
  });
});

describe('a plant that leaves doubt', () => {
  test.each([
    ['has its id as 7.0', '{"name":"Aloe","id":7.0}'],
    ['has its id as 7e0', '{"name":"Aloe","id":7e0}'],
    ['has an escaped key before a fraction', '{"name":"Aloe","\\u0069d":7.0}'],
    ['has a number beyond doubles', '{"name":"Aloe","id":7,"x":1e400}'],
    ['has a key twice', '{"name":"Aloe","id":7,"id":8}'],
    ['has half a surrogate pair', '{"name":"Aloe","id":7,"x":"\\ud800"}'],
    ['is nested deeper than we read', `{"name":"Aloe","id":7,"x":${'['.repeat(600)}${']'.repeat(600)}}`],
    ['is not a plant', '{"name":"Aloe"}'],
    ['is not JSON', '{"name":"Aloe","id":7'],
  ])('%s', (_, body) => {
    expect(isValid(body)).toBe(false);
  });
});
