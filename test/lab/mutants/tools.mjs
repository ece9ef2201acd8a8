import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOOLS as PEERS } from '../bench/peers/tools.mjs';
import { digestOf } from './providers.mjs';

const DIST = fileURLToPath(new URL('../../../dist', import.meta.url));

/** What `--tool` calls each tool, and its name among the peers, where it is set up as its own pages say. */
const NAMES = {
  check: 'plant-store-contract check',
  schemathesis: 'Schemathesis (thorough)',
  specmatic: 'Specmatic',
  cats: 'CATS',
  dredd: 'Dredd',
  portman: 'Portman with Newman',
  pact: 'Pact',
  prism: "Prism's proxy",
};

/** By what `--tool` calls them, in the order of the table. */
export const TOOLS = new Map(
  Object.entries(NAMES).map(([key, name]) => [key, PEERS.find((peer) => peer.name === name)]),
);

/** Results of a check hold for this build only, those of Prism's proxy too: it gets the requests of a check. */
export async function versionOf(key, tool, folder) {
  const { version, missing } = await tool.find(folder);
  if (missing !== undefined) return { missing };
  return { version, key: key === 'check' || key === 'prism' ? `${version}+${digestOfBuild()}` : version };
}

function digestOfBuild() {
  const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .sort();
  return digestOf(...files.map((name) => readFileSync(join(DIST, name), 'utf8')));
}
