import { probes } from 'plant-store-contract/conformance';
import { createPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { freshValues } from '../../../src/conformance/sending/fresh-values.js';
import { foundBy } from './found-by.js';

const token = 'a-token-of-these-tests';
const core = probes.filter(({ name }) => name.startsWith('rejections/'));

function bodyOf(probe: (typeof core)[number]): Buffer {
  return Buffer.from(probe.requests(freshValues(token))[0]?.body ?? []);
}

describe('core rejections', () => {
  test('are rejected by the reference server, each for the mistake that it is about', async () => {
    const { fetch } = createPlantStore({ token });
    for (const probe of core) {
      const [request] = probe.requests(freshValues(token));
      const response = await fetch(
        new Request('http://localhost/plants', {
          method: 'POST',
          headers: (request?.headers ?? []).map(([name, value]) => [name, value]),
          body: bodyOf(probe),
        }),
      );
      const { message } = (await response.json()) as { message: string };
      expect([response.status, probe.expectation]).toEqual([400, 'rejected']);
      const [rule = ''] = probe.rules ?? [];
      const word = { 'request/body-is-json': 'JSON', 'auth/wrong-token-is-refused': 'token' }[rule];
      expect(message, probe.name).toContain(word ?? /(name|id|tag)/.exec(rule)?.[0]);
    }
  });

  test('fit into 64 KiB: a provider may close the connection before it has read more', () => {
    for (const probe of core) expect(bodyOf(probe).length).toBeLessThan(2 ** 16);
  });

  test('have long names that are cut inside a character after 2^k bytes', () => {
    for (const name of ['rejections/long-name', 'rejections/very-long-name']) {
      const probe = core.find((one) => one.name === name);
      const text: string = JSON.parse(String(probe && bodyOf(probe))).name;
      for (let bytes = 16; bytes < Buffer.from(text).length; bytes *= 2)
        expect(Buffer.from(text).subarray(0, bytes).toString(), `${bytes}`).toContain('\ufffd');
    }
  });
});

describe('only rejections show that the provider', () => {
  test.for([
    'quotes-names-unescaped',
    'cuts-names-in-characters',
    'cuts-long-errors-off',
    'formats-messages',
    'fails-on-half-surrogates',
    'fails-on-many-digits',
    'splits-headers',
    'blocks-lookups-with-html',
  ] as const)('%s', async (fault) => {
    expect((await foundBy(fault)).families).toEqual(['rejections']);
  });
});
