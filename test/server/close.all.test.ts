import { startPlantStore } from 'plant-store-contract/server';
import { test } from 'vitest';
import { plant, TOKEN } from './plant-request.js';
import { head, RawSocket, wholeRequest } from './raw-socket.js';

test.concurrent.for([
  ['a body that does not end', head('Content-Length: 22', 'Expect: 100-continue')],
  [
    'a malformed body that Node does not report',
    `${head('Transfer-Encoding: chunked', 'Connection: Upgrade', 'Upgrade: h2c', 'Expect: 100-continue')}2\r\n{}}`,
  ],
  ['a delay that does not end', wholeRequest(plant(7), 'Expect: 100-continue')],
] as const)('when the server closes, %s is cut off', async ([_what, bytes], { expect: expectHere }) => {
  const store = await startPlantStore({ token: TOKEN, delayMs: 3_600_000 });
  using raw = await RawSocket.open(store.port);
  raw.write(bytes);
  expectHere((await raw.response()).status).toBe(100);
  await store.close();
  await raw.closed;
});
