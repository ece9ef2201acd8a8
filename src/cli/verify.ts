import { definedOnly } from '../defined-only.js';
import { brokerFlags, brokerFrom } from './broker-options.js';
import { BASE_URL, defineCommand, flag, neededBaseUrl, rejectFlags, repeated } from './command.js';
import { prepareReports, reportFlags } from './reports.js';
import { requestFlags, routeFlags, routeFrom } from './route-flags.js';
import { startFlags, withProvider } from './start.js';
import { tokenFlags, tokenFrom } from './token.js';

/** `plant-store verify <base-url>`: verifies a provider against pacts. */
export const command = defineCommand({
  description:
    "Verifies a provider against pacts with Pact's own verifier (install @pact-foundation/pact). The provider needs no test " +
    'hooks: if a pact needs an unused id, a random id is sent; if it needs an existing plant, the plant is created first.',
  args: [{ form: BASE_URL, help: 'the base URL of the provider; the paths of the pacts are appended' }],
  flags: [
    ...tokenFlags,
    flag(
      '--pacts <sources...>',
      'files, folders with .json files, or URLs of pacts (default: those of the broker; otherwise the pact of the reference client in this package)',
      repeated,
    ),
    flag('--provider <name>', 'verify only the pacts with this provider (default: plant-store)'),
    flag('--state-url <url>', 'a URL of the provider that sets up provider states, in the format of Pact'),
    ...requestFlags,
    ...routeFlags,
    ...reportFlags,
    ...startFlags,
    ...brokerFlags,
  ],
  examples: `Examples:
  plant-store verify http://localhost:3000 --start "npm start" --pacts pacts/ --reporter junit=pacts.xml
  plant-store verify http://localhost:3000 --broker https://broker.example --publish --provider-version 1.2.3`,
  async run(given, io) {
    const baseUrl = neededBaseUrl(given);
    const broker = brokerFrom(given, io);
    const token = tokenFrom(given, io);
    const { pacts, provider, stateUrl } = given.flags;
    const route = await routeFrom(given, io);
    if (pacts !== undefined)
      rejectFlags(
        given.flags,
        ['consumerVersionSelectors', 'consumerVersionTags', 'enablePending', 'includeWipPactsSince'],
        'is for a broker that chooses the pacts, and not for --pacts',
      );
    const { verify } = await import('../pact/verification/verify.js');
    const reports = await prepareReports(given, io);
    const stop = new AbortController();
    void io.untilStopped().then(() => stop.abort());
    const options = definedOnly({ baseUrl, token, pacts, broker, provider, stateUrl, ...route });
    return await withProvider(given, { baseUrl, token, ...route }, io, async () =>
      reports.write(await verify({ ...options, signal: stop.signal })),
    );
  },
});
