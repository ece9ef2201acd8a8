// What each part of `npm run mutation` mutates, and which unit tests run on each mutant.

/**
 * @typedef {object} Part
 * @property {string} folder
 * @property {RegExp} [leftOut] files of the folder that the tests of this part do not test
 * @property {readonly string[]} tests files, and folders whose test files all run
 * @property {RegExp} [tooSlow] tests of these folders that are left out
 * @property {true} [needsRecords] whether the tests judge checks again that are kept before
 */

/** @type {Readonly<Record<string, Part>>} */
export const PARTS = {
  validation: {
    folder: 'src/validation',
    // Their tests start Chromium and other runtimes, and Prism takes most of a second to load.
    leftOut: /prism/,
    // Exchanges are judged for the proxy and for saved messages.
    tests: ['test/validation', 'test/proxy/judging.test.ts', 'test/proxy/messages'],
    tooSlow: /prism|other-realms/,
  },
  server: {
    folder: 'src/server',
    // A mutant of a fault is a server with another fault. test/conformance/verdicts/ tests them, in minutes.
    leftOut: /\/faults\//,
    tests: ['test/server'],
    tooSlow: /naughty-strings/,
  },
  judge: {
    folder: 'src/conformance/judge',
    // Its tests check a provider that is none.
    leftOut: /\/testable\.ts$/,
    // Most of what it judges is tested by faults.
    tests: [
      ...['test/conformance/judge', 'test/conformance/rules/judgements'],
      'test/lab/mutation/replay.mutation.ts',
    ],
    needsRecords: true,
  },
  rules: {
    folder: 'src/conformance',
    // The rules and what they share. What is only observed is no verdict.
    leftOut: /^src\/conformance\/(?!topics\/|rules\/|exchange)|rows|draws|unspecified|\/index/,
    tests: [
      'test/lab/mutation/replay.mutation.ts',
      'test/conformance/rules/validity.test.ts',
      'test/conformance/rules/judgements',
    ],
    needsRecords: true,
  },
};

/** The tests whose checks are kept. */
export const RECORDED = [
  ...['verdicts.all', 'correct.all', 'verdicts.timing'].map(
    (name) => `test/conformance/verdicts/${name}.test.ts`,
  ),
  ...['judge/stop', 'send/run', 'send/limiters'].map((name) => `test/conformance/${name}.all.test.ts`),
];
