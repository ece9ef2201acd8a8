import { describe, expect, test } from 'vitest';
import { readNativeResult } from '../../../src/pact/verification/native-result.js';

/** What Pact's verifier gives: results in the order of work, and failures beside them. */
function given(result: object, pendingAt?: readonly boolean[]) {
  return readNativeResult(JSON.stringify(result), pendingAt);
}

const failed = (description: string) => ({ description, result: { Error: 'x' } });
const failure = (description: string, mismatches: object[]) => ({
  interaction: `Verifying a pact between a and b - ${description}`,
  mismatch: { mismatches },
});
const ofStatus = { type: 'StatusMismatch', expected: 200, actual: 500, mismatch: 'expected 200 but was 500' };

test.each([
  ['a sentence', 'the pact is not there\n', 'the pact is not there'],
  ['nothing', ' ', 'Pact gave no result'],
  ['JSON of another form', '{"result":true}', '{"result":true}'],
  ['JSON that is no object', '[]', '[]'],
])('%s in place of a result is an error', (_name, text, error) => {
  expect(readNativeResult(text)).toEqual({ isOk: false, interactions: [], errors: [error], notices: [] });
});

describe('a failure', () => {
  test('is told by its description, and the mismatches in the order of an answer', () => {
    const body = { type: 'BodyMismatch', path: '$.name', expected: '"a"', actual: '"b"', mismatch: 'differ' };
    const header = { type: 'HeaderMismatch', key: 'Content-Type', mismatch: 'no such header' };
    const result = given({
      result: false,
      interactionResults: [{ description: 'one', result: 'OK' }, failed('two')],
      errors: [failure('two', [body, header, ofStatus])],
    });
    expect(result.isOk).toBe(false);
    expect(result.errors).toEqual([]);
    expect(result.interactions).toEqual([
      { description: 'one', isOk: true, isPending: false, mismatches: [] },
      {
        ...{ description: 'two', isOk: false, isPending: false },
        mismatches: [
          { part: 'status', expected: '200', actual: '500', message: 'expected 200 but was 500' },
          { part: 'header', path: 'Content-Type', message: 'no such header' },
          { part: 'body', path: '$.name', expected: '"a"', actual: '"b"', message: 'differ' },
        ],
      },
    ]);
  });

  test('of a kind that is not known is one of the body, without a sentence too', () => {
    const { interactions } = given({
      interactionResults: [failed('one')],
      errors: [failure('one', [{ type: 'MetadataMismatch', path: null }])],
    });
    expect(interactions[0]?.mismatches).toEqual([{ part: 'body', message: 'body differs' }]);
  });

  test('without a response is one of the request', () => {
    const { interactions } = given({
      interactionResults: [failed('one')],
      errors: [{ interaction: 'Verifying - one', mismatch: { type: 'error', message: 'refused' } }],
    });
    expect(interactions[0]?.mismatches).toEqual([{ part: 'request', message: 'refused' }]);
  });

  test('that nothing is said of is a failure all the same', () => {
    expect(given({ interactionResults: [failed('one')] }).interactions).toEqual([
      { description: 'one', isOk: false, isPending: false, mismatches: [] },
    ]);
  });
});

describe('a failure that counts for nothing', () => {
  test('is told by its place where that is known, of two of one description', () => {
    const { interactions, errors } = given(
      {
        interactionResults: [failed('one'), failed('one')],
        errors: [failure('one', [ofStatus])],
        pendingErrors: [failure('one', [])],
      },
      [true, false],
    );
    expect(interactions.map(({ isPending, mismatches }) => [isPending, mismatches.length])).toEqual([
      [true, 0],
      [false, 1],
    ]);
    expect(errors).toEqual([]);
  });

  test('is told by the list it is in where the place is not known', () => {
    const { interactions } = given({
      interactionResults: [failed('one')],
      pendingErrors: [failure('one', [ofStatus])],
    });
    expect(interactions[0]).toMatchObject({ isPending: true, mismatches: [{ part: 'status' }] });
  });
});

test('what belongs to no interaction is an error of the verification', () => {
  const { errors } = given({
    interactionResults: [],
    errors: [
      { interaction: 'the broker', mismatch: { message: 'not found' } },
      { mismatch: { mismatches: [ofStatus] } },
      { interaction: 'the pact' },
    ],
  });
  expect(errors).toEqual(['the broker: not found', 'expected 200 but was 500', 'the pact']);
});

test('notices are texts, or objects with one', () => {
  const { notices } = given({ interactionResults: [], notices: ['a', { text: 'b' }, { when: 'now' }] });
  expect(notices).toEqual(['a', 'b']);
});
