import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createPlantStore,
  type ListenOptions,
  startPlantStore,
  ToolkitError,
} from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';

const circular: Record<string, unknown> = {};
circular.self = circular;

// The option, an invalid value, and the sentence.
const WRONG: readonly (readonly [option: string, value: unknown, says: string])[] = [
  ...['', 'two words', 'naïve', '=a'].map((token) => ['token', token, 'characters'] as const),
  ['token', [], 'a list'],
  ['token', 7, 'a function'],
  ['authenticationFailureStatus', 404, '400 or 401 or 403; got 404'],
  ['schemeCase', 'loose', '"any" or "exact"; got "loose"'],
  ...[
    ...['id-taken', 'failure-set', 'internal-error'].map((reason) => ({ [reason]: { status: 409 } })),
    ...[{ status: 399 }, { status: 500 }, { error: 2 ** 31 }, { code: 7 }, 409].map((response) => ({
      'body-missing': {},
      'id-duplicate': response,
    })),
  ].map((value) => ['rejections', value, `"${Object.keys(value).at(-1)}" is `] as const),
  ['errorCodes', 'none', '"own", "status" or an int32; got "none"'],
  ['mediaTypes', 'text/plain', 'a list of media types'],
  ['duplicateId', 'ignore', '"reject" or "replace" or "reject-different"; got "ignore"'],
  ['unknownFields', 'replace', '"ignore" or "reject"; got "replace"'],
  ['failures', { status: 503 }, 'a list of failures; got'],
  ['delayMs', -1, 'from 0 to 2147483647; got -1'],
  ['delayMs', 2 ** 31, 'got 2147483648'],
  ['cors', ['http://localhost'], 'true or false'],
  ['logger', circular, 'a function'],
  ['faults', 'leaks-id', 'a list of fault names'],
  ['faults', ['leaks-id', 'leaks-name'], 'got "leaks-name"'],
  ['host', '', 'a host name'],
  ['port', 65_536, 'from 0 to 65535; got 65536'],
  ['port', Symbol('port'), 'got Symbol(port)'],
  ['bodyBytes', 2 ** 30 + 1, 'from 0 to 1073741824; got 1073741825'],
  ['requestTimeoutMs', 0, 'from 1 to 2147483647; got 0'],
];

/** The error for options, the same from both functions that create a store. */
async function errorOf(options: unknown): Promise<ToolkitError> {
  const error = await startPlantStore(options as ListenOptions).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ToolkitError);
  expect(() => createPlantStore(options as ListenOptions)).toThrow((error as ToolkitError).message);
  return error as ToolkitError;
}

describe('an invalid option is rejected with a sentence that names it', () => {
  test.each(WRONG)('%s: %o', async (option, value, says) => {
    const error = await errorOf({ [option]: value });
    expect(error).toMatchObject({ name: 'ToolkitError', code: 'invalid-option' });
    expect(error.message).toContain(`the option "${option}" must be `);
    expect(error.message).toContain(says);
  });
});

test.each(['two words', ['right', '']])(
  'no message shows the token %o, or says that it got one',
  async (token) => {
    expect((await errorOf({ token })).message).not.toContain('got');
  },
);

test.each([
  [{ tokne: 'a-secret-token' }, 'unknown option "tokne"; expected one of: host, port, token, cors,'],
  [{ toString: 1 }, 'unknown option "toString"'],
  [JSON.parse('{"__proto__":1}'), 'unknown option "__proto__"'],
  [{ bodybytes: 5 }, 'did you mean "bodyBytes"?'],
])('the message names the unknown option and lists the known ones: %o', async (options, says) => {
  const error = await errorOf(options);
  expect(error.code).toBe('invalid-option');
  expect(error.message).toContain(says);
});

test.each([null, 'a-secret-token', 7, ['a-secret-token']])('options of %o are rejected', async (options) => {
  const error = await errorOf(options);
  expect(error).toMatchObject({ code: 'invalid-option', message: 'the options must be an object' });
});

test('a port in use is an error with its cause', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await expect(startPlantStore({ port })).rejects.toMatchObject({
    name: 'ToolkitError',
    code: 'port-in-use',
    message: `port ${port} of 127.0.0.1 is in use; choose another, or 0 for a free one`,
    cause: { code: 'EADDRINUSE' },
  });
  await new Promise((resolve) => server.close(resolve));
});

test('a host of another machine cannot be listened on', async () => {
  // RFC 5737: an address for documentation.
  await expect(startPlantStore({ host: '192.0.2.1' })).rejects.toMatchObject({
    name: 'ToolkitError',
    code: 'cannot-listen',
    message: expect.stringContaining('cannot listen on port 0 of 192.0.2.1: '),
    cause: { code: 'EADDRNOTAVAIL' },
  });
});
