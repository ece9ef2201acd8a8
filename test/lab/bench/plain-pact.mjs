// Pact's own verifier, with states that are set up by a server that does nothing: `node plain-pact.mjs <url> <pact>`.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const [url, pact] = process.argv.slice(2);
const require = createRequire(createRequire(import.meta.url).resolve('@pact-foundation/pact/package.json'));
const { default: core } = require('@pact-foundation/pact-core');
const states = createServer((request, response) => {
  request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
});
states.listen(0, '127.0.0.1', async () => {
  await core.verifyPacts({
    providerBaseUrl: url,
    provider: 'plant-store',
    pactUrls: [pact],
    logLevel: 'warn',
    providerStatesSetupUrl: `http://127.0.0.1:${states.address().port}/states`,
    providerStatesSetupTeardown: true,
    providerStatesSetupBody: true,
  });
  process.exit();
});
