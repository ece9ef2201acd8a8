// @ts-check
// A program with the client of the package: node reading-client.mjs DIST URL. Its status is 1 if a creation is rejected.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [dist = '', baseUrl = ''] = process.argv.slice(2);
const { createPlantClient } = await import(pathToFileURL(join(dist, 'testing/client/index.js')).href);
const client = createPlantClient({ baseUrl, token: 'secret', timeoutMs: 120_000 });
try {
  await client.createPlant({ name: 'Aloe', id: 7 });
} catch (cause) {
  process.stderr.write(`${cause}\n`);
  process.exitCode = 1;
}
