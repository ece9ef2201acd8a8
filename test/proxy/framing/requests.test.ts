import { type RunningProxy, startProxy } from 'plant-store-contract/proxy';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { exchange, statusesIn } from './client.mjs';
import { type Recorder, startRecorder } from './recorder.mjs';
import { TRICKS } from './tricks.mjs';

// The upstream gets exactly one request for each that came in; or none, and the client gets a rejection that is counted.

const FOLLOWING = 'GET /following HTTP/1.1\r\nHost: store\r\nConnection: close\r\n\r\n';

let upstream: Recorder;
let proxy: RunningProxy;
const failed: string[] = [];
beforeAll(async () => {
  upstream = await startRecorder();
  proxy = await startProxy({ upstream: upstream.url, onFailed: ({ reason }) => void failed.push(reason) });
});
beforeEach(() => {
  upstream.requests.length = 0;
  failed.length = 0;
});
afterAll(async () => {
  await proxy.close();
  await upstream.close();
});

test.for(TRICKS)('$name', async ({ bytes, body, closes }) => {
  const { received, hung } = await exchange(proxy.port, bytes + FOLLOWING);
  await upstream.idle();
  expect([hung, upstream.problems]).toEqual([false, []]);
  const bodies = upstream.requests.map(({ target, body }) => (target === '/following' ? 'following' : body));
  const statuses = statusesIn(received);
  if (body === undefined) expect([bodies, statuses, failed.length]).toEqual([[], [400], 1]);
  else {
    expect(bodies).toEqual(closes === true ? [body] : [body, 'following']);
    expect([statuses, failed]).toEqual([bodies.map(() => 200), []]);
  }
});
