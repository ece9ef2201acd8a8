import {
  createPlantStore,
  errorCodes,
  type Fault,
  type FaultName,
  faultNames,
  loadFaults,
  type PlantStore,
  type PlantStoreOptions,
  Rejection,
  startPlantStore,
} from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { faults } from '../../src/server/faults/index.js';
import { creation, plant, send, TOKEN } from './plant-request.js';

// That each fault breaks the rules that it names is tested in test/conformance/rules/faults.test.ts.
describe('the registry', () => {
  test('has the faults of faultNames, in their order', async () => {
    expect(Object.keys(faults)).toEqual([...faultNames]);
    expect((await loadFaults()).map(({ name }) => name)).toEqual([...faultNames]);
  });

  test('has at most 100 faults, each once', () => {
    expect(faultNames.length).toBeLessThanOrEqual(100);
    expect(new Set(faultNames).size).toBe(faultNames.length);
  });

  test('names each fault in lower case with hyphens, and describes it in a sentence', async () => {
    for (const { name, title } of await loadFaults()) {
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/);
      expect(title, name).toMatch(/^["A-Z].{10,}\.$/);
    }
  });

  test('lists the rules that each fault breaks, each once', async () => {
    for (const { name, breaks } of await loadFaults()) {
      expect(breaks, name).not.toEqual([]);
      expect(new Set(breaks).size, name).toBe(breaks.length);
      for (const rule of breaks) expect(rule, name).toMatch(/^[a-z]+\/[a-z0-9-]+$/);
    }
  });
});

test('several faults work together', async () => {
  const store = createPlantStore({
    token: TOKEN,
    faults: ['leaks-id', 'answers-201', 'requires-tag', 'answers-500'],
  });
  const send = (body: string) => store.fetch(creation(undefined, { body }));
  const created = await send('{"name":"Aloe","id":7,"tag":"a"}');
  expect([created.status, await created.text()]).toEqual([201, '{"name":"Aloe","tag":"a","id":7}']);
  const rejected = await send('{"name":"Aloe","id":8}');
  expect([rejected.status, await rejected.json()]).toEqual([
    500,
    { error: errorCodes['tag-invalid'], message: '"tag" is missing' },
  ]);
});

describe('a fault of your own', () => {
  const shouting: Fault = {
    name: 'shouts-names',
    title: 'Names come back in capitals.',
    breaks: ['success/name-comes-back'],
    replace: ({ render }) => ({
      render: ({ name, ...plant }, request) => render({ ...plant, name: name.toUpperCase() }, request),
    }),
  };
  const picky: Fault = {
    name: 'refuses-ferns',
    title: 'Ferns are rejected.',
    breaks: ['success/plain-names-are-accepted'],
    replace: ({ create }) => ({
      create: async (plant, request) =>
        plant.name === 'Fern' ? new Rejection('name-invalid', 'no ferns') : await create(plant, request),
    }),
  };
  const respond = async ({ fetch }: PlantStore, id: number, name?: string) => {
    const response = await fetch(creation(undefined, { body: plant(id, name) }));
    return [response.status, await response.text()];
  };

  test('works beside those of the package, in their order, from the start and after a reset', async () => {
    const store = createPlantStore({ token: TOKEN, faults: ['leaks-id', shouting] });
    expect(await respond(store, 7)).toEqual([200, '{"name":"ALOE","id":7}']);
    expect(store.faults()).toEqual(['leaks-id', 'shouts-names']);
    store.setFaults();
    expect(await respond(store, 8)).toEqual([200, '{"name":"Aloe"}']);
    store.reset();
    expect(await respond(store, 7)).toEqual([200, '{"name":"ALOE","id":7}']);
  });

  test('can be set on a running server, and reject a plant', async () => {
    const store = createPlantStore({ token: TOKEN });
    store.setFaults(picky, picky);
    expect(store.faults()).toEqual(['refuses-ferns']);
    expect(await respond(store, 7)).toEqual([200, '{"name":"Aloe"}']);
    expect(await respond(store, 8, 'Fern')).toEqual([400, '{"error":32,"message":"no ferns"}']);
  });

  test.for([{}, null, 7, { ...shouting, breaks: 'all' }, { ...shouting, replace: undefined }])(
    '%o is none',
    (fault) =>
      expect(() => createPlantStore({ token: TOKEN, faults: [fault as Fault] })).toThrow(
        'the option "faults" must be a list of fault names (see plant-store serve --list-faults), or of faults; got',
      ),
  );
});

/** A server with one fault, and what it responds to requests one after the other. */
function storeWith(fault: FaultName, options: PlantStoreOptions = {}) {
  const store = createPlantStore({ token: TOKEN, faults: [fault], ...options });
  const respond = async (body: string | Uint8Array, path = '/plants', headers = {}) => {
    const response = await store.fetch(creation(undefined, { body: body as string, path, headers }));
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { store, respond };
}

type Accepted = readonly [fault: FaultName, body: string, response: string];

describe('a fault keeps every digit and every character that it does not name', () => {
  test.for<Accepted>([
    ['leaks-id', '{"name":"a","id":9007199254740993}', '{"name":"a","id":9007199254740993}'],
    ['turns-name-into-text', '{"name":9007199254740993,"id":1}', '{"name":"9007199254740993"}'],
    ['turns-tag-into-text', '{"name":"a","id":1,"tag":1e400}', '{"name":"a","tag":"1e400"}'],
    [
      'truncates-tags',
      `{"name":"a","id":1,"tag":"a${'🌵'.repeat(64)}"}`,
      `{"name":"a","tag":"a${'🌵'.repeat(63)}"}`,
    ],
    ['refuses-long-names', '{"name":"🌵🌵🌵🌵🌵🌵","id":1}', '{"name":"🌵🌵🌵🌵🌵🌵"}'],
    ['loses-single-characters', '{"name":"\x7f","id":1}', '{"name":"\x7f"}'],
    ['answers-latin-1', '{"name":"植🌵","id":1}', '{"name":"\\u690d\\ud83c\\udf35"}'],
    ['overflows-on-deep-nesting', `{"name":"${'['.repeat(300)}","id":1}`, `{"name":"${'['.repeat(300)}"}`],
  ])('%s: %s', async ([fault, body, expected]) => {
    const { status, text } = await storeWith(fault).respond(body);
    expect([status, text]).toEqual([200, expected]);
  });

  test.for<Accepted>([
    ['accepts-single-quotes', "{'name':\"it's\",'id':1,}", '{"name":"it\'s"}'],
    ['accepts-single-quotes', "{'name':',}','id':1}", '{"name":",}"}'],
    ['ignores-trailing-text', '{"name":"a}","id":1,"x":{}} b', '{"name":"a}"}'],
  ])('%s: a mistake is repaired, and the strings stay, in %s', async ([fault, body, expected]) => {
    const { status, text } = await storeWith(fault).respond(body);
    expect([status, text]).toEqual([200, expected]);
  });

  test.for<readonly [FaultName, string, bigint | number]>([
    ['cuts-fractions-off', '9007199254740993.5', 9007199254740993n],
    ['turns-id-into-number', '"9223372036854775807"', 9223372036854775807n],
    ['turns-id-into-number', '"7"', 7],
  ])('%s stores %s as %s', async ([fault, id, stored]) => {
    const { store, respond } = storeWith(fault);
    await respond(`{"name":"a","id":${id}}`);
    expect(store.plants()).toEqual([{ name: 'a', id: stored }]);
  });
});

const ofJsonTexts = (await loadFaults()).filter(({ breaks }) =>
  breaks.some((rule) => /^request\/(body-is-json|nothing-follows-the-json)$/.test(rule)),
);

describe('a fault rejects and accepts only what it names', () => {
  test.for(ofJsonTexts)('$name: malformed UTF-8 stays rejected', async ({ name }) => {
    const body = Buffer.from('{"name":"\xff","id":1}', 'latin1');
    const { respond } = storeWith(name);
    expect((await respond(body)).status).toBe(400);
  });

  test.for<readonly [FaultName, string]>([['keeps-refused-plants', '{"name":"a","id":7.5,"tag":7}']])(
    '%s: %s gets a 400',
    async ([fault, body]) => {
      expect((await storeWith(fault).respond(body)).status).toBe(400);
    },
  );

  test.for<readonly [FaultName, keyof typeof errorCodes, string]>([
    ['requires-tag', 'tag-invalid', '{"name":"a","id":1}'],
    ['requires-tag', 'id-missing', '{"name":"a"}'],
    ['refuses-long-names', 'name-invalid', '{"name":"abcdefghijk","id":1}'],
  ])('%s gives the reason %s', async ([fault, reason, body]) => {
    const { text } = await storeWith(fault).respond(body);
    expect(JSON.parse(text).error).toBe(errorCodes[reason]);
  });

  test('accepts-any-token: two Authorization headers stay rejected', async () => {
    await using store = await startPlantStore({ token: TOKEN, faults: ['accepts-any-token'] });
    const authorization = ['Bearer one', 'Bearer two'];
    expect((await send(store.url, { headers: { authorization } })).status).toBe(400);
  });

  test('compares-field-names-in-case looks at names, not at values', async () => {
    await using store = await startPlantStore({ token: TOKEN, faults: ['compares-field-names-in-case'] });
    const headers = {
      'content-type': undefined,
      'Content-Type': 'application/json',
      'x-expose': 'content-type',
    };
    expect((await send(store.url, { headers })).status).toBe(200);
  });
});

describe('a fault keeps header fields, codes and statuses that it does not name', () => {
  test.for<FaultName>(['answers-html-errors', 'answers-problem-json', 'answers-html-401'])(
    '%s keeps the challenge and the CORS field',
    async (fault) => {
      const { respond } = storeWith(fault, { cors: true });
      const headers = { authorization: 'Bearer wrong', accept: 'text/html' };
      const response = await respond(plant(7), '/plants', headers);
      expect(response.headers.get('content-type')).not.toBe('application/json');
      expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
    },
  );

  test.for<FaultName>(['answers-null-message', 'quotes-names-unescaped'])(
    '%s keeps the "error" of the options',
    async (fault) => {
      const { text } = await storeWith(fault, { errorCodes: 'status' }).respond('{"name":"a"}');
      expect(JSON.parse(text).error).toBe(400);
    },
  );

  test('leaks-places-for-plants answers 413 to no other limit', async () => {
    const { respond } = storeWith('leaks-places-for-plants', { bodyBytes: 10 });
    expect((await respond(plant(7))).status).toBe(400);
  });
});

describe('a fault keeps the state that it does not name', () => {
  const state = async (fault: FaultName, bodies: readonly string[], options?: PlantStoreOptions) => {
    const { store, respond } = storeWith(fault, options);
    const statuses: number[] = [];
    for (const body of bodies) statuses.push((await respond(body)).status);
    return { statuses, plants: store.plants() };
  };
  const aloe = { name: 'Aloe', id: 7 };

  test('caches-by-body stores plants, and rejects another plant with the same id', async () => {
    const { statuses, plants } = await state('caches-by-body', [plant(7), plant(7), plant(7, 'Fern')]);
    expect([statuses, plants]).toEqual([[200, 200, 400], [aloe]]);
  });

  test.for<readonly [FaultName, string]>([['keeps-refused-plants', '{"name":"Fern","id":7,"tag":1}']])(
    '%s keeps a plant that has the id',
    async ([fault, body]) => {
      expect(await state(fault, [plant(7), body])).toEqual({ statuses: [200, 400], plants: [aloe] });
    },
  );

  test('trips-over-bad-requests rejects the next valid plant, whatever came between', async () => {
    const { statuses } = await state('trips-over-bad-requests', ['{', '{"id":7}', plant(7), plant(8)]);
    expect(statuses).toEqual([400, 400, 400, 200]);
  });
});
