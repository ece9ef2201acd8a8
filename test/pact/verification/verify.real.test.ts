import type { StateHandler, StateHandlers, VerifyOptions, VerifyReport } from 'plant-store-contract/pact';
import { startPlantStore } from 'plant-store-contract/server';
import { afterAll, describe, expect, test } from 'vitest';
import { casesOf } from '../../../src/report/frame.js';
import { folderWith } from '../../folder.js';
import { schemaErrors } from '../../report/formats/schema.js';
import { ID_FROM_STATE, pactFile, pactOf, type Sketch } from './pacts.js';
import { startReader } from './provider.js';
import { Verifiers } from './verifiers.js';

const token = 'a-token-of-these-tests';
const NO_PLANT = 'no plant with id';
const PLANT = 'a plant with id exists';

const verifiers = new Verifiers();
afterAll(() => verifiers.stop());

/** Verifies a reference server, a fresh one by default, against a pact of these interactions. */
async function verified(
  sketches: readonly Sketch[],
  options: Partial<VerifyOptions> = {},
  given?: Awaited<ReturnType<typeof startPlantStore>>,
): Promise<VerifyReport> {
  const store = given ?? (await startPlantStore({ token }));
  try {
    const pacts = [pactFile(...sketches)];
    const report = await verifiers.verify({ baseUrl: store.url, token, pacts, ...options });
    expect(schemaErrors(report)).toEqual([]);
    return report;
  } finally {
    if (given === undefined) await store.close();
  }
}

function verdictsOf(report: VerifyReport): string[] {
  return casesOf(report).map(({ verdict }) => verdict);
}

test.concurrent('two interactions with one description are distinguished, one of them pending', async () => {
  const twice = { description: 'the same', status: 400, response: '{"error":1,"message":"no"}' } as const;
  const verification = await verified([
    { description: 'a creation' },
    { ...twice, given: { [NO_PLANT]: '{"id":7}' }, pending: true },
    { ...twice, given: { [NO_PLANT]: '{"id":8}' }, body: '{"name":"Aloe","id":8}' },
  ]);
  expect(verification.summary).toBe(
    'The provider fails 1 of 3 interactions; 1 pending failure does not count.',
  );
  const [, pending, failed] = casesOf(verification);
  expect([pending?.id, failed?.id]).toEqual([
    'the same, given no plant with id',
    'the same, given no plant with id (2)',
  ]);
  expect([pending?.excuse?.kind, failed?.excuse]).toEqual(['pending', undefined]);
  expect(failed?.evidence).toMatchObject([
    { where: 'pact: status', expected: 'the status 400', actual: 'the status 200' },
    { where: 'pact: body $' },
  ]);
});

