import { expect, test } from 'vitest';
import { InstalledProject } from '../installed-project.js';
import { linkPackages } from '../once.js';

const project = await InstalledProject.create();
await linkPackages(project.folder, 'jest-environment-jsdom');

// jsdom has its own globals, and lacks fetch, structuredClone and setImmediate.
const SPEC = `
import { jest } from '@jest/globals';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createPlantStore, startPlantStore } from 'plant-store-contract/server';

const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };

function create(url, body) {
  return new Promise((resolve, reject) => {
    request(url + '/plants', { method: 'POST', headers, agent: false }, async (response) =>
      resolve([response.statusCode, await text(response)]))
      .on('error', reject)
      .end(body);
  });
}

test('this is jsdom', () => {
  expect(window.document).toBeDefined();
  expect([typeof structuredClone, typeof setImmediate, typeof Response]).toContain('undefined');
});

test.each([false, true])('a server responds, fails on demand and closes, with fake timers: %s', async (isFake) => {
  if (isFake) jest.useFakeTimers();
  const store = await startPlantStore({ token: 'secret', faults: ['leaks-id'] });
  store.next({ status: 503, when: { name: 'Aloe' } });
  expect(await create(store.url, '{"name":"Aloe","id":1}')).toEqual([503, expect.stringContaining('asked for')]);
  store.next({ connection: 'reset' });
  await expect(create(store.url, '{"name":"Aloe","id":2}')).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(await create(store.url, '{"name":"Aloe","id":9007199254740993}'))
    .toEqual([200, '{"name":"Aloe","id":9007199254740993}']);
  expect(store.received().map(({ status }) => status)).toEqual([503, 0, 200]);
  store.seed({ name: 'Fern', id: 4 });
  store.reset();
  expect(store.plants()).toEqual([]);
  await store.close();
  jest.useRealTimers();
});

test('a store without a port responds and fails on demand', async () => {
  const { fetch, next } = createPlantStore({ token: 'secret' });
  const send = () => fetch(new Request('http://localhost/plants', { method: 'POST', headers, body: '{"name":"Aloe","id":1}' }));
  next({ status: 429, headers: { 'Retry-After': '2' } });
  expect((await send()).headers.get('retry-after')).toBe('2');
  next({ connection: 'reset' });
  await expect(send()).rejects.toThrow('reset');
  expect(await (await send()).json()).toEqual({ name: 'Aloe' });
});
`;

/** jsdom has no fetch. Whoever calls `store.fetch` there has given it the Request and the Response of Node. */
const ENVIRONMENT = `
import { TestEnvironment } from 'jest-environment-jsdom';
export default class extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.assign(this.global, { Request, Response, Headers });
  }
}
`;

test('in jsdom of Jest, a server and a store without a port work', async () => {
  project.renew({
    'environment.js': ENVIRONMENT,
    // A test that fails leaves its server open.
    'jest.config.js':
      "export default { transform: {}, testEnvironment: './environment.js', testMatch: ['<rootDir>/*.spec.js'], forceExit: true };",
    'a.spec.js': SPEC,
  });
  const { code, output, tests } = await project.jest();
  expect(
    tests.map(({ status }) => status),
    output,
  ).toEqual(Array(4).fill('passed'));
  expect(code).toBe(0);
});
