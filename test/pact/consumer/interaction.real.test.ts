import type { PlantStorePactOptions } from 'plant-store-contract/pact';
import { plantStorePact } from 'plant-store-contract/pact';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { asking, PactFolder } from './collected.js';

describe("an interaction built with Pact's own builder", () => {
  test('returns what its callback returns; the URL of its mock server has no slash at its end', async () => {
    const folder = new PactFolder();
    await folder.run(async (pact) => {
      const given = await pact.interaction(
        (builder) => builder.uponReceiving('a').withRequest('GET', '/a').willRespondWith(200),
        async ({ url, port }) => {
          expect(url).toBe(`http://127.0.0.1:${port}`);
          await fetch(`${url}/a`);
          return { port };
        },
      );
      expectTypeOf(given).toEqualTypeOf<{ port: number }>();
      expect(given.port).toBeGreaterThan(0);
    });
  });

  test('that was built but not executed is in no pact', async () => {
    const folder = new PactFolder();
    const { pact } = await folder.run(async (pact) => {
      await expect(
        pact.interaction(
          (builder) => {
            builder.uponReceiving('never').withRequest('GET', '/never').willRespondWith(200);
            throw new Error('changed my mind');
          },
          async () => {},
        ),
      ).rejects.toThrow('changed my mind');
      await asking(pact, '/done');
    });
    expect(pact.interactions.map(({ description }) => description)).toEqual(['/done']);
  });

  test('can run at the same time as others', async () => {
    const folder = new PactFolder();
    const { pact } = await folder.run(async (pact) => {
      await asking(pact, '/outer', async ({ url }) => {
        await Promise.all([asking(pact, '/inner-1'), asking(pact, '/inner-2')]);
        return fetch(`${url}/outer`);
      });
    });
    expect(pact.interactions.map(({ description }) => description)).toEqual([
      '/inner-1',
      '/inner-2',
      '/outer',
    ]);
  });

  test('does not wait for a fake clock', async () => {
    const folder = new PactFolder();
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      await folder.run((pact) => asking(pact, '/a'));
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a wrong option is rejected and named', () => {
  test.each<[string, object, string]>([
    ['no consumer', {}, '"consumer"'],
    ['an empty consumer', { consumer: '' }, '"consumer"'],
    ['a consumer that is a path', { consumer: '../web' }, '"consumer"'],
    ['a provider that no file can be called by', { consumer: 'web', provider: 'a\nb' }, '"provider"'],
  ])('%s', (_what, options, message) => {
    expect(() => plantStorePact(options as PlantStorePactOptions)).toThrow(
      expect.objectContaining({ code: 'invalid-option', message: expect.stringContaining(message) }),
    );
  });
});