describe.concurrent('what reaches the provider', () => {
  test('has the token of the verification instead of the one of the pact, and none if the pact has none', async () => {
    const sent: unknown[] = [];
    // It is no pattern of a replacement.
    const token = "$&-$1-$'";
    await using provider = await startReader(({ headers }, response) => {
      sent.push([headers.authorization, headers['x-token']]);
      const isAccepted = headers.authorization === `bearer  ${token}`;
      response.writeHead(isAccepted ? 200 : 401, { 'content-type': 'application/json' });
      response.end(isAccepted ? '{"name":"Aloe"}' : '{"error":1,"message":"no"}');
    });
    const pact = pactFile(
      { description: 'with a token', authorization: 'bearer  a b', headers: { 'X-Token': 'Bearer a' } },
      { description: 'without one', authorization: null, status: 'clientError' },
      { description: 'with another scheme', authorization: 'Basic Zm9vOmJhcg==', status: 'clientError' },
    );
    const verification = await verifiers.verify({ baseUrl: provider.url, token, pacts: [pact] });
    expect(verdictsOf(verification)).toEqual(['pass', 'pass', 'pass']);
    expect(sent).toEqual([
      [`bearer  ${token}`, 'Bearer a'],
      [undefined, undefined],
      ['Basic Zm9vOmJhcg==', undefined],
    ]);
  });

  test('has every int64 exactly, and bodies over 100 kB, byte by byte', async () => {
    await using store = await startPlantStore({ token });
    const ids = ['9223372036854775807', '-9223372036854775808', '9007199254740993', '0'];
    const plants = ids.map((id) => ({ name: 'Aloe', id })).concat({ name: 'Aloe'.repeat(50_000), id: '7' });
    const sketches = plants.map(({ name, id }) => ({
      description: `a plant with id ${id}`,
      body: `{"name":"${name}","id":${id}}`,
    }));
    expect((await verified(sketches, {}, store)).conclusion).toBe('conforms');
    expect(store.plants().map(({ name, id }) => ({ name, id: String(id) }))).toEqual(plants);
  });

  test.each([
    ['a number', '{"id":7,"n":1.0}', '7', '{"id":99,"n":1.0}'],
    ['beyond 2^53', '{"id":9007199254740993}', '9007199254740993', '{"id":99}'],
    ['its neighbour beyond 2^53', '{"id":9007199254740992}', '9007199254740993', undefined],
    ['a string', '{"id":"7"}', '7', undefined],
    ['a fraction', '{"id":7.5}', 'null', undefined],
    ['past the end of int64', '{"id":9223372036854775808}', 'null', undefined],
    ['the end of int64', '{"id":-9223372036854775808}', 'null', '{"id":99}'],
  ])(
    'has another id if a state asks for one, and is otherwise unchanged: %s',
    async (_what, body, id, sent = body) => {
      const bodies: string[] = [];
      await using provider = await startReader((_request, response, given) => {
        bodies.push(given.toString());
        response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":1,"message":"no"}');
      });
      const pacts = [pactFile({ description: 'x', given: { asks: `{"id":${id}}` }, body, status: 400 })];
      const asks: StateHandler = (params, { replaceId }) =>
        replaceId((params.id as number | bigint | null) ?? undefined, 99);
      await verifiers.verify({ baseUrl: provider.url, token, pacts, states: { asks } });
      expect(bodies[0]).toBe(sent);
    },
  );

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
    const verification = await verifiers.verify({
      ...{ baseUrl: provider.url, token, pacts: [pactFile({ description: 'a creation' })] },
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

  test('"a plant with id exists" creates one first, as the state describes it', async () => {
    await using store = await startPlantStore({ token });
    const given = { [PLANT]: '{"id":7,"name":"Rose","tag":"thorny"}' };
    const duplicate: Sketch = { description: 'a duplicate id', given, status: 'clientError' };
    const verification = await verified([duplicate], {}, store);
    expect(verification.summary).toBe('The provider satisfies 1 of 1 interaction.');
    expect(store.plants()).toEqual([{ id: expect.any(Number), name: 'Rose', tag: 'thorny' }]);
    expect(store.received().map(({ status }) => status)).toEqual([200, 400]);
  });

  test('a pact that means a wrong token gets a hint if no state says so', async () => {
    const wrongToken = { description: 'a wrong token', authorization: 'Bearer wrong', status: 400 };
    const body = '{"name":"Aloe","id":8}';
    const verification = await verified([{ description: 'a creation' }, { ...wrongToken, body }]);
    expect(verification.conclusion).toBe('does-not-conform');
    expect(verification.findings[0]?.fix).toContain('"the token is not valid"');
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
    const states: StateHandlers = {
      'the shop is open': (params) => {
        seen.push(params);
        return { id: 9223372036854775807n };
      },
    };
    const verification = await verified([needy], { states }, store);
    expect(verification.conclusion).toBe('conforms');
    expect(seen).toEqual([{ until: 9007199254740993n }]);
    expect(store.plants()[0]?.id).toBe(9223372036854775807n);
  });

  test('that throw block the interaction, and the verification is incomplete', async () => {
    await using store = await startPlantStore({ token });
    let times = 0;
    const states: StateHandlers = {
      'the shop is open': () => {
        times++;
        throw new Error('the key is lost');
      },
    };
    const verification = await verified([needy, { description: 'another' }], { states }, store);
    expect(verification.conclusion).toBe('incomplete');
    expect(verification.summary).toBe('The provider satisfies 1 of 2 interactions; 1 could not be verified.');
    expect(casesOf(verification)[0]).toMatchObject({
      verdict: 'blocked',
      detail: 'the state "the shop is open" cannot be set up: the key is lost',
    });
    expect([times, store.received().length]).toEqual([1, 1]);
  });

  test('block the interaction if they cannot create the plant of a state', async () => {
    await using provider = await startReader((_request, response) => response.writeHead(500).end());
    const pacts = [pactFile({ description: 'x', given: { [PLANT]: '{"id":7}' }, status: 400 })];
    const verification = await verifiers.verify({ baseUrl: provider.url, token, pacts });
    expect(verification.conclusion).toBe('incomplete');
    expect(casesOf(verification)[0]?.detail).toBe(
      `the state "${PLANT}" cannot be set up: the provider returned 500`,
    );
  });
});

test.concurrent('a URL for states is called as Pact calls it', async () => {
  const calls: unknown[] = [];
  await using states = await startReader((request, response, body) => {
    calls.push([request.method, request.headers['content-type'], body.toString()]);
    response.end();
  });
  const needy = { description: 'a creation', given: { 'the shop is open': '{"id":9007199254740993}' } };
  const verification = await verified([needy], { stateUrl: `${states.url}/states` });
  expect(verification.conclusion).toBe('conforms');
  const params = '"params":{"id":9007199254740993}';
  expect(calls).toEqual([
    ['POST', 'application/json', `{"action":"setup","state":"the shop is open",${params}}`],
    ['POST', 'application/json', `{"action":"teardown","state":"the shop is open",${params}}`],
  ]);
});

test.concurrent('the token of the state "the token is not valid" is sent, even if a state URL responds with another', async () => {
  await using states = await startReader((_request, response) => {
    response.setHeader('content-type', 'application/json').end(`{"token":"${token}","id":8}`);
  });
  const wrongToken: Sketch = {
    description: 'a wrong token',
    given: { 'the token is not valid': '{"token":"wrong"}' },
    authorization: 'Bearer wrong',
    // Of its own: a duplicate would be rejected too.
    body: '{"name":"Aloe","id":8}',
    status: 'clientError',
  };
  const report = await verified([{ description: 'a creation' }, wrongToken], { stateUrl: states.url });
  expect(report.summary).toBe('The provider satisfies 2 of 2 interactions.');
});

describe.concurrent('it does not pass by accident', () => {
  test.each<[string, baseUrl: (store: string) => string, summary: string]>([
    ['provider is down', () => 'http://127.0.0.1:9', 'it accepted no plant: connect ECONNREFUSED'],
    [
      'base URL is wrong',
      (store) => `${store}/v1`,
      'it accepted no plant: the provider returned 404. Is the base URL right? The paths of the pacts are appended to it.',
    ],
  ])('if the %s', async (_what, baseUrl, summary) => {
    await using store = await startPlantStore({ token });
    const report = await verified([{ description: 'a creation' }], { baseUrl: baseUrl(store.url) }, store);
    expect(report.conclusion).toBe('not-testable');
    expect(report.summary).toContain(`The provider could not be tested: ${summary}`);
    expect(verdictsOf(report)).toEqual(['blocked']);
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
    const pacts = [pactFile(...described)];
    const verification = await verifiers.verify({ baseUrl: provider.url, token, pacts, timeoutMs: 1_500 });
    expect(verdictsOf(verification)).toEqual(['pass', 'fail', 'fail', 'fail']);
    const [, hung, reset] = casesOf(verification);
    expect(hung?.evidence).toMatchObject([
      { where: 'pact: request', actual: 'no whole response within 1500 ms' },
    ]);
    expect(reset?.evidence[0]?.actual).toMatch(/^no whole response: /);
  });

  test('if a redirect leads to the expected response: it is not followed', async () => {
    let asked = 0;
    await using provider = await startReader((_request, response) => {
      asked++;
      const head = { 'content-type': 'application/json', location: '/elsewhere' };
      response.writeHead(asked === 2 ? 307 : 200, head).end('{"name":"Aloe"}');
    });
    const pacts = [pactFile({ description: 'a creation' }, { description: 'another' })];
    const verification = await verifiers.verify({ baseUrl: provider.url, token, pacts });
    expect(verdictsOf(verification)).toEqual(['pass', 'fail']);
    expect(casesOf(verification)[1]?.evidence[0]?.actual).toBe('the status 307');
    expect(asked).toBe(2);
  });
});

test.concurrent('a pact of rejections only proves nothing with a wrong token', async () => {
  const rejections = [{ description: 'no name', body: '{"id":7}', status: 'clientError' }] as const;
  expect((await verified(rejections)).conclusion).toBe('conforms');
  const wrong = await verified(rejections, { token: 'another-token' });
  expect(wrong.conclusion).toBe('not-testable');
  expect(wrong.summary).toContain('it accepted no plant: the provider returned 400. Is the token right?');
});

test.concurrent('an id of an earlier interaction is a duplicate, in all pacts of a run: the response may be the stored plant', async () => {
  let first: string | undefined;
  await using provider = await startReader((_request, response, body) => {
    first ??= JSON.parse(body.toString()).name;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ name: first }));
  });
  const rose = { description: 'another', body: '{"name":"Rose","id":7}' };
  const other = { description: 'a new id', body: '{"name":"Rose","id":8}' };
  const pacts = [pactFile({ description: 'a creation' }, rose), pactFile(rose, other)];
  const report = await verifiers.verify({ baseUrl: provider.url, token, pacts });
  expect(verdictsOf(report)).toEqual(['pass', 'pass', 'pass', 'fail']);
});

