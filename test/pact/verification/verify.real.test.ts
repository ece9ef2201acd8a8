import { type VerifyOptions, type VerifyReport, verifyProvider } from 'plant-store-contract/pact';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { expectToMatchSchema } from '../report-schema.js';
import { folderWith, ID_FROM_STATE, pactFile, pactOf, type Sketch } from './pacts.js';
import { startReader } from './provider.js';

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
    const pacts = [await pactFile(...sketches)];
    const report = await verifyProvider({ baseUrl: store.url, token, pacts, ...options });
    expectToMatchSchema(report);
    return report;
  } finally {
    if (given === undefined) await store.close();
  }
}

function verdictsOf({ pacts }: VerifyReport): string[] {
  return pacts.flatMap(({ interactions }) => interactions.map(({ verdict }) => verdict));
}

// These change the environment of the process, so nothing may run beside them.
describe('the environment', () => {
  test('uses no proxy for the provider', async () => {
    for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) vi.stubEnv(name, 'http://127.0.0.1:9');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await verified([{ description: 'a creation' }])).conclusion).toBe('conforms');
  });

  test('uses no broker besides the files', async () => {
    vi.stubEnv('PACT_BROKER_BASE_URL', 'http://127.0.0.1:9');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await verified([{ description: 'a creation' }])).conclusion).toBe('conforms');
  });

  test('blocks the interactions that a filter of Pact leaves out', async () => {
    vi.stubEnv('PACT_DESCRIPTION', 'the first');
    onTestFinished(() => void vi.unstubAllEnvs());
    const verification = await verified([{ description: 'the first' }, { description: 'the second' }]);
    expect(verdictsOf(verification)).toEqual(['pass', 'blocked']);
    expect(verification.conclusion).toBe('incomplete');
  });

  test('leaves nothing behind if it is stopped', async () => {
    const { mkdtempSync, readdirSync } = await import('node:fs');
    const { tmpdir } = await import('node:os');
    vi.stubEnv('TMPDIR', mkdtempSync(`${tmpdir()}/stopped-`));
    onTestFinished(() => void vi.unstubAllEnvs());
    const controller = new AbortController();
    await using provider = await startReader(() => controller.abort());
    const verifying = verifyProvider({
      ...{ baseUrl: provider.url, token, pacts: [await pactFile({ description: 'a creation' })] },
      signal: controller.signal,
    });
    const report = await verifying;
    expect(report.conclusion).toBe('incomplete');
    expect(report.pacts[0]?.interactions).toMatchObject([
      { verdict: 'blocked', reason: 'the verification was stopped' },
    ]);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('plant-store-pacts-'))).toEqual([]);
  });
});

describe.concurrent('interactions are distinguished', () => {
  // It takes seven seconds, so it starts first.
  test('if a state takes longer than the timeout of a request', async () => {
    const states = { 'it takes long': () => new Promise<void>((resolve) => setTimeout(resolve, 6_700)) };
    const verification = await verified(
      [
        { description: 'one', given: { 'it takes long': '{}' } },
        { description: 'two', body: '{"name":"Aloe","id":8}', response: '{"nothing":1}' },
      ],
      { states, timeoutMs: 1_500 },
    );
    expect(verdictsOf(verification)).toEqual(['pass', 'fail']);
  });

  test('if two have one description, and one of them is pending', async () => {
    const twice = { description: 'the same', status: 400, response: '{"error":1,"message":"no"}' } as const;
    const verification = await verified([
      { description: 'a creation' },
      { ...twice, given: { [NO_PLANT]: '{"id":7}' }, pending: true },
      { ...twice, given: { [NO_PLANT]: '{"id":8}' }, body: '{"name":"Aloe","id":8}' },
    ]);
    expect(verification.summary).toBe(
      'The provider fails 1 of 3 interactions; 1 pending failure does not count.',
    );
    const [, pending, failed] = verification.pacts[0]?.interactions ?? [];
    expect([pending?.pending, failed?.pending]).toEqual([true, false]);
    expect(failed?.mismatches[0]?.message).toBe('expected 400 but was 200');
  });
});

