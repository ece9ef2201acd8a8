import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measurePairs } from '../pairs.mjs';
import { timesAsLong } from '../rows.mjs';
import { startServer } from '../server-process.mjs';
import { COMMAND_LINE, timed } from '../timed.mjs';

const SERVER = fileURLToPath(new URL('../servers/reference.mjs', import.meta.url));
const PLAIN_PACT = fileURLToPath(new URL('../plain-pact.mjs', import.meta.url));
const INTERACTIONS = 2_000;
const SLICES = 2;
/** Each slice takes half a minute. */
const PAIRS = 3;

/** `plant-store verify` of a pact with 2,000 interactions, over Pact's own verifier with the same pact and provider. */
export async function verifyMany() {
  // Pact sends the ids of the pact again in each run.
  const server = await startServer(SERVER, 'replace');
  const url = `http://127.0.0.1:${server.port}`;
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-bench-'));
  const pact = join(folder, 'pact.json');
  await writeFile(pact, JSON.stringify(pactOf(INTERACTIONS)));
  const plain = () => timed(PLAIN_PACT, url, pact);
  const subject = () =>
    timed(COMMAND_LINE, 'verify', url, '--token', 'bench-token', '--pacts', pact, '--quiet');
  const pairs = await measurePairs(plain, subject, SLICES, PAIRS);
  await server.stop();
  await rm(folder, { recursive: true });
  return [timesAsLong("plant-store verify of 2,000 interactions / Pact's own verifier", pairs, 1.3)];
}

function pactOf(count) {
  const message = (body) => ({
    headers: { 'Content-Type': ['application/json'] },
    body: { content: body, contentType: 'application/json', encoded: false },
  });
  const byType = { combine: 'AND', matchers: [{ match: 'type' }] };
  const interactions = Array.from({ length: count }, (_, at) => {
    const request = message({ name: 'Aloe', tag: 'succulent', id: at + 1 });
    const headers = { ...request.headers, Authorization: ['Bearer bench-token'] };
    return {
      type: 'Synchronous/HTTP',
      description: `creation ${at}`,
      providerStates: [{ name: 'no plant with id', params: { id: at + 1 } }],
      request: { method: 'POST', path: '/plants', ...request, headers },
      response: {
        status: 200,
        ...message({ name: 'Fern', tag: 'indoor' }),
        matchingRules: { body: { '$.name': byType, '$.tag': byType } },
      },
    };
  });
  return {
    consumer: { name: 'bench' },
    provider: { name: 'plant-store' },
    interactions,
    metadata: { pactSpecification: { version: '4.0' } },
  };
}