test.concurrent('what only the interface says is found', async () => {
  await using store = await startPlantStore({ token, faults: ['leaks-id'] });
  const sketch = { description: 'a creation', given: { [NO_PLANT]: '{"id":7}' } };
  const report = await verified([sketch], {}, store);
  const [interaction] = casesOf(report);
  const [plant] = store.plants();
  const sent = `POST ${store.url}/plants {"id":${plant?.id},"name":"Aloe"}`;
  const expected = 'only the fields "name" and "tag"';
  const difference = { where: 'interface: body /id', expected, actual: String(plant?.id) };
  expect(interaction?.evidence).toEqual([{ sent, ...difference, finding: 0, exchanges: [0] }]);
  expect(interaction?.notes).toEqual([`Response: 200 {"name":"Aloe","id":${plant?.id}}`]);
  expect(report.findings).toMatchObject([{ cases: ['a creation, given no plant with id'] }]);
  expect(report.groups).toMatchObject([{ title: 'garden → plant-store', cases: [{ verdict: 'fail' }] }]);
});

test.concurrent('if only the body of another 4xx is wrong, there is a warning, unless it is strict', async () => {
  await using provider = await startReader((_request, response, body) => {
    const [status, text] = body.includes('name')
      ? [200, '{"name":"Aloe"}']
      : [404, '{"error":"no","message":"no"}'];
    response.writeHead(status as number, { 'content-type': 'application/json' }).end(text);
  });
  const nameless: Sketch = {
    description: 'no name',
    body: '{"id":8}',
    status: 404,
    response: '{"message":"no"}',
  };
  const pacts = [pactFile({ description: 'a creation' }, nameless)];
  const options = { baseUrl: provider.url, token, pacts };
  expect(verdictsOf(await verifiers.verify(options))).toEqual(['pass', 'warn']);
  expect(verdictsOf(await verifiers.verify({ ...options, strict: true }))).toEqual(['pass', 'fail']);
});

