import { createPlantClient } from 'plant-store-contract/client';
import { expect, test } from 'vitest';

// `npm run torture` has responses that never end.
test('the client reads a response that is as long as the limit, and no longer one', async () => {
  const name = 'x'.repeat(2 * 2 ** 20 - '{"name":""}'.length);
  const responses = [{ name }, { name: `${name}x` }];
  const fetch = async (): Promise<Response> => Response.json(responses.shift());
  const client = createPlantClient({ baseUrl: 'http://localhost', token: 'secret', fetch });
  expect(await client.createPlant({ name: 'Aloe', id: 7 })).toEqual({ name });
  await expect(client.createPlant({ name: 'Aloe', id: 7 })).rejects.toThrow('is longer than 2 MiB');
});
