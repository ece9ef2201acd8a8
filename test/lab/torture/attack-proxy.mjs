// @ts-check
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const AT_ONCE = 10;

/**
 * Attacks the built proxy. Ten attackers share the attacks; each has a proxy and an upstream of its own.
 *
 * @template {{ readonly url: string, close(): unknown }} Upstream
 * @param {{ dist: string, count: number }} given how many attacks
 * @param {() => Promise<Upstream>} startUpstream
 * @param {(port: number, upstream: Upstream) => Promise<boolean>} attack attacks once; returns whether the attacker goes on
 */
export async function attackProxy({ dist, count }, startUpstream, attack) {
  const { startProxy } = await import(pathToFileURL(join(dist, 'proxy/index.js')).href);
  let left = count;
  const attacker = async () => {
    const upstream = await startUpstream();
    const proxy = await startProxy({ upstream: upstream.url });
    try {
      while (left-- > 0) if (!(await attack(proxy.port, upstream))) return;
    } finally {
      await proxy.close();
      await upstream.close();
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, attacker));
}