test.concurrent('in the state "a plant with id exists", the response may be the stored plant, with another status', async () => {
  let first: string | undefined;
  await using provider = await startReader((_request, response, body) => {
    const status = first === undefined ? 200 : 201;
    first ??= JSON.parse(body.toString()).name;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ name: first }));
  });
  const created = { status: 201, response: '{"name":"Rose"}', body: '{"name":"Rose","id":7}' } as const;
  const pacts = [
    pactFile(
      { ...created, description: 'again', given: { [PLANT]: '{"id":7,"name":"Moss"}' } },
      { ...created, description: 'new', given: { [NO_PLANT]: '{"id":7}' } },
    ),
  ];
  const report = await verifiers.verify({ baseUrl: provider.url, token, pacts });
  expect(verdictsOf(report)).toEqual(['pass', 'fail']);
});

test.concurrent('a pact of which nothing can be used, one that is empty, one with another provider, and one with a message do not count against the provider', async () => {
  const creation: Sketch = { description: 'a creation' };
  const folder = folderWith({
    'a.json': pactOf([creation, { description: 'middle' }]).replace('"match":"type"', '"match":"botanical"'),
    'b.json': pactOf([]),
    'c.json': pactOf([creation], 'flower-shop'),
    'd.json': pactOf([creation]),
    'e.json': pactOf([creation]).replace('Synchronous/HTTP', 'Asynchronous/Messages'),
  });
  await using store = await startPlantStore({ token });
  const report = await verifiers.verify({ baseUrl: store.url, token, pacts: [folder] });
  expect(report.conclusion).toBe('incomplete');
  expect(report.summary).toMatch(
    /^The provider satisfies 1 of 3 interactions; 2 could not be verified; 2 pacts could not be verified; Failed to load pact/,
  );
  expect(casesOf(report).map(({ verdict, detail }) => [verdict, detail])).toEqual([
    ['blocked', 'Pact did not verify it'],
    ['blocked', 'Pact did not verify it'],
    ['blocked', expect.stringMatching(/b\.json has no interaction$/)],
    ['pass', undefined],
    ['blocked', expect.stringMatching(/e\.json is not a pact: \/interactions\/0\/type is not Synchronous/)],
  ]);
  expect(report.notes).toEqual([
    expect.stringMatching(/^Failed to load pact: .*test-\w+\/a\.json' - .*botanical/),
    expect.stringMatching(/^Left out: .*c\.json is a pact with "flower-shop"\.$/),
  ]);
});
