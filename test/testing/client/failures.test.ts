import { inspect } from 'node:util';
import {
  createPlantClient,
  NoResponseError,
  type PlantClient,
  PlantStoreError,
  UnexpectedResponseError,
} from 'plant-store-contract/client';
import { errorCodes, type FaultName, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { startHandler } from '../../conformance/providers/handler.js';
import type { Provider } from '../../conformance/providers/provider.js';

const ALOE = { name: 'Aloe', id: 7 };

/** A server that sends one response to every request. */
function startServerWith(
  status: number,
  body: string | Uint8Array,
  type = 'application/json',
): Promise<Provider> {
  return startHandler((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': type }).end(body);
  });
}

/** The error of a creation, which must fail. */
async function failureOf(client: PlantClient, plant: unknown = ALOE): Promise<unknown> {
  try {
    await client.createPlant(plant as typeof ALOE);
  } catch (problem) {
    return problem;
  }
  throw new Error('the plant was created');
}

async function failureAt(url: string, plant?: unknown): Promise<unknown> {
  return failureOf(createPlantClient({ baseUrl: url, token: 'secret' }), plant);
}

describe('a rejection is a PlantStoreError', () => {
  test.each([
    ['without a name', { id: 7 }, 'name-missing'],
    ['with an id beyond int64', { ...ALOE, id: 2n ** 63n }, 'id-out-of-range'],
    ['with an id that exists', { name: 'Aloe', id: 99 }, 'id-duplicate'],
  ] as const)('of a plant %s, which is sent as it is', async (_what, plant, reason) => {
    await using store = await startPlantStore({ token: 'secret' });
    store.seed({ name: 'Seeded', id: 99 });
    const failure = await failureAt(store.url, plant);
    expect(failure).toBeInstanceOf(PlantStoreError);
    expect(failure).toMatchObject({ name: 'PlantStoreError', status: 400, error: errorCodes[reason] });
    expect((failure as Error).message).toBe(store.received()[0]?.rejection);
  });

  test.each([
    [401, '', 'application/json'],
    [413, '<html>', 'text/html'],
    [422, '{"detail":[]}', 'application/json'],
  ])('that conforms without an Error: %i with "%s"', async (status, body, type) => {
    await using server = await startServerWith(status, body, type);
    const failure = await failureAt(server.url);
    expect(failure).toBeInstanceOf(PlantStoreError);
    expect(failure).toMatchObject({ status, message: `the response ${status} has no Error` });
    expect((failure as PlantStoreError).error).toBeUndefined();
  });

  test.each([401, 503])('with status %i', async (status) => {
    await using server = await startServerWith(status, '{"error":-2147483648,"message":"no","more":1}');
    const failure = await failureAt(server.url);
    expect(failure).toBeInstanceOf(PlantStoreError);
    expect(failure).toMatchObject({ status, error: -2147483648, message: 'no' });
    expect(failure).toBeInstanceOf(Error);
  });
});

// What else does not conform: test/validation/response.test.ts.
const FAULTS: readonly [FaultName, status: number, at: string][] = [
  ['answers-201', 201, ''],
  ['omits-name', 200, '/name'],
  ['answers-text-plain', 200, '/content-type'],
  ['answers-html-errors', 400, '/content-type'],
  ['nests-error', 400, '/error'],
];

describe('a response that does not conform is an UnexpectedResponseError', () => {
  test.each(FAULTS)('fault %s', async (fault, status, at) => {
    await using store = await startPlantStore({ token: 'secret', faults: [fault] });
    const failure = await failureAt(store.url, status === 400 ? { name: 'Aloe' } : ALOE);
    expect(failure).toBeInstanceOf(UnexpectedResponseError);
    const { violations, message, name } = failure as UnexpectedResponseError;
    expect(failure).toMatchObject({ status });
    expect(violations.map(({ pointer }) => pointer)).toContain(at);
    expect(name).toBe('UnexpectedResponseError');
    expect(message).toContain(`the response ${status} does not conform: ${violations[0]?.message}`);
  });

  test('malformed JSON, and JSON in malformed UTF-8', async () => {
    for (const body of ['{"name":', Buffer.from([0x7b, 0xff, 0x7d])]) {
      await using server = await startServerWith(200, body);
      expect(await failureAt(server.url)).toMatchObject({ status: 200, violations: [{ keyword: 'json' }] });
    }
  });

  test('a redirect, which is not followed', async () => {
    const targets: (string | undefined)[] = [];
    await using server = await startHandler(({ url }, response) => {
      targets.push(url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(await failureAt(server.url)).toMatchObject({ status: 307, violations: [{ keyword: 'status' }] });
    expect(targets).toEqual(['/plants']);
  });
});

describe('an incomplete response is a NoResponseError with its cause', () => {
  test('if nothing listens', async () => {
    const { url } = await startPlantStore().then(async (store) => {
      await store.close();
      return store;
    });
    const failure = (await failureAt(url)) as NoResponseError;
    expect(failure).toBeInstanceOf(NoResponseError);
    expect(failure.message).toMatch(new RegExp(`^no complete response from ${url}/plants: .*ECONNREFUSED`));
    expect(failure.cause).toBeInstanceOf(TypeError);
  });

  test('if the body is incomplete', async () => {
    await using store = await startPlantStore({ token: 'secret', faults: ['truncates-answers'] });
    expect(await failureAt(store.url)).toBeInstanceOf(NoResponseError);
  });
});

const TOKEN = 'right-Token.of~the_store+1/2==';

/** All that a person or a log could read of a failure, its cause included. */
function asText(failure: unknown): string {
  return inspect(failure, { depth: 9, showHidden: true }) + JSON.stringify(failure);
}

// test/report/redaction.test.ts tries every spelling of a token.
test.each([
  ['a page', 403, `<p>${TOKEN}</p>`, 'text/html'],
  ['an Error', 400, `{"error":1,"message":"no such token: ${TOKEN}"}`, 'application/json'],
  [
    'a text that is cut inside it',
    400,
    `{"error":"${'a'.repeat(50)}${TOKEN}","message":""}`,
    'application/json',
  ],
])('no message contains a token that is returned in %s', async (_what, status, body, type) => {
  await using server = await startServerWith(status, body, type);
  const failure = await failureOf(createPlantClient({ baseUrl: server.url, token: TOKEN }));
  expect(failure).toMatchObject({ status });
  expect(asText(failure)).not.toContain(TOKEN.slice(0, 5));
});

test('neither does the client itself, or a failure of the connection', async () => {
  const client = createPlantClient({ baseUrl: 'http://127.0.0.1:1', token: TOKEN });
  const failure = await failureOf(client);
  expect(failure).toMatchObject({ name: 'NoResponseError' });
  expect(asText(failure) + asText(client)).not.toContain(TOKEN.slice(0, 5));
});
