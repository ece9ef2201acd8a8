import { createPlantClient, PlantStoreError } from 'plant-store-contract/client';
import type { PlantStorePact } from 'plant-store-contract/pact';
import type { NewPlant } from 'plant-store-contract/spec';
import { writeJson } from 'plant-store-contract/validation';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { PactFolder } from './collected.js';

interface Call {
  readonly url: string;
  readonly token: string | null;
  readonly plant: NewPlant;
}

const create = ({ url, token, plant }: Call) => createPlantClient({ baseUrl: url, token }).createPlant(plant);

const rejected = async (call: Call & { readonly status: number; readonly error: object }) => {
  const failure = await create(call).catch((problem: unknown) => problem);
  expect(failure).toBeInstanceOf(PlantStoreError);
  expect(failure).toMatchObject({ ...call.error, status: call.status });
};

const CREATIONS = ['createsPlantWithTag', 'createsPlantWithoutTag'] as const;
const REJECTIONS = ['rejectsInvalidPlant', 'rejectsMissingToken', 'rejectsWrongToken'] as const;

async function all(pact: PlantStorePact): Promise<void> {
  for (const name of CREATIONS)
    await pact[name](async (call) => expect(await create(call)).toEqual(call.response));
  for (const name of REJECTIONS) await pact[name](rejected);
}