describe.concurrent('what reaches the provider', () => {
  test('has the token of the verification instead of the one of the pact, and none if the pact has none', async () => {
    const sent: unknown[] = [];
    await using provider = await startReader(({ headers }, response) => {
      sent.push(headers.authorization);
      const isAccepted = headers.authorization === `Bearer ${token}`;
      response.writeHead(isAccepted ? 200 : 401, { 'content-type': 'application/json' });
      response.end(isAccepted ? '{"name":"Aloe"}' : '{"error":1,"message":"no"}');
    });
    const pact = await pactFile(
      { description: 'with a token' },
      { description: 'without one', authorization: null, status: 'clientError' },
      { description: 'with another scheme', authorization: 'Basic Zm9vOmJhcg==', status: 'clientError' },
    );
    const verification = await verifyProvider({ baseUrl: provider.url, token, pacts: [pact] });
    expect(verdictsOf(verification)).toEqual(['pass', 'pass', 'pass']);
    expect(sent).toEqual([`Bearer ${token}`, undefined, 'Basic Zm9vOmJhcg==']);
  });

  test('has every int64 exactly', async () => {
    await using store = await startPlantStore({ token });
    const ids = ['9223372036854775807', '-9223372036854775808', '9007199254740993', '0'];
    const verification = await verified(
      ids.map((id) => ({ description: `a plant with id ${id}`, body: `{"name":"Aloe","id":${id}}` })),
      {},
      store,
    );
    expect(verification.conclusion).toBe('conforms');
    expect(store.plants().map(({ id }) => String(id))).toEqual(ids);
  });

  test('has bodies over 100 kB, byte by byte', async () => {
    const name = 'Aloe'.repeat(50_000);
    const body = `{"name":"${name}","id":7}`;
    await using store = await startPlantStore({ token });
    const verification = await verified([{ description: 'a long name', body }], {}, store);
    expect(verification.conclusion).toBe('conforms');
    expect(store.plants()).toEqual([{ name, id: 7 }]);
  });

  test('has further headers, which are in no report', async () => {
    const keys: unknown[] = [];
    await using provider = await startReader(({ headers }, response) => {
      keys.push(headers['x-gateway-key']);
      response.writeHead(200, {
        'content-type': 'application/json',
        'x-echo': String(headers.authorization),
      });
      response.end('{"name":"Aloe"}');
    });
    const verification = await verifyProvider({
      ...{ baseUrl: provider.url, token, pacts: [await pactFile({ description: 'a creation' })] },
      headers: [['X-Gateway-Key', 'key-of-the-gateway']],
    });
    expect(keys).toEqual(['key-of-the-gateway']);
    expect(JSON.stringify(verification)).not.toContain('key-of-the-gateway');
    expect(JSON.stringify(verification)).toContain('Bearer $PLANT_STORE_TOKEN');
    expect(JSON.stringify(verification)).not.toContain(token);
  });
});

