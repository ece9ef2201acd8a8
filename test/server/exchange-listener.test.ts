import { expect, test } from 'vitest';
import type { ExchangeListener } from '../../src/server/events.js';
import { startWithEngine } from '../../src/server/listen.js';
import { plant, send, TOKEN } from './plant-request.js';

test('a listener gets each exchange as it is sent, with its outcome, while it is set', async () => {
  const { store, engine } = await startWithEngine({ token: [TOKEN, 'another'] });
  await using _closed = store;
  expect(engine.tokens).toEqual([TOKEN, 'another']);
  const heard: Parameters<ExchangeListener>[] = [];
  engine.watchers.onExchange = (...exchange) => void heard.push(exchange);
  await send(store.url, { body: plant(7) });
  await send(store.url, { body: plant(8), headers: { prefer: 'code=503' } });
  engine.watchers.onExchange = undefined;
  await send(store.url, { body: plant(9) });
  expect(heard).toMatchObject([
    [{ method: 'POST', body: Buffer.from(plant(7)) }, { status: 200 }, { status: 200, rejection: undefined }],
    [
      { body: Buffer.from(plant(8)) },
      // The last field is added after the response is recorded.
      { status: 503, headers: expect.arrayContaining(['preference-applied', 'code=503']) },
      { status: 503, rejection: expect.stringContaining('503') },
    ],
  ]);
});
