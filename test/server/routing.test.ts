import { createPlantStore, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { plant, rejection, send, sharedStore, TOKEN } from './plant-request.js';
import { RawSocket, wholeRequest } from './raw-socket.js';

const store = await sharedStore();

describe('request targets of the one path', () => {
  test.each([
    '/plants',
    '/plants?a=1&b=%20',
    '/plants?/other',
    'http://localhost/plants',
    'HTTP://other.example:81/plants?a=1',
    'https://user@[::1]/plants',
  ])('%s creates a plant', async (path) => {
    expect((await send(store.url, { path })).status).toBe(200);
    expect(store.received()[0]?.target).toBe(path);
  });
});

describe('request targets of other paths', () => {
  test.each([
    ['/', '/'],
    ['/plants/', '/plants/'],
    ['//plants', '//plants'],
    ['/a/../plants', '/a/../plants'],
    ['/pl%61nts', '/pl%61nts'],
    ['/plants%3Fa', '/plants%3Fa'],
    ['http://localhost', ''],
  ])('%s gets 404', async (path, named) => {
    expect(rejection(await send(store.url, { path }))).toEqual({
      status: 404,
      name: 'unknown-path',
      message: `unknown path "${named}"; plants are created at /plants`,
    });
  });

  test('a long target is cut in the message', async () => {
    const { message } = rejection(await send(store.url, { path: `/${'a'.repeat(5_000)}` }));
    expect(message.length).toBeLessThan(200);
    expect(message).toContain('(5001 characters)');
  });
});

describe('methods other than POST', () => {
  test.each(['GET', 'PUT', 'OPTIONS', 'PROPFIND'])(
    '%s gets 405 and Allow, with or without a token',
    async (method) => {
      for (const headers of [{}, { authorization: undefined }]) {
        const response = await send(store.url, { method, headers });
        expect(rejection(response)).toEqual({
          status: 405,
          name: 'method-not-allowed',
          message: `/plants accepts POST only; got "${method}"`,
        });
        expect(response.headers.allow).toBe('POST');
      }
    },
  );

  test('HEAD gets the response of GET without the body, and the connection stays open', async () => {
    const get = await send(store.url, { method: 'GET' });
    const head = await send(store.url, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 405, text: '' });
    expect(head.headers).toMatchObject({
      allow: 'POST',
      'content-type': 'application/json',
      // "HEAD" is one letter longer than "GET".
      'content-length': String(get.body.length + 1),
    });
    using raw = await RawSocket.open(store.port);
    raw.write(`HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n${wholeRequest(plant(7))}`);
    expect((await raw.response('HEAD')).status).toBe(404);
    expect((await raw.response()).status).toBe(200);
  });

  test('the path is checked before the method, and both before the token', async () => {
    const headers = { authorization: undefined };
    expect(rejection(await send(store.url, { method: 'GET', path: '/x', headers })).name).toBe(
      'unknown-path',
    );
    expect(rejection(await send(store.url, { path: '/x', headers })).name).toBe('unknown-path');
  });
});

describe('Content-Type', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="utf-8"; a=b;',
    'application/json; charset=latin1',
  ])('%s is read', async (mediaType) => {
    expect((await send(store.url, { headers: { 'content-type': mediaType } })).status).toBe(200);
  });

  test.each([
    [undefined, 'got none'],
    ['', 'got ""'],
    ['text/plain', 'got "text/plain"'],
    ['application/problem+json', 'got "application/problem+json"'],
    [['application/json', 'text/plain'], 'got "application/json" and "text/plain"'],
  ])('%o is rejected', async (mediaType, says) => {
    const rejected = rejection(await send(store.url, { headers: { 'content-type': mediaType } }));
    expect(rejected).toMatchObject({ status: 400, name: 'media-type' });
    expect(rejected.message).toContain(says);
  });

  test.each([
    ['identity', 200],
    ['gzip', 400],
    ['identity, br', 400],
  ])('Content-Encoding: %s gets %i', async (coding, status) => {
    expect((await send(store.url, { headers: { 'content-encoding': coding } })).status).toBe(status);
  });
});

describe('a base path', () => {
  test.each(['/v1', '/v1/'])('%s comes before the path, and is in the URL', async (basePath) => {
    await using own = await startPlantStore({ token: TOKEN, basePath });
    expect(own.url).toMatch(/:\d+\/v1$/);
    const root = own.url.replace('/v1', '');
    expect((await send(root, { path: '/v1/plants' })).status).toBe(200);
    for (const path of ['/plants', '/v1', '/v2/plants', '/v1/v1/plants'])
      expect((await send(root, { path })).text).toContain('plants are created at /v1/plants');
  });

  test.each(['v1', '/v1?a', '/a b', 7])('%o is none', (basePath) => {
    expect(() => createPlantStore({ basePath: basePath as string })).toThrow(
      'the option "basePath" must be a path such as /v1; got',
    );
  });
});