describe.concurrent('states without help from the provider', () => {
  const created: Sketch = { description: 'a creation', given: { [NO_PLANT]: '{"id":7}' } };

  test('"no plant with id" sends a fresh id, run after run', async () => {
    await using store = await startPlantStore({ token });
    for (const _run of [1, 2]) expect(verdictsOf(await verified([created], {}, store))).toEqual(['pass']);
    const ids = store.plants().map(({ id }) => Number(id));
    expect(new Set([7, ...ids]).size).toBe(3);
  });

  const ranges: readonly [id: string, low: bigint, high: bigint][] = [
    ['9223372036854775807', 2n ** 63n - 2n ** 32n, 2n ** 63n - 1n],
    ['-9223372036854775808', -(2n ** 63n), -(2n ** 63n) + 2n ** 32n],
    ['4294967296', 2n ** 31n, 2n ** 53n],
    ['-5', -(2n ** 31n), -1n],
    ['0', 0n, 0n],
  ];

  test('a fresh id is like the one of the pact', async () => {
    await using store = await startPlantStore({ token });
    const sketches = ranges.map(([id]) => ({
      description: `a plant with id ${id}`,
      body: `{"name":"Aloe","id":${id}}`,
      given: { [NO_PLANT]: `{"id":${id.length > 15 ? `"${id}"` : id}}` },
    }));
    expect((await verified(sketches, {}, store)).conclusion).toBe('conforms');
    const sent = store.plants().map(({ id }) => BigInt(id));
    for (const [at, [id, low, high]] of ranges.entries()) {
      expect(sent[at], id).toBeGreaterThanOrEqual(low);
      expect(sent[at], id).toBeLessThanOrEqual(high);
    }
  });

  test('what is not an id is not replaced, because the pact is about it', async () => {
    await using store = await startPlantStore({ token });
    const sketches = ['7.5', '9223372036854775808', '-9223372036854775809'].flatMap((id) =>
      [`{"id":${id}}`, '{}'].map((params) => ({
        description: `the id ${id} in a state with ${params}`,
        body: `{"name":"Aloe","id":${id}}`,
        given: { [NO_PLANT]: params },
        status: 'clientError' as const,
      })),
    );
    const report = await verified([{ description: 'a creation' }, ...sketches], {}, store);
    expect(report.conclusion).toBe('conforms');
    // Pact writes what is not an int64 as a double.
    const sent = store.received().filter(({ status }) => status === 400);
    expect(sent.map(({ body }) => Buffer.from(body).toString())).toEqual(
      sketches.map(({ body }) =>
        expect.stringMatching(body.includes('7.5') ? /"id":7\.5/ : /"id":-?9\.?22337/),
      ),
    );
  });

  test('the fresh id goes into the generators of the pact', async () => {
    await using store = await startPlantStore({ token });
    expect(verdictsOf(await verified([{ ...created, generators: ID_FROM_STATE }], {}, store))).toEqual([
      'pass',
    ]);
    expect(store.plants()[0]?.id).not.toBe(7);
  });

  test('"a plant with id exists" creates one first, as the state describes it', async () => {
    await using store = await startPlantStore({ token });
    const verification = await verified(
      [
        {
          description: 'a duplicate id',
          given: { [PLANT]: '{"id":7,"name":"Rose","tag":"thorny"}' },
          status: 'clientError',
        },
      ],
      {},
      store,
    );
    expect(verification.summary).toBe('The provider satisfies 1 of 1 interaction.');
    expect(store.plants()).toEqual([{ id: expect.any(Number), name: 'Rose', tag: 'thorny' }]);
    expect(store.received().map(({ status }) => status)).toEqual([200, 400]);
  });

  test('"the token is not valid" sends the token of the pact; so does a pact that asks for 401', async () => {
    await using store = await startPlantStore({ token, authenticationFailureStatus: 401 });
    const verification = await verified(
      [
        { description: 'a creation' },
        {
          description: 'a wrong token',
          given: { 'the token is not valid': '{"token":"wrong"}' },
          authorization: 'Bearer wrong',
          status: 'clientError',
        },
        { description: 'an old token', authorization: 'Bearer old', status: 401 },
      ],
      {},
      store,
    );
    expect(verification.summary).toBe('The provider satisfies 3 of 3 interactions.');
  });

  test('a pact that means a wrong token gets a hint if no state says so', async () => {
    const verification = await verified([
      { description: 'a creation' },
      {
        description: 'a wrong token',
        authorization: 'Bearer wrong',
        body: '{"name":"Aloe","id":8}',
        status: 400,
      },
    ]);
    expect(verification.conclusion).toBe('does-not-conform');
    expect(verification.pacts[0]?.interactions[1]?.hint).toContain('"the token is not valid"');
  });
});

