import * as matchers from 'plant-store-contract/matchers';
import { describe, expect, test } from 'vitest';

expect.extend(matchers);

const JSON_TYPE = { 'content-type': 'application/json' };

/** The message of a failing assertion. */
async function thrown(assert: () => unknown): Promise<string> {
  try {
    await assert();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('nothing was thrown');
}

describe('a message', () => {
  test('lists every violation: where it is, what was expected, and what was received', async () => {
    const response = {
      status: 200,
      headers: { 'content-type': 'text/plain' },
      body: '{"name":"Aloe","tag":null,"id":7}',
    };
    expect(await thrown(() => expect(response).toConformToPlantStore())).toBe(
      [
        'this is not a conforming response (status 200):',
        '  header /content-type: the Content-Type must be application/json; got "text/plain"',
        '  body /tag: "tag" must be a string; got null',
        '  body /id: a Plant has no field "id"; got 7',
      ].join('\n'),
    );
    expect(await thrown(() => expect({ name: 'Aloe', id: '7' }).toBeNewPlant())).toBe(
      'this is not a NewPlant:\n  body /id: "id" must be an integer in the range of int64; got the string "7"',
    );
  });

  test('of a response with warnings says so, if they count', async () => {
    const response = {
      status: 401,
      headers: { 'content-type': 'text/html' },
      body: '{"error":1,"message":""}',
    };
    expect(response).toConformToPlantStore();
    expect(await thrown(() => expect(response).toConformToPlantStore({ strict: true }))).toBe(
      'this is not a conforming response (status 401):\n' +
        '  header /content-type: the Content-Type must be application/json; got "text/html"',
    );
    expect(await thrown(() => expect({ ...response, body: '' }).toBePlantStoreError())).toContain('missing');
  });

  test('about a response with another status says which status was expected', async () => {
    const rejection = { status: 400, headers: JSON_TYPE, body: '{"error":40,"message":"duplicate"}' };
    expect(await thrown(() => expect(rejection).toBePlant())).toBe(
      'this is not a Plant (status 400):\n  the status must be 200; got 400',
    );
    const plant = { status: 200, headers: JSON_TYPE, body: '{"name":"Aloe"}' };
    expect(await thrown(() => expect(plant).toBePlantStoreError())).toContain(
      'the status must be 400 or another 4xx; got 200',
    );
    // Here an Error is asked for, so a 4xx without one is not enough.
    expect(
      await thrown(() => expect({ status: 401, headers: {}, body: '' }).toBePlantStoreError()),
    ).toContain('the body is missing');
    expect({ status: 401, headers: {}, body: '' }).toConformToPlantStore();
  });

  test('is short, however long the body is', async () => {
    const long = { name: 'a'.repeat(1e6), list: Array(1e5).fill(1), id: 'b'.repeat(1e6) };
    expect((await thrown(() => expect(long).toBePlant())).length).toBeLessThan(5_000);
  });

  test('of .not says what it is', async () => {
    expect(await thrown(() => expect({ name: 'Aloe', id: 7 }).not.toBeNewPlant())).toMatch(
      /^expected anything but a NewPlant; this is one/,
    );
  });
});

describe('what cannot be judged fails, also with .not', () => {
  const consumed = Response.json({ name: 'Aloe' });
  const locked = Response.json({ name: 'Aloe' });
  locked.body?.getReader();
  const stream = new ReadableStream();

  test.for<[string, unknown, RegExp]>([
    ['nothing', undefined, /: undefined was given$/],
    ['a promise', Promise.resolve(Response.json({ name: 'Aloe' })), /a promise was given; await it first/],
    ['a response whose body was read', consumed, /its body cannot be read: \S/],
    ['a response whose body is being read', locked, /its body cannot be read: \S/],
    [
      'a response whose body is a stream',
      { status: 200, headers: {}, body: stream },
      /its body is a stream; read it first/,
    ],
  ])('%s', async ([, received, why]) => {
    if (received === consumed && !consumed.bodyUsed) await consumed.text();
    for (const name of ['toConformToPlantStore', 'toBePlant', 'toBePlantStoreError'] as const) {
      expect(await thrown(() => expect(received)[name]())).toMatch(why);
      expect(await thrown(() => expect(received).not[name]())).toMatch(why);
    }
  });

  test('another value instead of a response, and a response instead of a request', async () => {
    for (const received of [{ name: 'Aloe' }, { status: '200', headers: {}, body: '{}' }])
      for (const assertion of [expect(received), expect(received).not])
        expect(await thrown(() => assertion.toConformToPlantStore())).toMatch(/it is not a response; a res/);
    const request = { method: 'POST', headers: JSON_TYPE, body: '{}' };
    const response = { status: 200, headers: JSON_TYPE, body: '{}' };
    expect(await thrown(() => expect(request).not.toBePlant())).toMatch(/it is a request/);
    expect(await thrown(() => expect(request).not.toBePlantStoreError())).toMatch(/it is a request/);
    expect(await thrown(() => expect(response).not.toBeNewPlant())).toMatch(/it is a response/);
  });
});
