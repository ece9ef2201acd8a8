import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { Controlled } from './control.js';

/** Sends any Host and Origin, as fetch cannot. */
function call(url: string, method: string, path: string, headers: Record<string, string>, body?: string) {
  return new Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }>(
    (resolve, reject) => {
      const sent = request(url, { method, path, headers, agent: false }, (incoming) => {
        const { statusCode: status = 0, headers } = incoming;
        buffer(incoming).then((bytes) => resolve({ status, text: bytes.toString(), headers }), reject);
      });
      sent.on('error', reject);
      sent.end(body);
    },
  );
}

describe('on loopback', () => {
  test.each([
    ['localhost:4020', 200],
    ['127.9.8.7', 200],
    ['[::1]:4020', 200],
    ['evil.example', 403],
    ['localhost.evil.example', 403],
    ['0.0.0.0', 403],
  ])('a request with the Host %s gets %i, whatever it asks for', async (host, status) => {
    await using it = await Controlled.start();
    for (const path of ['/plants', '/ready', '/requests?', '/none'].slice(0, status === 200 ? 2 : 4))
      expect((await call(it.control.url, 'GET', path, { host })).status).toBe(status);
  });

  test.each<[Record<string, string>, number]>([
    [{ origin: 'SAME' }, 204],
    [{ origin: 'SAME', 'sec-fetch-site': 'same-origin' }, 204],
    [{ origin: 'http://evil.example' }, 403],
    [{ origin: 'https://127.0.0.1' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
  ])('a page with %j gets %i', async (given, status) => {
    await using it = await Controlled.start();
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.replace('SAME', it.control.url)]),
    );
    it.store.seed({ name: 'Aloe', id: 7 });
    expect((await call(it.control.url, 'POST', '/reset', headers)).status).toBe(status);
    expect(it.store.plants()).toHaveLength(status === 204 ? 0 : 1);
    const preflight = { ...headers, 'access-control-request-method': 'POST' };
    const { status: refused, headers: received } = await call(it.control.url, 'OPTIONS', '/reset', preflight);
    expect([403, 405]).toContain(refused);
    expect(Object.keys(received).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded'])('a body as %s is rejected', async (type) => {
    await using it = await Controlled.start();
    const headers = type === undefined ? {} : { 'content-type': type };
    const { status, text } = await call(it.control.url, 'POST', '/plants', headers, '{"name":"a","id":1}');
    expect([status, JSON.parse(text).message]).toEqual([
      415,
      'the Content-Type of a body must be application/json',
    ]);
    expect(it.store.plants()).toEqual([]);
  });

  test('a token may be set too, and is then required', async () => {
    await using it = await Controlled.start({}, { token: 'control-secret' });
    expect((await it.call('GET', '/ready')).status).toBe(200);
    expect((await it.call('GET', '/plants')).status).toBe(401);
    const wrong = [
      'Bearer control-secre',
      'Bearer right-Token.of~the_store+1/2==',
      'Basic control-secret',
      '',
    ];
    for (const authorization of wrong)
      expect((await it.call('GET', '/plants', undefined, { authorization })).status).toBe(401);
    expect((await it.call('GET', '/plants?token=control-secret')).status).toBe(401);
    const authorization = 'Bearer control-secret';
    expect((await it.call('GET', '/plants', undefined, { authorization })).status).toBe(200);
  });
});

describe('elsewhere', () => {
  test.each(['0.0.0.0', '::', '192.0.2.1', 'plants.example'])('%s needs a token', async (host) => {
    await expect(Controlled.start({}, { host })).rejects.toMatchObject({
      code: 'invalid-option',
      message: `the control interface needs a token of its own on ${host}: pass --control-token, or set PLANT_STORE_CONTROL_TOKEN`,
    });
  });

  test('with a token, any Host may be used, and pages of other sites may not', async () => {
    await using it = await Controlled.start({}, { host: '0.0.0.0', token: 'control-secret' });
    const url = `http://127.0.0.1:${it.control.port}`;
    const headers = { host: 'plant-store:4020', authorization: 'Bearer control-secret' };
    expect((await call(url, 'GET', '/plants', headers)).status).toBe(200);
    expect((await call(url, 'GET', '/plants', { host: 'plant-store:4020' })).status).toBe(401);
    expect((await call(url, 'POST', '/reset', { ...headers, origin: 'http://evil.example' })).status).toBe(
      403,
    );
    const same = { ...headers, origin: 'http://plant-store:4020' };
    expect((await call(url, 'POST', '/reset', same)).status).toBe(204);
  });

  test('an invalid token is rejected, and not shown', async () => {
    const error = await Controlled.start({}, { token: 'two words' }).catch((cause: Error) => cause);
    expect(error).toMatchObject({ code: 'invalid-option' });
    expect(String(error)).not.toContain('two words');
  });
});

describe('what is wrong', () => {
  test.each([
    ['POST', '/', 405],
    ['GET', '/plants/', 404],
    ['GET', '/constructor', 404],
    ['GET', '/reset', 405],
  ])('%s %s gets %i', async (method, path, status) => {
    await using it = await Controlled.start();
    expect(await it.call(method, path)).toMatchObject({ status, value: { message: expect.any(String) } });
  });

  test('a body over 16 MiB gets a 413, and is not kept', async () => {
    await using it = await Controlled.start();
    const headers = { 'content-type': 'application/json' };
    const { status } = await call(it.control.url, 'POST', '/plants', headers, ' '.repeat(2 ** 24 + 1));
    expect(status).toBe(413);
    expect((await it.call('POST', '/plants', `${' '.repeat(2 ** 24 - 100)}[]`)).status).toBe(204);
  });

  test('no token of the store is shown', async () => {
    await using it = await Controlled.start({ token: 'a-secret-token' });
    await fetch(`${it.store.url}/plants?access_token=a-secret-token`, {
      method: 'POST',
      headers: { authorization: 'Bearer a-secret-token', 'x-other': 'a-secret-token' },
      body: 'a-secret-token',
    });
    for (const path of ['/requests', '/options', '/plants', '/failures', '/faults'])
      expect(await (await fetch(it.control.url + path)).text()).not.toContain('secret');
  });
});