describe.concurrent('states by functions', () => {
  const needy: Sketch = {
    description: 'a creation',
    given: { 'the shop is open': '{"until":9007199254740993}' },
    generators: ID_FROM_STATE,
  };

  test('get exact parameters, and return values for generators', async () => {
    await using store = await startPlantStore({ token });
    const seen: unknown[] = [];
    const verification = await verified(
      [needy],
      {
        states: {
          'the shop is open': {
            setup(params) {
              seen.push(params);
              return { id: 9223372036854775807n };
            },
            teardown: () => seen.push('closed'),
          },
        },
      },
      store,
    );
    expect(verification.conclusion).toBe('conforms');
    expect(seen).toEqual([{ until: 9007199254740993n }, 'closed']);
    expect(store.plants()[0]?.id).toBe(9223372036854775807n);
  });

  test('that throw block the interaction, and the verification is incomplete', async () => {
    await using store = await startPlantStore({ token });
    let times = 0;
    const verification = await verified(
      [needy, { description: 'another' }],
      {
        states: {
          'the shop is open': () => {
            times++;
            throw new Error('the key is lost');
          },
        },
      },
      store,
    );
    expect(verification.conclusion).toBe('incomplete');
    expect(verification.summary).toBe('The provider satisfies 1 of 2 interactions; 1 could not be verified.');
    expect(verification.pacts[0]?.interactions[0]).toMatchObject({
      verdict: 'blocked',
      reason: 'the state "the shop is open" cannot be set up: the key is lost',
    });
    expect([times, store.received().length]).toEqual([1, 1]);
  });

  test('must exist before anything is sent', async () => {
    await using store = await startPlantStore({ token });
    await expect(verified([needy], {}, store)).rejects.toMatchObject({
      code: 'no-state-handler',
      message: expect.stringContaining(
        'there is no handler for the state "the shop is open", which "a creation" in',
      ),
    });
    expect(store.received()).toEqual([]);
  });

  test('block the interaction if they cannot create the plant of a state', async () => {
    await using provider = await startReader((_request, response) => response.writeHead(500).end());
    const pacts = [await pactFile({ description: 'x', given: { [PLANT]: '{"id":7}' }, status: 400 })];
    const verification = await verifyProvider({ baseUrl: provider.url, token, pacts });
    expect(verification.conclusion).toBe('incomplete');
    expect(verification.pacts[0]?.interactions[0]?.reason).toBe(
      `the state "${PLANT}" cannot be set up: the plant could not be created: the provider returned 500`,
    );
  });
});

describe.concurrent('states by a URL', () => {
  const needy: Sketch = {
    description: 'a creation',
    given: { 'the shop is open': '{"id":9007199254740993}' },
  };

  test('are called as Pact calls them', async () => {
    const calls: unknown[] = [];
    await using states = await startReader((request, response, body) => {
      calls.push([request.method, request.headers['content-type'], body.toString()]);
      response.end();
    });
    const verification = await verified([needy], { stateUrl: `${states.url}/states` });
    expect(verification.conclusion).toBe('conforms');
    const params = '"params":{"id":9007199254740993}';
    expect(calls).toEqual([
      ['POST', 'application/json', `{"action":"setup","state":"the shop is open",${params}}`],
      ['POST', 'application/json', `{"action":"teardown","state":"the shop is open",${params}}`],
    ]);
  });

  test.each([
    ['returned 500', (response: import('node:http').ServerResponse) => response.writeHead(500).end()],
    ['is not JSON', (response: import('node:http').ServerResponse) => response.end('ok')],
  ])('block the interaction if the response %s', async (why, answer) => {
    await using states = await startReader((_request, response) => answer(response));
    const verification = await verified([needy], { stateUrl: states.url });
    expect(verification.conclusion).toBe('incomplete');
    expect(verification.pacts[0]?.interactions[0]?.reason).toContain(why);
  });
});

describe.concurrent('the token of the state "the token is not valid" is sent', () => {
  const given = { 'the token is not valid': '{"token":"wrong"}' };
  const wrongToken: Sketch = {
    description: 'a wrong token',
    given,
    authorization: 'Bearer wrong',
    // Of its own: a duplicate would be rejected too.
    body: '{"name":"Aloe","id":8}',
    status: 'clientError',
  };

  test.each([
    ['nothing', ''],
    ['no values', '{}'],
    ['values, even a token', `{"token":"${token}","id":8}`],
  ])('if a state URL sets the state up and responds with %s', async (_what, answer) => {
    await using states = await startReader((_request, response) => response.end(answer));
    const report = await verified([{ description: 'a creation' }, wrongToken], { stateUrl: states.url });
    expect(report.summary).toBe('The provider satisfies 2 of 2 interactions.');
  });

  test('if a function sets the state up', async () => {
    const seen: string[] = [];
    const states = { 'the token is not valid': () => void seen.push('set up') };
    const report = await verified([{ description: 'a creation' }, wrongToken], { states });
    expect(report.conclusion).toBe('conforms');
    expect(seen).toEqual(['set up']);
  });

  test('with the pact of this package and a state URL', async () => {
    await using store = await startPlantStore({ token });
    await using states = await startReader((_request, response) => {
      store.reset();
      response.end();
    });
    const report = await verifyProvider({ baseUrl: store.url, token, stateUrl: states.url });
    expect(report.summary).toBe('The provider satisfies 5 of 5 interactions.');
  });

  test('and a provider that accepts it fails without a hint to add the state', async () => {
    await using store = await startPlantStore({ token, faults: ['accepts-any-token'] });
    await using states = await startReader((_request, response) => response.end());
    const distinct = { ...wrongToken, body: '{"name":"Aloe","id":8}' };
    const report = await verified([{ description: 'a creation' }, distinct], { stateUrl: states.url }, store);
    expect(verdictsOf(report)).toEqual(['pass', 'fail']);
    expect(report.pacts[0]?.interactions[1]).not.toHaveProperty('hint');
  });
});

