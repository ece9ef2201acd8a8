import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { startPlantStore } from 'plant-store-contract/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { VerifyReport } from '../../../src/pact/verification/report.js';
import { type VerifyOptions, verify } from '../../../src/pact/verification/verify.js';
import { casesOf } from '../../../src/report/frame.js';
import { folderWith } from '../../folder.js';
import { schemaErrors } from '../../report/formats/schema.js';
import { creation, ID_FROM_STATE, LARGEST, pactFile, pactOf, type Sketch } from './pacts.js';
import { isPlain, startReader } from './provider.js';

afterEach(() => void vi.unstubAllEnvs());

const token = 'a-token-of-these-tests';
const NO_PLANT = 'no plant with id';
const PLANT = 'a plant with id exists';

/** Verifies a reference server, a fresh one by default, against a pact of these interactions. */
async function verified(
  sketches: readonly Sketch[],
  options: Partial<VerifyOptions> = {},
  given?: Awaited<ReturnType<typeof startPlantStore>>,
): Promise<VerifyReport> {
  const store = given ?? (await startPlantStore({ token }));
  try {
    const report = await verify({ baseUrl: store.url, token, pacts: [pactFile(...sketches)], ...options });
    expect(schemaErrors(report)).toEqual([]);
    return report;
  } finally {
    if (given === undefined) await store.close();
  }
}

const verdictsOf = (report: VerifyReport): string[] => casesOf(report).map(({ verdict }) => verdict);

/** Bodies and tokens that a provider gets, without those of plain plants. */
async function sentFor(sketches: readonly Sketch[], options: Partial<VerifyOptions> = {}) {
  const sent: { body: string; authorization: string | undefined; type: string | undefined }[] = [];
  await using provider = await startReader(({ headers }, response, body) => {
    if (!isPlain(body))
      sent.push({
        body: body.toString(),
        authorization: headers.authorization,
        type: headers['content-type'],
      });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"Aloe"}');
  });
  const report = await verify({ baseUrl: provider.url, token, pacts: [pactFile(...sketches)], ...options });
  return { sent, report };
}

