import { createPlantClient } from 'plant-store-contract/client';
import { describe, expect, test } from 'vitest';
import { type AttackName, startHostileProvider } from './provider.js';

describe('the client stops reading', () => {
  test.each<AttackName>([
    'an endless body',
    'a body of 1 GiB',
    'endless chunks of one byte',
    'gzip that decodes to 1 GiB',
    'gzip in gzip that decodes to 1 GiB',
  ])('%s', async (attack) => {
    await using provider = await startHostileProvider(attack);
    const client = createPlantClient({ baseUrl: provider.url, token: 'secret', timeoutMs: 120_000 });
    await expect(client.createPlant({ name: 'Aloe', id: 7 })).rejects.toThrow(
      `no complete response from ${provider.url}/plants: the response is longer than 2 MiB`,
    );
    // What was under way does not count.
    expect(provider.sentBytes()).toBeLessThan(64 * 2 ** 20);
  });

  test('but reads a response that is as long as the limit', async () => {
    const name = 'x'.repeat(2 * 2 ** 20 - '{"name":""}'.length);
    const responses = [{ name }, { name: `${name}x` }];
    const fetch = async (): Promise<Response> => Response.json(responses.shift());
    const client = createPlantClient({ baseUrl: 'http://localhost', token: 'secret', fetch });
    expect(await client.createPlant({ name: 'Aloe', id: 7 })).toEqual({ name });
    await expect(client.createPlant({ name: 'Aloe', id: 7 })).rejects.toThrow('is longer than 2 MiB');
  });
});