describe.concurrent('the response is compared with the request', () => {
  type Plant = { readonly name: string; readonly id: number; readonly tag?: string };

  /** Verifies a provider that creates every plant and returns what the function makes of it. */
  async function verifiedWith(
    returned: (plant: Plant) => object,
    sketches: readonly Sketch[],
    options: Partial<VerifyOptions> = {},
  ): Promise<VerifyReport> {
    await using provider = await startReader((_request, response, body) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(returned(JSON.parse(body.toString()))));
    });
    const pacts = [await pactFile(...sketches)];
    return await verifyProvider({ baseUrl: provider.url, token, pacts, ...options });
  }

  const plain: Sketch = { description: 'a creation', given: { [NO_PLANT]: '{"id":7}' } };
  const tagged: Sketch = { ...plain, body: '{"name":"Aloe","tag":"a","id":7}' };
  const pointersIn = ({ pacts }: VerifyReport): string[] =>
    pacts
      .flatMap(({ interactions }) => interactions.flatMap(({ violations }) => violations))
      .map(({ pointer }) => pointer);

  test.each<[what: string, pointer: string, (plant: Plant) => object, Sketch]>([
    ['a changed name', '/name', ({ name }) => ({ name: name.toUpperCase() }), plain],
    ['an added tag', '/tag', ({ name }) => ({ name, tag: '' }), plain],
    ['a changed tag', '/tag', ({ name, tag }) => ({ name, tag: `${tag} ` }), tagged],
    ['a tag that is lost', '/tag', ({ name }) => ({ name }), tagged],
  ])('%s breaks the interface, although Pact accepts it', async (_what, pointer, returned, sketch) => {
    const report = await verifiedWith(returned, [sketch]);
    expect(report.conclusion).toBe('does-not-conform');
    expect(report.pacts[0]?.interactions[0]?.mismatches).toEqual([]);
    expect(pointersIn(report)).toEqual([pointer]);
    expect((await verifiedWith(returned, [sketch], { validate: false })).conclusion).toBe('conforms');
  });

  const stored = (): object => ({ name: 'Rose', tag: 'thorny' });

  test.each<[what: string, given: Sketch['given']]>([
    ['in the state "a plant with id exists"', { [PLANT]: '{"id":7}' }],
    ['in an unknown state with a plant', { 'plant 7 exists': '{}' }],
    ['in an unknown state with parameters', { 'the shop is open': '{"plant":7}' }],
  ])('the response to a duplicate id may be any plant: %s', async (_what, given = {}) => {
    const states = Object.fromEntries(Object.keys(given).map((name) => [name, () => {}]));
    const report = await verifiedWith(stored, [{ description: 'a creation', given }], { states });
    expect(report.conclusion).toBe('conforms');
  });

  test.each<[what: string, given: Sketch['given']]>([
    ['without a state', {}],
    ['in a state without a plant', { 'no plants exist': '{}' }],
    ['in another state', { 'the shop is open': '{}' }],
  ])('the response to a new id is the plant that was sent: %s', async (_what, given = {}) => {
    const states = Object.fromEntries(Object.keys(given).map((name) => [name, () => {}]));
    const report = await verifiedWith(stored, [{ description: 'a creation', given }], { states });
    expect(pointersIn(report)).toEqual(['/name', '/tag']);
  });

  test('an id of an earlier interaction is a duplicate, in all pacts of a run', async () => {
    const first: Plant[] = [];
    const returned = (plant: Plant): object => {
      first.push(plant);
      return { name: first[0]?.name };
    };
    const rose = { description: 'another', body: '{"name":"Rose","id":7}' };
    const pacts = [await pactFile({ description: 'a creation' }, rose), await pactFile(rose)];
    expect((await verifiedWith(returned, [], { pacts })).conclusion).toBe('conforms');
    const other = { description: 'a new id', body: '{"name":"Rose","id":8}' };
    const report = await verifiedWith(returned, [{ description: 'a creation' }, other]);
    expect(verdictsOf(report)).toEqual(['pass', 'fail']);
  });
});

