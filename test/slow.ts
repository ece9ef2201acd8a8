import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The test files that take 1.5 seconds or more, and how many seconds each took on two quiet cores. They start first, so
 * that the last file to end is a short one, and `npm run test:quick` leaves them out. Only one test file that runs whole
 * checks is not listed: `cli/check.test.ts`, for `npm run test:quick`.
 */
export const slowFiles: Readonly<Record<string, number>> = {
  'cli/like-reference/round-trip.test.ts': 60,
  'hostile/check.test.ts': 15,
  'conformance/rules/faults.test.ts': 55,
  'torture/torture.test.ts': 40,
  'package/other-languages.test.ts': 35,
  'conformance/rules/correct-providers.test.ts': 32,
  'pact/runners/vitest-runs.test.ts': 27,
  'conformance/check.test.ts': 25,
  'cli/compare.test.ts': 20,
  'pact/runners/jest-runs.test.ts': 20,
  'conformance/discovery/discover.test.ts': 18,
  'pact/verification/verify.test.ts': 18,
  'output/secrets/outputs.test.ts': 16,
  'pact/broker/broker.test.ts': 16,
  'conformance/sending/limiters.test.ts': 15,
  'conformance/suite/runner.test.ts': 15,
  'conformance/discovery/searches.test.ts': 14,
  'conformance/sending/run.test.ts': 14,
  'conformance/reporting/findings.test.ts': 13,
  'pact/verification/faults.test.ts': 13,
  'conformance/causes/recipes.test.ts': 12,
  'conformance/judging/stop.test.ts': 12,
  'vitest/fixtures.test.ts': 30,
  'pact/consumer/plain-process.test.ts': 11,
  'pact/verification/providers.test.ts': 11,
  'conformance/causes/default-failures.test.ts': 10,
  'conformance/rules/availability.test.ts': 10,
  'docs/blocks.test.ts': 10,
  'pact/runners/mocha-runs.test.ts': 9,
  'pact/runners/node-test-runs.test.ts': 8,
  'package/container.test.ts': 10,
  'package/prism-bundle.test.ts': 6,
  'package/provider.test.ts': 10,
  'conformance/sending/fetch-handler.test.ts': 9,
  'package/package.test.ts': 9,
  'pact/consumer/wrong-consumers.test.ts': 9,
  'conformance/exploring/explore.test.ts': 8,
  'cli/verify-broker.test.ts': 8,
  'conformance/causes/causes.test.ts': 7,
  'vitest/versions.test.ts': 7,
  'conformance/families/controls.test.ts': 6,
  'conformance/suite/check-once.test.ts': 6,
  'pact/consumer/interaction.test.ts': 6,
  'pact/verification/in-other-realms.test.ts': 6,
  'pact/broker/page.test.ts': 5,
  'cli/like-reference/print.test.ts': 5,
  'conformance/options.test.ts': 5,
  'conformance/rules/duplicates.test.ts': 5,
  'conformance/selection.test.ts': 5,
  'server/failures/responses.test.ts': 5,
  'cli/explore.test.ts': 4,
  'conformance/families/open-probes.test.ts': 4,
  'conformance/reporting/reproduce.test.ts': 4,
  'package/consumer.test.ts': 4,
  'server/faults.test.ts': 4,
  'server/failures/preferences.test.ts': 4,
  'conformance/families/keys.test.ts': 3,
  'conformance/merging/merge.test.ts': 3,
  'matchers/jest.test.ts': 3,
  'pact/runners/adapters.test.ts': 3,
  'reporters/html.test.ts': 3,
  'cli/verify.test.ts': 2,
  'conformance/causes/frameworks.test.ts': 2,
  'conformance/families/ids.test.ts': 2,
  'conformance/families/json-texts.test.ts': 2,
  'conformance/judging/mixed-responses.test.ts': 2,
  'conformance/profiles/read-profile.test.ts': 2,
  'conformance/quick.test.ts': 2,
  'conformance/reporting/report.test.ts': 2,
  'conformance/sending/stopping.test.ts': 2,
  'docs/examples.test.ts': 2,
  'messages/properties.test.ts': 2,
  'proxy/early-response.test.ts': 2,
  'proxy/transparent.test.ts': 2,
  'reporters/junit.test.ts': 2,
  'reporters/markdown.test.ts': 2,
  'server/close.test.ts': 2,
  'server/lost-clients.test.ts': 2,
  'server/received.test.ts': 2,
  'server/shutdown.test.ts': 2,
  'hostile/client.test.ts': 4,
  'hostile/serve.test.ts': 4,
  'hostile/validate.test.ts': 8,
};

const secondsOf = ({ moduleId }: TestSpecification): number =>
  slowFiles[moduleId.slice(moduleId.lastIndexOf('/test/') + '/test/'.length)] ?? 0;

/** Starts the slowest files first. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return others.toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }
}
