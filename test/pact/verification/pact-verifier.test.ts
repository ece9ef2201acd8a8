import { describe, expect, test } from 'vitest';
import { readNativeResult, startPactVerifier } from '../../../src/pact/verification/pact-verifier.js';

/** The result of Pact's verifier: the interactions in order, and a list of failures. */
function given(result: {
  readonly interactionResults: readonly object[];
  readonly [list: string]: readonly object[] | boolean;
}) {
  return readNativeResult(
    JSON.stringify({ errors: [], ...result }),
    result.interactionResults.map(() => false),
  );
}

const failed = (description: string) => ({ description, result: { Error: 'x' } });
const failure = (description: string, mismatches: object[]) => ({
  interaction: `Verifying a pact between a and b - ${description}`,
  mismatch: { mismatches },
});
const statusMismatch = {
  type: 'StatusMismatch',
  expected: 200,
  actual: 500,
  mismatch: 'expected 200 but was 500',
};

test.each([
  ['a sentence', 'the pact does not exist\n', 'the pact does not exist'],
  ['JSON of another form', '{"result":true}', '{"result":true}'],
])('%s instead of a result is an error', (_name, text, error) => {
  expect(readNativeResult(text, [false])).toEqual({ interactions: [], errors: [error] });
});

describe('a failure', () => {
  test('belongs to the interaction that it describes, and its mismatches are in the order of a response', () => {
    const body = { type: 'BodyMismatch', path: '$.name', expected: '"a"', actual: '"b"', mismatch: 'differ' };
    const header = { type: 'HeaderMismatch', key: 'Content-Type', mismatch: 'no such header' };
    const result = given({
      result: false,
      interactionResults: [{ description: 'one', result: 'OK' }, failed('two')],
      errors: [failure('two', [body, header, statusMismatch])],
    });
    expect(result.errors).toEqual([]);
    expect(result.interactions).toEqual([
      [],
      [
        { part: 'status', expected: '200', actual: '500', message: 'expected 200 but was 500' },
        { part: 'header', path: 'Content-Type', message: 'no such header' },
        { part: 'body', path: '$.name', expected: '"a"', actual: '"b"', message: 'differ' },
      ],
    ]);
  });
});

test('a result of other interactions than those of the pact is about none of them', () => {
  const text = JSON.stringify({ interactionResults: [{ description: 'one', result: 'OK' }] });
  expect(readNativeResult(text, [false, false])).toEqual({ interactions: [], errors: [] });
});

test('a process without a result in time is stopped, with what it said', async () => {
  const verifier = startPactVerifier();
  const options = { providerBaseUrl: 'http://127.0.0.1:9', provider: 'plant-store', pactUrls: ['none.json'] };
  await expect(verifier.verify(options, 1)).rejects.toMatchObject({
    code: 'pact-broke',
    message: expect.stringContaining("Pact's verifier was stopped after 0.001 s and has no result"),
  });
  verifier.stop();
  await expect(verifier.verify(options, 60_000)).rejects.toMatchObject({ code: 'pact-broke' });
});