describe.concurrent('it does not pass by accident', () => {
  test.each<[string, string, (folder: string) => Partial<VerifyOptions>]>([
    ['no pact at all', 'no-pact', () => ({ pacts: [] })],
    ['an empty folder', 'no-pact', (folder) => ({ pacts: [folder] })],
    ['a missing file', 'no-pact', (folder) => ({ pacts: [`${folder}/none.json`] })],
    ['a URL without a server', 'no-pact', () => ({ pacts: ['http://127.0.0.1:9/pact.json'] })],
    ['a wrong option', 'invalid-option', () => ({ timeoutMs: 0 })],
  ])('with %s', async (_what, code, options) => {
    const folder = await folderWith({});
    await expect(
      verifyProvider({ baseUrl: 'http://127.0.0.1:9', token, ...options(folder) }),
    ).rejects.toMatchObject({ name: 'ToolkitError', code });
  });

  test.each([
    ['a pact without interactions', 'no-pact', pactOf([])],
    ['a pact with another provider', 'wrong-provider', pactOf([{ description: 'x' }], 'flower-shop')],
    ['what is not JSON', 'invalid-pact', '{"consumer":'],
    ['what is not a pact', 'invalid-pact', '{"consumer":{"name":"a"},"provider":{"name":"plant-store"}}'],
    [
      'a pact of messages',
      'no-pact',
      pactOf([{ description: 'x' }]).replaceAll('Synchronous/HTTP', 'Asynchronous/Messages'),
    ],
  ])('with %s', async (_what, code, text) => {
    const folder = await folderWith({ 'pact.json': text });
    const failure = verifyProvider({ baseUrl: 'http://127.0.0.1:9', token, pacts: [folder] });
    await expect(failure).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`${folder}/pact.json`),
    });
  });

  test('if the provider is down', async () => {
    const pacts = [await pactFile({ description: 'a creation' })];
    const verification = await verifyProvider({ baseUrl: 'http://127.0.0.1:9', token, pacts });
    expect(verification.conclusion).toBe('not-testable');
    expect(verification.summary).toContain('ECONNREFUSED');
  });

  test('if the token is wrong, although some rejections are as expected', async () => {
    const verification = await verified(
      [
        { description: 'a creation' },
        { description: 'no token', authorization: null, status: 'clientError' },
      ],
      { token: 'another-token' },
    );
    expect(verification.conclusion).toBe('not-testable');
    expect(verdictsOf(verification)).toEqual(['blocked', 'blocked']);
  });

  test('if the provider hangs, or closes the connection', async () => {
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
    const pacts = [await pactFile(...described)];
    const verification = await verifyProvider({ baseUrl: provider.url, token, pacts, timeoutMs: 1_500 });
    expect(verdictsOf(verification)).toEqual(['pass', 'fail', 'fail', 'fail']);
    const [, hung, reset] = verification.pacts[0]?.interactions ?? [];
    expect(hung?.mismatches).toEqual([{ part: 'request', message: 'no response within 1500 ms' }]);
    expect(reset?.mismatches[0]?.message).toMatch(/^no response: /);
  });

  test('if a redirect leads to the expected response: it is not followed', async () => {
    let asked = 0;
    await using provider = await startReader((_request, response) => {
      asked++;
      const head = { 'content-type': 'application/json', location: '/elsewhere' };
      response.writeHead(asked === 2 ? 307 : 200, head).end('{"name":"Aloe"}');
    });
    const pacts = [await pactFile({ description: 'a creation' }, { description: 'another' })];
    const verification = await verifyProvider({ baseUrl: provider.url, token, pacts });
    expect(verdictsOf(verification)).toEqual(['pass', 'fail']);
    expect(verification.pacts[0]?.interactions[1]?.mismatches).toMatchObject([
      { part: 'status', message: 'expected 200 but was 307' },
    ]);
    expect(asked).toBe(2);
  });

  test('but a pending failure does not count', async () => {
    const verification = await verified([
      { description: 'a creation' },
      { description: 'not yet', status: 400, body: '{"name":"Aloe","id":9}', pending: true },
    ]);
    expect(verification.pacts[0]?.interactions[1]).toMatchObject({ verdict: 'fail', pending: true });
    expect(verification.conclusion).toBe('conforms');
  });
});

