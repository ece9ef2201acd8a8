// Verifies a provider with Pact's own verifier and the shipped pact, and prints the mismatches as a line of JSON:
// `node pact-verifier.mjs <url>`.
import { fileURLToPath } from 'node:url';
import { Verifier } from '@pact-foundation/pact';

const PACT = fileURLToPath(new URL('../../../../pacts/plant-store-client-plant-store.json', import.meta.url));
// Each provider is new and has no plants, so the ids of the pact are free.
const nothing = async () => {};

const verifier = new Verifier({
  providerBaseUrl: process.argv[2],
  provider: 'plant-store',
  pactUrls: [PACT],
  logLevel: 'error',
  stateHandlers: { 'no plant with id': nothing, 'the token is not valid': nothing },
});

let findings = [];
try {
  await verifier.verifyProvider();
} catch (cause) {
  process.exitCode = 1;
  findings = findingsIn(cause.message);
}
process.stdout.write(`\n${JSON.stringify(findings)}\n`);
process.exit();

/** On failure, the message is a report in JSON. */
function findingsIn(message) {
  try {
    return JSON.parse(message).errors.flatMap(({ interaction, mismatch }) =>
      (mismatch.mismatches ?? [mismatch]).map(({ type, path, mismatch: what, message }) =>
        [interaction, type, path, what ?? message].filter(Boolean).join(': '),
      ),
    );
  } catch {
    return [message];
  }
}
