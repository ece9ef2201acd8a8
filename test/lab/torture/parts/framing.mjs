// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { exchange, statusesIn } from '../../../proxy/framing/client.mjs';
import { startRecorder } from '../../../proxy/framing/recorder.mjs';
import { TRICKS } from '../../../proxy/framing/tricks.mjs';
import { attackProxy } from '../attack-proxy.mjs';
import { damaged } from '../damage.mjs';

const FOLLOWING = 'GET /following HTTP/1.1\r\nHost: store\r\nConnection: close\r\n\r\n';
/** A client waits so long for a proxy that waits for more. */
const HANGS_MS = 300;
/** The connections to the upstream end so soon after the client is gone. */
const LEFT_MS = 5_000;
/** @type {import('../run.mjs').Part} */
export const framing = {
  title: 'requests with tricks in their framing, joined and damaged',
  count: 1_000,
  limit: 'the upstream gets as many requests as the client gets responses from it',
  seconds: 40,
  async run({ dist, count, random }) {
    /** @type {string[]} */
    const broken = [];
    let most = 0;
    await attackProxy({ dist, count }, startRecorder, async (port, upstream) => {
      const bytes = attackFrom(random);
      upstream.requests.length = 0;
      upstream.problems.length = 0;
      const { received } = await exchange(port, bytes, HANGS_MS);
      const isLeft = await Promise.race([upstream.idle(), sleep(LEFT_MS, true, { ref: false })]);
      const responses = statusesIn(received).filter((status) => status === 200).length;
      const { requests, problems } = upstream;
      most = Math.max(most, requests.length);
      if (isLeft === true) {
        broken.push(`a connection stays open without its client: ${JSON.stringify(bytes)}`);
        // It would count against the attacks that follow.
        return false;
      }
      // The client of a connection that hangs was gone before the last response.
      if (requests.length > responses + 1 || problems.length > 0)
        broken.push(
          `${requests.length} requests, ${responses} responses, ${problems}: ${JSON.stringify(bytes)}`,
        );
      return true;
    });
    return { worst: `${most} requests at most, each with a response`, broken };
  },
};

/**
 * One to three tricks on one connection, sometimes with something more in them.
 *
 * @param {() => number} random
 */
function attackFrom(random) {
  /** @type {<T>(list: readonly T[]) => T} */
  const one = (list) => /** @type {any} */ (list[Math.floor(random() * list.length)]);
  const tricks = Array.from({ length: 1 + Math.floor(random() * 3) }, () => one(TRICKS).bytes);
  return damaged(tricks.join('') + FOLLOWING, random);
}
