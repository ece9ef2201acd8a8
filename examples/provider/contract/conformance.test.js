// conformance.test.js
import { once } from 'node:events';
import { test } from 'node:test';
import { conformanceSuite } from 'plant-store-contract/conformance';
import { createApp } from '../src/app.js';

async function start() {
  const server = createApp('secret-token').listen(0);
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

conformanceSuite({ test, target: { start }, token: 'secret-token' });