test('each is made by the client, and is in the pact', async () => {
  const folder = new PactFolder();
  const { said, pact } = await folder.run(all);
  expect(said).toBe('');
  expect(pact).toMatchObject({ consumer: 'web', provider: 'plant-store' });
  const lines = pact.interactions.map((interaction) => {
    const { description, states, request, response } = interaction;
    const given = states.map(({ name, params }) => `${name} ${writeJson(params)}`).join(' and ');
    const token = request.headers.find(([name]) => name === 'Authorization')?.[1] ?? 'nothing';
    const { status, body } = response;
    return [
      `${description}, given ${given}`,
      `  ${token}, ${request.body?.text?.replaceAll(/\s+/g, '')}`,
      `  ${interaction.response.statuses.includes(418) ? 'clientError' : status}, ${writeJson(body?.value ?? null)}`,
    ].join('\n');
  });
  expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
    "
    a request to create a plant with a tag, given no plant with id {"id":1001}
      Bearer example-token, {"id":1001,"name":"Aloe","tag":"succulent"}
      200, {"name":"Aloe","tag":"succulent"}
    a request to create a plant with a wrong token, given no plant with id {"id":1006} and the token is not valid {"token":"wrong-token"}
      Bearer wrong-token, {"id":1006,"name":"Ivy","tag":"climber"}
      clientError, {"error":4,"message":"the token is not valid"}
    a request to create a plant without a tag, given no plant with id {"id":1002}
      Bearer example-token, {"id":1002,"name":"Fern"}
      200, {"name":"Fern"}
    a request to create a plant without a token, given no plant with id {"id":1005}
      nothing, {"id":1005,"name":"Cactus"}
      clientError, {"error":3,"message":"the token is missing"}
    a request to create an invalid plant, given no plant with id {"id":1004}
      Bearer example-token, {"id":1004}
      clientError, {"error":2,"message":"the plant is not valid"}
    "
  `);
  const { interactions } = JSON.parse(folder.text());
  for (const [at, { request, response }] of pact.interactions.entries()) {
    expect(request).toMatchObject({ method: 'POST', path: '/plants' });
    for (const { headers } of [request, response])
      expect(headers).toContainEqual(['Content-Type', 'application/json']);
    expect(interactions[at].request).toHaveProperty('generators', {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Pact resolves it.
      body: { '$.id': { type: 'ProviderState', expression: '${id}', dataType: 'INTEGER' } },
    });
  }
});

describe('an int64 is exact in the pact and in the mock server', () => {
  test.each([2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n])('%s', async (id) => {
    const folder = new PactFolder();
    const plant = { name: 'Aloe', id };
    const { pact } = await folder.run(async (pact) => {
      await pact.createsPlantWithoutTag(create, { plant });
      await pact.rejectsWrongToken(rejected, { plant });
      await pact.rejectsInvalidPlant(rejected, { body: { id, name: null } });
      // The mock server returns an id exactly as it is in the pact.
      await pact.interaction(
        (builder) =>
          builder
            .uponReceiving('an id')
            .withRequest('GET', '/id')
            .willRespondWith(200, (response) => {
              response.jsonBody(`{"id":${id}}`);
            }),
        async ({ url }) => expect(await (await fetch(`${url}/id`)).text()).toBe(`{"id":${id}}`),
      );
    });
    const posts = pact.interactions.filter(({ request }) => request.method === 'POST');
    expect(posts).toHaveLength(3);
    for (const { request, states } of posts) {
      expect(request.body?.text).toMatch(new RegExp(`"id":${id}[,}]`));
      expect(states[0]?.params.id).toBe(String(id));
    }
  });
});

describe('overrides change', () => {
  test('the plant, the token and the description', async () => {
    const folder = new PactFolder();
    const { pact } = await folder.run((pact) =>
      pact.createsPlantWithTag(
        async (call) => {
          expect(call).toMatchObject({ token: 'other', plant: { name: '', id: -1, tag: '' } });
          expect(await create(call)).toEqual({ name: '', tag: '' });
        },
        { plant: { name: '', id: -1, tag: '' }, token: 'other', description: 'an empty plant' },
      ),
    );
    expect(pact.interactions[0]).toMatchObject({ description: 'an empty plant' });
    expect(pact.interactions[0]?.request.headers).toContainEqual(['Authorization', 'Bearer other']);
  });

  test('the status of a rejection: any 4xx, or exactly one', async () => {
    const folder = new PactFolder();
    const { pact } = await folder.run(async (pact) => {
      await pact.rejectsWrongToken(rejected);
      await pact.rejectsWrongToken(
        async (call) => {
          expect(call.status).toBe(409);
          await rejected(call);
        },
        { status: 409, description: 'another' },
      );
    });
    const statuses = pact.interactions.map((one) => [
      one.response.status,
      one.response.statuses.includes(422),
    ]);
    expect(statuses.sort()).toEqual([
      [400, true],
      [409, false],
    ]);
  });

  test('the invalid plant to any other JSON value', async () => {
    const folder = new PactFolder();
    const bodies = [
      { name: null, id: 7 },
      { name: 'Aloe', id: '7' },
      { name: 'Aloe', id: 2n ** 63n },
      { name: 'Aloe', id: 1.5, tag: null },
      [{ name: 'Aloe', id: 7 }],
      'Aloe',
      null,
      7n,
    ];
    const { pact } = await folder.run(async (pact) => {
      for (const [index, body] of bodies.entries())
        await pact.rejectsInvalidPlant(rejected, { body, description: `body ${index}` });
    });
    // A pact does not show whether a string is JSON.
    const sent = pact.interactions.map(({ request: { body } }) =>
      body?.value === undefined ? body?.text : body.value,
    );
    expect(sent).toEqual(bodies.map((body) => (body === 7n ? 7 : body)));
    // Without a valid id, no plant can have the same one.
    expect(pact.interactions.map(({ states }) => states.length)).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
  });
});

describe('a wrong override is rejected', () => {
  const untagged = { name: 'a', id: 1 };
  const wrong: readonly [string, (pact: PlantStorePact) => Promise<unknown>, string][] = [
    ['no tag', (pact) => pact.createsPlantWithTag(create, { plant: untagged as never }), 'must have a tag'],
    [
      'a rounded id',
      (pact) => pact.rejectsWrongToken(rejected, { plant: { name: 'a', id: 2 ** 60 } }),
      'may have been rounded',
    ],
    ['a valid plant', (pact) => pact.rejectsInvalidPlant(rejected, { body: untagged }), 'allows'],
    [
      'a rejection with 200',
      (pact) => pact.rejectsWrongToken(rejected, { status: 200 }),
      'be a 4xx; got 200',
    ],
  ];

  test.each(wrong)('%s', async (_what, make, message) => {
    const folder = new PactFolder();
    await folder.run(async (pact) => {
      const failure = await make(pact).catch((problem: unknown) => problem);
      expect(failure).toMatchObject({ message: expect.stringContaining(message) });
    });
  });
});

test('the types are exact', () => {
  type Call = Parameters<Parameters<PlantStorePact['rejectsMissingToken']>[0]>[0];
  expectTypeOf<Call['token']>().toEqualTypeOf<null>();
  const given = (pact: PlantStorePact) => pact.rejectsWrongToken(async ({ status }) => ({ status }));
  expectTypeOf(given).returns.resolves.toEqualTypeOf<{ status: number }>();
});
