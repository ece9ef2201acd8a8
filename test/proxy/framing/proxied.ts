import { startProxy } from 'plant-store-contract/proxy';
import { onTestFinished } from 'vitest';
import { startRecorder } from './recorder.mjs';

/** A proxy, its upstream, and why requests failed. Both end with the test. */
export async function proxied(respond?: () => Promise<string>) {
  const upstream = await startRecorder(respond);
  const failed: string[] = [];
  const onFailed = ({ reason }: { reason: string }): void => void failed.push(reason);
  const proxy = await startProxy({ upstream: upstream.url, onFailed });
  onTestFinished(async () => {
    await proxy.close();
    await upstream.close();
  });
  return { proxy, upstream, failed };
}
