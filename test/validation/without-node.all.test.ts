import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { built } from '../once.js';

const PLANT = '{"name":"Aloé 🌱","id":9007199254740993}';
const FOUND = [expect.objectContaining({ pointer: '/id', keyword: 'additionalProperties' })];

/** `./validation` as one script, as a bundler for browsers makes it. */
async function bundled(): Promise<string> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(await built(), 'validation/index.js')],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'plantStore',
    logLevel: 'error',
  });
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
  return outputFiles[0]?.text ?? '';
}

describe('in a V8 context with the language and nothing else: no Buffer, no TextDecoder, no timers', () => {
  const context = createContext({});
  const inContext = (code: string): unknown => JSON.parse(runInContext(`JSON.stringify(${code})`, context));

  beforeAll(async () => {
    runInContext(await bundled(), context);
  });

  test.each([
    ['text', 'readJsonText', JSON.stringify(PLANT)],
    ['bytes', 'readJson', `Uint8Array.from(${JSON.stringify([...Buffer.from(PLANT)])})`],
  ])('a response is judged exactly, its body as %s', (_form, read, body) => {
    const response = `{ status: 200, headers: { 'content-type': 'application/json' }, body: ${body} }`;
    expect(inContext(`plantStore.validateResponse(${response})`)).toEqual(FOUND);
    expect(inContext(`plantStore.writeJson(plantStore.${read}(${body}).value)`)).toBe(PLANT);
  });

  test('Prism has its opinion', async () => {
    const response = `{ status: 200, headers: { 'content-type': 'application/json' }, body: '{"name":1}' }`;
    await runInContext(`plantStore.loadPrism().then((prism) => { globalThis.prism = prism; })`, context);
    expect(inContext(`prism.errorsIn(${response})`)).toEqual(['Response body property name must be string']);
  });
});
