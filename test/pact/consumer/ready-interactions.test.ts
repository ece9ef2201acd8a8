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

const refused = async (call: Call & { readonly status: number; readonly error: object }) => {
  const failure = await create(call).catch((problem: unknown) => problem);
  expect(failure).toBeInstanceOf(PlantStoreError);
  expect(failure).toMatchObject({ ...call.error, status: call.status });
};

const CREATIONS = ['createsPlantWithTag', 'createsPlantWithoutTag'] as const;
const REFUSALS = [
  'refusesRepeatedId',
  'refusesInvalidPlant',
  'refusesMissingToken',
  'refusesWrongToken',
] as const;

async function all(pact: PlantStorePact): Promise<void> {
  for (const name of CREATIONS)
    await pact[name](async (call) => expect(await create(call)).toEqual(call.answer));
  for (const name of REFUSALS) await pact[name](refused);
}

test('each is driven by the client, and stands in the pact', async () => {
  using folder = new PactFolder();
  const { pacts, pact } = await folder.run(all);
  expect(pacts).toEqual([
    { file: `${folder.dir}/web-plant-store.json`, written: true, interactions: 6, kept: [] },
  ]);
  expect(pact).toMatchObject({ consumer: 'web', provider: 'plant-store', specification: '4.0' });
  const told = pact.interactions.map(({ description, states, request, response }) => {
    const given = states.map(({ name, params }) => `${name} ${writeJson(params)}`).join(' and ');
    const token = request.headers.find(([name]) => name === 'Authorization')?.[1] ?? 'nothing';
    const { status, statusClass, body } = response;
    return [
      `${description}, given ${given}`,
      `  ${token}, ${request.body?.json?.replaceAll(/\s+/g, '')}`,
      `  ${statusClass ?? status}, ${writeJson(body?.value ?? null)}`,
    ].join('\n');
  });
  expect(`\n${told.join('\n')}\n`).toMatchInlineSnapshot(`
    "
    a request to create a plant whose id exists, given a plant with id exists {"id":1003,"name":"Monstera","tag":"climber"}
      Bearer example-token, {"id":1003,"name":"Monstera","tag":"climber"}
      clientError, {"error":1,"message":"the id exists"}
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
  for (const { request, response } of pact.interactions) {
    expect(request).toMatchObject({ method: 'POST', path: '/plants' });
    for (const { headers } of [request, response])
      expect(headers).toContainEqual(['Content-Type', 'application/json']);
    expect(request.generators).toEqual({
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Pact resolves it.
      body: { '$.id': { type: 'ProviderState', expression: '${id}', dataType: 'INTEGER' } },
    });
  }
});

test('what may be another of its kind is matched by its type, and what is the point of it is not', async () => {
  using folder = new PactFolder();
  const { pact } = await folder.run(all);
  const rules = (part: unknown) =>
    Object.entries((part ?? {}) as Record<string, { matchers: { match: string }[] }>).map(
      ([path, { matchers }]) => `${path} ${matchers.map(({ match }) => match)}`,
    );
  for (const { description, request, response } of pact.interactions) {
    const fields = Object.keys(request.body?.value as object);
    expect(rules(request.matchingRules.body)).toEqual(
      fields.map((field) => `$.${field} ${field === 'id' ? 'integer' : 'type'}`),
    );
    const anyToken = !/(wrong|without a) token/.test(description);
    expect(rules(request.matchingRules.header)).toEqual(anyToken ? ['Authorization regex'] : []);
    const answered = Object.keys(response.body?.value as object);
    expect(rules(response.matchingRules.body)).toEqual(
      answered.map((field) => `$.${field} ${field === 'error' ? 'integer' : 'type'}`),
    );
  }
});

describe('an int64 is exact in the pact and in the mock server', () => {
  test.each([2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, 2n ** 53n, -(2n ** 53n) - 1n])(
    '%s',
    async (id) => {
      using folder = new PactFolder();
      const plant = { name: 'Aloe', id };
      const { pact } = await folder.run(async (pact) => {
        await pact.createsPlantWithoutTag(create, { plant });
        await pact.refusesRepeatedId(refused, { plant });
        await pact.refusesInvalidPlant(refused, { body: { id, name: null } });
        // The mock server answers an id that it is told as it is.
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
        expect(request.body?.json).toMatch(new RegExp(`"id": ${id}[,\\s]`));
        expect(states[0]?.params.id).toBe(String(id));
      }
    },
  );

  test('and one that a double holds is a number in the parameters, too', async () => {
    using folder = new PactFolder();
    const plants = [-(2 ** 53) + 1, 2n ** 53n - 1n, 0n].map((id) => ({ name: 'Aloe', id }));
    for (const plant of plants) {
      const { pact } = await folder.run((pact) => pact.createsPlantWithoutTag(create, { plant }));
      expect(pact.interactions[0]?.states[0]?.params.id).toBe(Number(plant.id));
    }
  });
});

describe('what may be changed', () => {
  test('the plant, the token and the description', async () => {
    using folder = new PactFolder();
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

  test.each(REFUSALS)('the status that %s has: for all of a pact, or for one', async (name) => {
    using folder = new PactFolder();
    const { pact } = await folder.run(
      async (pact) => {
        await pact[name](refused);
        await pact[name](
          async (call) => {
            expect(call.status).toBe(409);
            await refused(call);
          },
          { status: 409, description: 'another' },
        );
      },
      { refusals: 422 },
    );
    const statuses = pact.interactions.map(({ response }) => [response.status, response.statusClass]);
    expect(statuses.sort()).toEqual([
      [409, undefined],
      [422, undefined],
    ]);
  });

  test('the invalid plant, for any JSON value that is none', async () => {
    using folder = new PactFolder();
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
        await pact.refusesInvalidPlant(refused, { body, description: `body ${index}` });
    });
    expect(pact.interactions.map(({ request }) => request.body?.value)).toEqual(
      bodies.map((body) => (body === 7n ? 7 : body)),
    );
    // Without an id, there is nothing that could be in the store already.
    expect(pact.interactions.map(({ states }) => states.length)).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
  });
});

describe('what is no such interaction is refused', () => {
  const wrong: readonly [string, (pact: PlantStorePact) => Promise<unknown>, string][] = [
    [
      'a plant without a tag',
      (pact) => pact.createsPlantWithTag(create, { plant: { name: 'a', id: 1 } as never }),
      'no tag',
    ],
    [
      'a plant with one',
      (pact) => pact.createsPlantWithoutTag(create, { plant: { name: 'a', id: 1, tag: '' } as never }),
      'has a tag',
    ],
    [
      'an invalid plant',
      (pact) => pact.createsPlantWithoutTag(create, { plant: { name: 1, id: 1 } as never }),
      '"name"',
    ],
    [
      'a rounded id',
      (pact) => pact.refusesWrongToken(refused, { plant: { name: 'a', id: 2 ** 60 } }),
      'may have been rounded',
    ],
    ['a valid plant', (pact) => pact.refusesInvalidPlant(refused, { body: { name: 'a', id: 1 } }), 'allows'],
    ['a token of spaces', (pact) => pact.createsPlantWithTag(create, { token: 'a b' }), 'token'],
    [
      'a refusal with 200',
      (pact) => pact.refusesWrongToken(refused, { status: 200 }),
      'must be a 4xx; got 200',
    ],
    ['a refusal with 500', (pact) => pact.refusesMissingToken(refused, { status: 500 }), 'must be a 4xx'],
  ];

  test.each(wrong)('%s', async (_what, make, message) => {
    using folder = new PactFolder();
    await folder.run(async (pact) => {
      const failure = await make(pact).catch((problem: unknown) => problem);
      expect(failure).toMatchObject({ code: 'invalid-option', message: expect.stringContaining(message) });
    });
  });
});

test('the types are exact', () => {
  expectTypeOf<Parameters<Parameters<PlantStorePact['createsPlantWithTag']>[0]>[0]['plant']>().toEqualTypeOf<
    Required<NewPlant>
  >();
  expectTypeOf<
    Parameters<Parameters<PlantStorePact['refusesMissingToken']>[0]>[0]['token']
  >().toEqualTypeOf<null>();
  const given = (pact: PlantStorePact) => pact.refusesWrongToken(async ({ status }) => ({ status }));
  expectTypeOf(given).returns.resolves.toEqualTypeOf<{ status: number }>();
});