describe('what reaches the provider', () => {
  test('has the right token, unless the pact has none, or is about a wrong one', async () => {
    const wrong = { authorization: 'Bearer wrong', given: { 'the token is not valid': '{"token":"wrong"}' } };
    const { sent } = await sentFor([
      { description: 'with a token', authorization: 'bearer  a b' },
      { description: 'without one', authorization: null },
      { description: 'with another scheme', authorization: 'Basic Zm9vOmJhcg==' },
      { description: 'in the state of a wrong one', ...wrong },
      { description: 'with the status of one', authorization: 'Bearer old', status: 401 },
    ]);
    expect(sent.map(({ authorization }) => authorization)).toEqual([
      `bearer  ${token}`,
      undefined,
      'Basic Zm9vOmJhcg==',
      'Bearer wrong',
      'Bearer old',
    ]);
  });

  test('has every byte of the pact: an id beyond 2^53, and what JSON.parse would change', async () => {
    const bodies = [`{"name":"Aloe","id":${LARGEST}}`, '{"id":7.0,"name":"a"}', '{"id":-9007199254740993}'];
    const { sent } = await sentFor(bodies.map((body, at) => ({ description: `${at}`, body })));
    const parsed = sent.map(({ body }) => body);
    expect(parsed[0]).toContain(`"id":${LARGEST}`);
    expect(parsed[1]).toContain('7.0');
    expect(parsed[2]).toContain('-9007199254740993');
    expect(new Set(sent.map(({ type }) => type))).toEqual(new Set(['application/json']));
  });

  // Pact's own proxy would answer 413, and the provider would never be asked.
  test('is as long as the pact says', async () => {
    const name = 'a'.repeat(200_000);
    const { sent, report } = await sentFor([
      { description: 'long', body: `{"name":"${name}","id":7}`, status: 'clientError' },
    ]);
    expect(sent.map(({ body }) => JSON.parse(body))).toEqual([{ name, id: 7 }]);
    expect(report.conclusion).toBe('does-not-conform');
  });

  test('has a fresh id in our states, by a generator and without one, of the same size', async () => {
    const { sent } = await sentFor([
      creation,
      { description: 'generated', given: { [NO_PLANT]: '{"id":7}' }, generators: ID_FROM_STATE },
      {
        description: 'large',
        given: { [NO_PLANT]: `{"id":"${LARGEST}"}` },
        body: `{"name":"A","id":${LARGEST}}`,
      },
      {
        description: 'rounded',
        given: { [NO_PLANT]: `{"id":${LARGEST}}` },
        body: `{"name":"A","id":${LARGEST}}`,
      },
      { description: 'zero', given: { [NO_PLANT]: '{"id":0}' }, body: '{"name":"A","id":0}' },
      { description: 'of another', given: { [NO_PLANT]: '{"id":8}' } },
    ]);
    const ids = sent.map(({ body }) => BigInt(/"id":(-?\d+)/.exec(body)?.[1] ?? ''));
    expect(ids.slice(0, 2).every((id) => id > 2n ** 30n && id < 2n ** 31n)).toBe(true);
    expect(ids.slice(2, 4).every((id) => id >= 2n ** 62n && id !== BigInt(LARGEST))).toBe(true);
    expect(ids.slice(4)).toEqual([0n, 7n]);
  });

  test('goes to the path of the base URL, has further headers, and no report shows them', async () => {
    const keys: unknown[] = [];
    await using provider = await startReader(({ headers, url }, response) => {
      keys.push([url, headers['x-gateway-key']]);
      // The name is wrong, so that the report shows the response.
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"name":5,"echo":"${headers.authorization} ${headers['x-gateway-key']}"}`);
    });
    const report = await verify({
      baseUrl: `${provider.url}/v1`,
      token,
      pacts: [pactFile({ description: 'a creation' })],
      headers: [['X-Gateway-Key', 'key-of-the-gateway']],
    });
    expect(new Set(keys.map(String))).toEqual(new Set(['/v1/plants,key-of-the-gateway']));
    const text = JSON.stringify(report);
    expect(casesOf(report)[0]?.notes?.join()).toContain('Bearer $PLANT_STORE_TOKEN [redacted]');
    expect(text).not.toContain('key-of-the-gateway');
    expect(text).not.toContain(token);
  });
});

test.each<[string, object, object]>([
  ['1.0.0', { provider_state: NO_PLANT }, {}],
  ['2.0.0', { providerState: NO_PLANT }, { '$.body': { match: 'type' } }],
  [
    '3.0.0',
    { providerStates: [{ name: NO_PLANT, params: { id: 7 } }] },
    { body: { $: { matchers: [{ match: 'type' }] } } },
  ],
])('a pact of version %s is verified', async (version, states, matchingRules) => {
  const headers = { Authorization: 'Bearer example', 'Content-Type': 'application/json' };
  const request = { method: 'POST', path: '/plants', headers, body: { name: 'Aloe', id: 7 } };
  const interactions = [200, 201].map((status) => ({
    ...{ description: `${status}`, ...states, request },
    response: { status, body: { name: 'Aloe' }, matchingRules },
  }));
  const parties = { consumer: { name: 'garden' }, provider: { name: 'plant-store' } };
  const metadata = { pactSpecification: { version } };
  const folder = folderWith({ 'pact.json': JSON.stringify({ ...parties, interactions, metadata }) });
  await using store = await startPlantStore({ token });
  // The second run shows that the ids are fresh.
  for (const _run of [1, 2]) {
    const report = await verify({ baseUrl: store.url, token, pacts: [folder] });
    expect(verdictsOf(report)).toEqual(['pass', 'fail']);
    expect(casesOf(report)[0]?.id).toBe(`200, given ${NO_PLANT}`);
  }
});

test('the shipped pact is satisfied twice in a row', async () => {
  await using store = await startPlantStore({ token });
  for (const _run of [1, 2]) {
    const report = await verify({ baseUrl: store.url, token });
    expect(report.summary).toBe('The provider satisfies 5 of 5 interactions.');
    expect(report.groups[0]?.title).toBe('plant-store-client → plant-store');
  }
});

// Pact's library also cannot read a package in a zip file of Yarn, where the shipped pact may be.
test('a pact that can be read only once is verified', async () => {
  const pipe = join(folderWith(), 'pact.json');
  execFileSync('mkfifo', [pipe]);
  const written = writeFile(pipe, pactOf([creation]));
  const report = await verified([], { pacts: [pipe] });
  await written;
  expect(report.summary).toBe('The provider satisfies 1 of 1 interaction.');
});

test('"a plant with id exists" creates one first, as the state describes it', async () => {
  await using store = await startPlantStore({ token });
  const given = { [PLANT]: '{"id":7,"name":"Rose","tag":"thorny"}' };
  const report = await verified([{ description: 'a duplicate', given, status: 'clientError' }], {}, store);
  expect(report.summary).toBe('The provider satisfies 1 of 1 interaction.');
  expect(store.plants().at(-1)).toEqual({ id: expect.any(Number), name: 'Rose', tag: 'thorny' });
});

test("a failure has Pact's words, the request and the response", async () => {
  await using store = await startPlantStore({ token, faults: ['answers-201'] });
  const report = await verified([creation], {}, store);
  expect(report.conclusion).toBe('does-not-conform');
  expect(report.findings).toMatchObject([
    {
      title: 'The response does not match the pact: expected 200 but was 201.',
      cases: ['a creation, given no plant with id'],
    },
  ]);
  expect(casesOf(report)[0]?.evidence[0]).toMatchObject({
    sent: expect.stringMatching(/^POST http:\S+\/plants \{"id":\d+,"name":"Aloe"\}$/),
    where: 'pact: status',
    actual: 'expected 200 but was 201',
  });
  expect(casesOf(report)[0]?.notes).toEqual(['Response: 201 {"name":"Aloe"}']);
});

// Some also look like errors of OpenSSL, or like commands to a CI system.
test('an interaction is judged whatever its description contains', async () => {
  const descriptions = ['two\nlines', '::error::x:y:z:\r\n##vso[task]', '\u001b[31mred\u001b[0m', ' - a'];
  const given = { [NO_PLANT]: '{"id":7}' };
  const report = await verified(
    descriptions.flatMap((description) => [
      { description, given },
      { description: `not ${description}`, given, status: 201, response: '{"name":"Aloe"}' },
    ]),
  );
  expect(verdictsOf(report)).toEqual(descriptions.flatMap(() => ['pass', 'fail']));
  expect(new Set(report.findings.map(({ title }) => title))).toEqual(
    new Set(['The response does not match the pact: expected 201 but was 200.']),
  );
  expect(report.notes).toEqual([]);
});

test('two interactions with one description are distinguished, one of them pending', async () => {
  const twice = { description: 'the same', status: 400, response: '{"error":1,"message":"no"}' } as const;
  const report = await verified([
    { description: 'a creation' },
    { ...twice, given: { [NO_PLANT]: '{"id":7}' }, pending: true },
    { ...twice, given: { [NO_PLANT]: '{"id":8}' }, body: '{"name":"Aloe","id":8}' },
  ]);
  expect(report.summary).toBe('The provider fails 1 of 3 interactions; 1 pending failure does not count.');
  const [, pending, failed] = casesOf(report);
  expect([pending?.id, failed?.id]).toEqual([
    'the same, given no plant with id',
    'the same, given no plant with id (2)',
  ]);
  expect([pending?.excuse?.kind, failed?.excuse]).toEqual(['pending', undefined]);
  expect(failed?.evidence[0]).toMatchObject({ where: 'pact: status', actual: 'expected 400 but was 200' });
  expect(report.findings.at(-1)?.fix).toContain('"the token is not valid"');
});

describe('it does not pass by accident', () => {
  test.each<[string, (store: string) => string, RegExp]>([
    ['provider is down', () => 'http://127.0.0.1:9', /connect ECONNREFUSED/],
    ['base URL is wrong', (store) => `${store}/v1`, /it returned 404\. Is the base URL right\?/],
  ])('if the %s', async (_what, baseUrl, why) => {
    await using store = await startPlantStore({ token });
    const report = await verified([creation], { baseUrl: baseUrl(store.url) }, store);
    expect(report.conclusion).toBe('not-testable');
    expect(report.summary).toMatch(why);
    expect(verdictsOf(report)).toEqual(['blocked']);
  });

  test('if the token is wrong, and the pact has rejections only', async () => {
    const rejections = [{ description: 'no name', body: '{"id":7}', status: 'clientError' }] as const;
    expect((await verified(rejections)).conclusion).toBe('conforms');
    const wrong = await verified(rejections, { token: 'another-token' });
    expect(wrong.summary).toMatch(/it accepts no plain plant: it returned 400\. Is the token right\?$/);
    expect(wrong.conclusion).toBe('not-testable');
  });

  test('if a state is unknown: nothing is sent, whatever the pact expects', async () => {
    await using store = await startPlantStore({ token });
    const unknown = { given: { 'the shop is open': '{}' }, status: 'clientError' } as const;
    const odd = { ...unknown, description: 'odd', given: { constructor: '{}' } };
    const report = await verified([{ ...unknown, description: 'x' }, odd, creation], {}, store);
    expect(verdictsOf(report)).toEqual(['blocked', 'blocked', 'pass']);
    expect(casesOf(report)[0]?.detail).toBe(
      'the state "the shop is open" cannot be set up: there is no handler for it',
    );
    expect(report.conclusion).toBe('incomplete');
    expect(report.summary).toBe('The provider satisfies 1 of 3 interactions; 2 could not be verified.');
  });

  test('if the provider hangs, closes the connection, or breaks off its response', async () => {
    await using provider = await startReader((_request, response, body) => {
      if (body.includes('hang')) return;
      if (body.includes('reset')) response.destroy();
      else if (body.includes('break')) response.writeHead(200, { 'content-length': '99' }).write('{"name":');
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"well"}');
      if (body.includes('break')) setTimeout(() => response.destroy(), 20);
    });
    const described = ['well', 'hang', 'reset', 'break'].map((name) => ({
      description: name,
      body: `{"name":"${name}","id":7}`,
    }));
    const report = await verify({
      baseUrl: provider.url,
      token,
      pacts: [pactFile(...described)],
      timeoutMs: 1_500,
    });
    expect(verdictsOf(report)).toEqual(['pass', 'fail', 'fail', 'fail']);
    expect(casesOf(report)[1]?.evidence).toMatchObject([
      { where: 'pact: request', actual: 'no whole response within 1500 ms' },
    ]);
  });

  test('if its body cannot be decoded: the status of a plain plant is enough to go on', async () => {
    await using provider = await startReader((_request, response) => {
      const head = { 'content-type': 'application/json', 'content-encoding': 'botanical' };
      response.writeHead(200, head).end('{"name":"Aloe"}');
    });
    const pacts = [pactFile({ description: 'a creation' })];
    const report = await verify({ baseUrl: provider.url, token, pacts });
    expect(report.conclusion).toBe('does-not-conform');
    const [one] = casesOf(report);
    expect(one?.evidence[0]?.actual).toMatch(/^the response cannot be read: .*botanical/);
    expect(one?.notes?.[0]).toMatch(/^Response: 200 /);
  });

  test('if a redirect leads to the expected response: it is not followed', async () => {
    await using provider = await startReader((_request, response, body) => {
      const head = { 'content-type': 'application/json', location: '/elsewhere' };
      response.writeHead(isPlain(body) ? 200 : 307, head).end('{"name":"Aloe"}');
    });
    const report = await verify({
      baseUrl: provider.url,
      token,
      pacts: [pactFile({ description: 'a creation' })],
    });
    expect(casesOf(report)[0]?.evidence[0]?.actual).toBe('expected 200 but was 307');
  });

  test('if a pact cannot be used, is empty, has a message, or is too long; one of another provider is left out', async () => {
    const folder = folderWith({
      'a.json': pactOf([creation]).replace('"match":"type"', '"match":"botanical"'),
      'b.json': pactOf([]),
      'c.json': pactOf([creation], 'flower-shop'),
      'd.json': pactOf([creation]),
      'e.json': pactOf([creation]).replace('Synchronous/HTTP', 'Asynchronous/Messages'),
      'f.json': pactOf([creation]) + ' '.repeat(2 ** 20),
      'g.json': '{"consumer"',
    });
    await using store = await startPlantStore({ token });
    const report = await verify({ baseUrl: store.url, token, pacts: [folder] });
    expect(report.conclusion).toBe('incomplete');
    expect(casesOf(report).map(({ verdict, detail }) => [verdict, detail])).toEqual([
      ['blocked', 'Pact did not verify it'],
      ['pass', undefined],
    ]);
    expect(report.summary).toMatch(/satisfies 1 of 2 interactions; .*; 4 pacts could not be verified; /);
    expect(report.notes).toEqual([
      expect.stringMatching(/^Failed to load pact: .*test-\w+\/a\.json' - .*botanical/),
      expect.stringMatching(/^Not verified: .*b\.json has no interaction\.$/),
      expect.stringMatching(/e\.json is not a pact: \/interactions\/0\/type is not Synchronous/),
      expect.stringMatching(/f\.json: it is longer than 1 MiB\.$/),
      expect.stringMatching(/g\.json is not a pact: it is not JSON/),
      expect.stringMatching(/^Left out: .*c\.json is a pact with "flower-shop"\.$/),
    ]);
  });
});

describe('states by a URL', () => {
  test('are set up and torn down as Pact does it', async () => {
    const calls: unknown[] = [];
    await using states = await startReader((request, response, body) => {
      calls.push([request.method, request.headers['content-type'], JSON.parse(body.toString())]);
      response.end();
    });
    const given = { 'the shop is open': '{"id":7}', 'the till is full': '{}' };
    const needy = { description: 'a creation', given };
    const report = await verified([needy], { stateUrl: `${states.url}/states` });
    expect(report.conclusion).toBe('conforms');
    const state = { state: 'the shop is open', params: { id: 7 } };
    const other = { state: 'the till is full', params: {} };
    expect(calls).toEqual([
      ['POST', 'application/json', { action: 'setup', ...state }],
      ['POST', 'application/json', { action: 'setup', ...other }],
      ['POST', 'application/json', { action: 'teardown', ...state }],
      ['POST', 'application/json', { action: 'teardown', ...other }],
    ]);
  });

  test('are torn down if they were set up, although another one of the interaction was not', async () => {
    const calls: string[] = [];
    await using states = await startReader((_request, response, body) => {
      const { action, state } = JSON.parse(body.toString());
      calls.push(`${action}: ${state}`);
      response.writeHead(state === 'the till is full' ? 500 : 200).end();
    });
    const given = { 'the shop is open': '{}', 'the till is full': '{}' };
    const report = await verified([{ description: 'a creation', given }], { stateUrl: states.url });
    expect(verdictsOf(report)).toEqual(['blocked']);
    expect(calls).toEqual([
      'setup: the shop is open',
      'setup: the till is full',
      'teardown: the shop is open',
    ]);
  });

  test('keep the token of the state "the token is not valid"', async () => {
    await using states = await startReader((_request, response) => {
      response.setHeader('content-type', 'application/json').end(`{"token":"${token}"}`);
    });
    const wrong: Sketch = {
      description: 'a wrong token',
      given: { 'the token is not valid': '{"token":"wrong"}' },
      authorization: 'Bearer wrong',
      status: 'clientError',
      body: '{"name":"Aloe","id":8}',
    };
    const report = await verified([{ description: 'a creation' }, wrong], { stateUrl: states.url });
    expect(report.summary).toBe('The provider satisfies 2 of 2 interactions.');
  });
});

test('no proxy is used for the provider, no broker besides the files, and no filter of interactions', async () => {
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'PACT_BROKER_BASE_URL'])
    vi.stubEnv(name, 'http://127.0.0.1:9');
  vi.stubEnv('PACT_DESCRIPTION', 'the first');
  const report = await verified([
    { description: 'the first' },
    { description: 'the second', body: '{"name":"Aloe","id":8}' },
  ]);
  expect(verdictsOf(report)).toEqual(['pass', 'pass']);
});

test('a verification that is stopped throws, and leaves nothing behind', async () => {
  vi.stubEnv('TMPDIR', folderWith());
  const controller = new AbortController();
  await using provider = await startReader(() => controller.abort());
  const options = { baseUrl: provider.url, token, pacts: [pactFile(creation)] };
  await expect(verify({ ...options, signal: controller.signal })).rejects.toMatchObject({
    code: 'pact-broke',
    message: 'the verification was stopped',
  });
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('plant-store-pacts-'))).toEqual([]);
});

test('a pact that makes gigabytes ends the verification', async () => {
  const generators = '{"body":{"$.name":{"type":"Regex","regex":"a{2000000000}"}}}';
  await expect(verified([{ description: 'large', generators }])).rejects.toMatchObject({
    code: 'pact-broke',
    message: expect.stringContaining('a pact needs more than 512 MiB of memory'),
  });
});

test('a response with a content coding that Pact does not know is read', async () => {
  await using provider = await startReader((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'br' });
    response.end(brotliCompressSync('{"name":"Aloe"}'));
  });
  const report = await verify({ baseUrl: provider.url, token, pacts: [pactFile(creation)] });
  expect(report.conclusion).toBe('conforms');
});
