import {
  createPlantStore,
  errorCodes,
  type FaultName,
  faultNames,
  loadFaults,
  type PlantStoreOptions,
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

  test('has at least 70 faults, each once', () => {
    expect(faultNames.length).toBeGreaterThanOrEqual(70);
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
    [
      'returns-messages',
      '{"name":"a","id":1,"message":9007199254740993}',
      '{"name":"a","message":9007199254740993}',
    ],
    ['returns-messages', '{"name":"a","id":1,"message":[1e400]}', '{"name":"a","message":[1e400]}'],
    [
      'reads-numeric-tags',
      '{"name":"a","id":1,"tag":"9007199254740993"}',
      '{"name":"a","tag":9007199254740993}',
    ],
    [
      'reads-numeric-tags',
      `{"name":"a","id":1,"tag":"00${'9'.repeat(400)}"}`,
      `{"name":"a","tag":${'9'.repeat(400)}}`,
    ],
    [
      'parses-bracketed-tags',
      '{"name":"a","id":1,"tag":"[9007199254740993]"}',
      '{"name":"a","tag":[9007199254740993]}',
    ],
    [
      'reads-exponents-in-strings',
      '{"name":"9007199254740993e1","id":1,"tag":"1e3"}',
      '{"name":"90071992547409930","tag":"1000"}',
    ],
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
    [
      'splits-surrogate-pairs',
      '{"name":"\\ud83d \\\\ud83d\\\\ude00","id":1}',
      '{"name":"\\ud83d \\\\ud83d\\\\ude00"}',
    ],
    ['removes-comments-in-strings', '{"name":"\\/* a */","id":1}', '{"name":"/* a */"}'],
    ['fails-on-many-digits', `{"name":"${'1'.repeat(4301)}","id":1}`, `{"name":"${'1'.repeat(4301)}"}`],
    ['overflows-on-deep-nesting', `{"name":"${'['.repeat(300)}","id":1}`, `{"name":"${'['.repeat(300)}"}`],
    ['refuses-escapes-in-keys', '{"name":"\\u0069vy","id":1}', '{"name":"ivy"}'],
  ])('%s: %s', async ([fault, body, expected]) => {
    const { status, text } = await storeWith(fault).respond(body);
    expect([status, text]).toEqual([200, expected]);
  });

  test.for<Accepted>([
    ['accepts-single-quotes', "{'name':\"it's\",'id':1,}", '{"name":"it\'s"}'],
    ['accepts-single-quotes', "{'name':',}','id':1}", '{"name":",}"}'],
    ['accepts-line-breaks-in-strings', '{\n"name":"a\nb","id":1}', '{"name":"a\\nb"}'],
    ['accepts-any-escape', '{"name":"\\\\a\\a","id":1}', '{"name":"\\\\aa"}'],
    ['accepts-keys-without-quotes', '{"name":"{a,b:","id":1,x:2}', '{"name":"{a,b:"}'],
    ['accepts-other-numbers', '{"name":"a:01","id":01}', '{"name":"a:01"}'],
    ['reads-digits-of-other-scripts', '{"name":"\u0663","id":\u0663}', '{"name":"\u0663"}'],
    ['reads-numbers-of-javascript', '{"name":"0b1 1_0 1n","id":1n}', '{"name":"0b1 1_0 1n"}'],
    ['ignores-case-of-literals', '{"name":"a:True","id":1,"x":True}', '{"name":"a:True"}'],
    ['skips-unknown-members', '{"name":"a","id":1,"x":tru,"tag":"t"}', '{"name":"a","tag":"t"}'],
    ['ignores-trailing-text', '{"name":"a}","id":1,"x":{}} b', '{"name":"a}"}'],
  ])('%s: a mistake is repaired, and the strings stay, in %s', async ([fault, body, expected]) => {
    const { status, text } = await storeWith(fault).respond(body);
    expect([status, text]).toEqual([200, expected]);
  });

  test.for<readonly [FaultName, string, bigint | number]>([
    ['keeps-ten-digits-of-ids', '-12345678901', -2345678901],
    ['cuts-fractions-off', '9007199254740993.5', 9007199254740993n],
    ['turns-id-into-number', '"9223372036854775807"', 9223372036854775807n],
    ['turns-id-into-number', '"7"', 7],
    ['reads-numbers-of-javascript', `0b1${'0'.repeat(52)}1`, 9007199254740993n],
    ['wraps-ids', '7', 7],
  ])('%s stores %s as %s', async ([fault, id, stored]) => {
    const { store, respond } = storeWith(fault);
    await respond(`{"name":"a","id":${id}}`);
    expect(store.plants()).toEqual([{ name: 'a', id: stored }]);
  });

  test('plants in a query and in a form have an exact id, a whole name and a tag', async () => {
    const stored = [{ name: 'Aloe vera', id: 9007199254740993n, tag: 'a b' }];
    const query = storeWith('reads-plants-from-query');
    await query.respond('', '/plants?name=Aloe%20vera&id=9007199254740993&tag=a+b');
    expect(query.store.plants()).toEqual(stored);

    const form = storeWith('reads-multipart');
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const fields = { name: 'Aloe vera', id: '9007199254740993', tag: 'a b' };
    const parts = Object.entries(fields).map(
      ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    await form.respond(`${parts.join('')}--x--\r\n`, '/plants', headers);
    expect(form.store.plants()).toEqual(stored);
    expect((await form.respond(plant(8), '/plants', headers)).status).toBe(400);
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

  test.for<readonly [FaultName, string]>([
    ['takes-controls-for-space', '{"name":"a\fb","id":1}'],
    ['skips-control-characters', '{"name":"a\x01 b","id":1}'],
    ['wraps-exponents', '{"name":"a","id":"1e20"}'],
    ['reads-extended-json', '{"name":"a","id":{"$numberLong":"7 "}}'],
    ['calls-members-as-methods', '{"name":7,"id":1,"hasOwnProperty":1}'],
    ['keeps-plants-with-wrong-names', '{"name":7,"id":7.5}'],
    ['keeps-refused-plants', '{"name":"a","id":7.5,"tag":7}'],
  ])('%s: %s gets a 400', async ([fault, body]) => {
    expect((await storeWith(fault).respond(body)).status).toBe(400);
  });

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
  test.for<FaultName>([
    ...(['answers-html-errors', 'answers-problem-json', 'answers-html-to-wrong-token'] as const),
    'answers-pages-to-browsers',
  ])('%s keeps the challenge and the CORS field', async (fault) => {
    const { respond } = storeWith(fault, { cors: true });
    const headers = { authorization: 'Bearer wrong', accept: 'text/html' };
    const response = await respond(plant(7), '/plants', headers);
    expect(response.headers.get('content-type')).not.toBe('application/json');
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  test.for<FaultName>(['answers-xml-if-asked', 'redirects-browsers-to-login'])(
    '%s keeps the CORS field',
    async (fault) => {
      const { store } = storeWith(fault, { cors: true });
      const isXml = fault === 'answers-xml-if-asked';
      const request = creation(undefined, { headers: { accept: isXml ? 'application/xml' : 'text/html' } });
      if (!isXml) request.headers.delete('authorization');
      const response = await store.fetch(request);
      expect(response.headers.get('content-type')).not.toBe('application/json');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
    },
  );

  test.for<FaultName>(['answers-null-message', 'quotes-names-unescaped', 'cuts-names-in-characters'])(
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

  test('limits-with-503 answers 503 to no other failure', async () => {
    const failing = () => Promise.reject(new Error('the verifier failed'));
    const { respond } = storeWith('limits-with-503', { token: failing });
    expect((await respond(plant(7))).status).toBe(500);
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

  test.for<readonly [FaultName, string]>([
    ['keeps-refused-plants', '{"name":"Fern","id":7,"tag":1}'],
    ['keeps-plants-with-wrong-names', '{"name":1,"id":7}'],
    ['keeps-plants-without-names', '{"id":7}'],
    ['keeps-ids-in-64-bits', '{"name":"Fern","id":18446744073709551623}'],
    ['reserves-ids-before-parsing', '{"name":"Fern","id":7'],
  ])('%s keeps a plant that has the id', async ([fault, body]) => {
    expect(await state(fault, [plant(7), body])).toEqual({ statuses: [200, 400], plants: [aloe] });
  });

  test('keeps-plants-with-wrong-names uses up ids beyond 2^53', async () => {
    const id = 9007199254740993n;
    const { statuses } = await state('keeps-plants-with-wrong-names', [`{"name":1,"id":${id}}`, plant(id)]);
    expect(statuses).toEqual([400, 400]);
  });

  test('trips-over-bad-requests rejects the next valid plant, whatever came between', async () => {
    const { statuses } = await state('trips-over-bad-requests', ['{', '{"id":7}', plant(7), plant(8)]);
    expect(statuses).toEqual([400, 400, 400, 200]);
  });
});
