import { type RunningProxy, startProxy } from 'plant-store-contract/proxy';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exchange, statusesIn } from './client.mjs';
import { type Recorder, startRecorder } from './recorder.mjs';
import { TRICKS } from './tricks.mjs';

// The upstream gets exactly one request for each that came in; or none, and the client gets a rejection that is counted.

const FOLLOWING = 'GET /following HTTP/1.1\r\nHost: store\r\nConnection: close\r\n\r\n';

let upstream: Recorder;
beforeAll(async () => {
  upstream = await startRecorder();
});
beforeEach(() => {
  upstream.requests.length = 0;
});
afterAll(async () => await upstream.close());

describe('the proxy', () => {
  let proxy: RunningProxy;
  const failed: string[] = [];
  beforeAll(async () => {
    const onFailed = ({ reason }: { reason: string }): void => void failed.push(reason);
    proxy = await startProxy({ upstream: upstream.url, onFailed });
  });
  beforeEach(() => {
    failed.length = 0;
  });
  afterAll(async () => void (await proxy.close()));

  test.for(TRICKS)('$name', async ({ bytes, body, closes }) => {
    const { received, hung } = await exchange(proxy.port, bytes + FOLLOWING);
    await upstream.idle();
    expect([hung, upstream.problems]).toEqual([false, []]);
    const bodies = upstream.requests.map(({ target, body }) =>
      target === '/following' ? 'following' : body,
    );
    if (body === undefined) {
      expect(bodies).toEqual([]);
      const [status, ...more] = statusesIn(received);
      expect([status === 400, more]).toEqual([true, []]);
      expect(failed).toHaveLength(1);
    } else {
      expect(bodies).toEqual(closes === true ? [body] : [body, 'following']);
      expect(statusesIn(received)).toEqual(bodies.map(() => 200));
      expect(failed).toEqual([]);
    }
  });
});