test.concurrent('a pact of rejections only proves nothing with a wrong token', async () => {
  const rejections = [{ description: 'no name', body: '{"id":7}', status: 'clientError' }] as const;
  expect((await verified(rejections)).conclusion).toBe('conforms');
  const wrong = await verified(rejections, { token: 'another-token' });
  expect(wrong.conclusion).toBe('not-testable');
  expect(wrong.summary).toContain('a control was not accepted, so rejections prove nothing');
});

test.concurrent('a Location without a redirect reaches Pact', async () => {
  await using provider = await startReader((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json', location: '/plants/7' })
      .end('{"name":"Aloe"}');
  });
  const text = pactOf([{ description: 'a creation' }]).replace(
    '"response":{"status":200,"headers":{',
    '"response":{"status":200,"headers":{"Location":["/plants/7"],',
  );
  const pacts = [await folderWith({ 'pact.json': text })];
  expect((await verifyProvider({ baseUrl: provider.url, token, pacts })).conclusion).toBe('conforms');
});

describe.concurrent('what a pact cannot say', () => {
  test.each(['leaks-id', 'renders-null-tag'])('%s is found', async (fault) => {
    await using store = await startPlantStore({ token, faults: [fault as 'leaks-id'] });
    const options = { baseUrl: store.url, token, pacts: [await pactFile({ description: 'a creation' })] };
    const seen = await verifyProvider(options);
    expect(seen.conclusion).toBe('does-not-conform');
    expect(seen.pacts[0]?.interactions[0]).toMatchObject({ mismatches: [], violations: [{ part: 'body' }] });
    await store.reset();
    expect((await verifyProvider({ ...options, validate: false })).conclusion).toBe('conforms');
  });

  test('is found in compressed responses too', async () => {
    const { gzipSync } = await import('node:zlib');
    await using provider = await startReader((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync('{"name":"Aloe","id":7}'));
    });
    const pacts = [await pactFile({ description: 'a creation' })];
    const verification = await verifyProvider({ baseUrl: provider.url, token, pacts });
    expect(verification.pacts[0]?.interactions[0]?.violations).toMatchObject([{ pointer: '/id' }]);
  });

  test('the status for a duplicate id does not count against the provider', async () => {
    await using provider = await startReader((_request, response, body) => {
      const status = body.includes('"name":"Rose"') ? 200 : 201;
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"name":"Aloe"}');
    });
    const repeated = { description: 'again', given: { [PLANT]: '{"id":7,"name":"Rose"}' }, status: 201 };
    const pacts = [await pactFile({ ...repeated, response: '{"name":"Aloe"}' })];
    expect((await verifyProvider({ baseUrl: provider.url, token, pacts })).conclusion).toBe('conforms');
    const fresh = { ...repeated, given: { [NO_PLANT]: '{"id":7}' }, response: '{"name":"Aloe"}' };
    const other = await verifyProvider({ baseUrl: provider.url, token, pacts: [await pactFile(fresh)] });
    expect(other.conclusion).toBe('does-not-conform');
  });
});

test.concurrent('the output of Pact is available', async () => {
  const printed = vi.fn();
  await verified([{ description: 'a creation' }], { onPactOutput: printed });
  expect(printed).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('Verifying a pact between'));
});

test.concurrent('several pacts are distinguished', async () => {
  await using store = await startPlantStore({ token });
  const folder = await folderWith({
    'b.json': pactOf([{ description: 'a creation' }], 'plant-store', 'second'),
    'a.json': pactOf(
      [{ description: 'a creation', body: '{"name":"Aloe","id":8}', response: '{"tag":"x"}' }],
      'plant-store',
      'first',
    ),
    'notes.txt': 'not a pact',
  });
  const { pacts } = await verifyProvider({ baseUrl: store.url, token, pacts: [folder] });
  expect(pacts.map(({ consumer, interactions }) => [consumer, interactions[0]?.verdict])).toEqual([
    ['first', 'fail'],
    ['second', 'pass'],
  ]);
});
