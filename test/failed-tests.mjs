// @ts-check

/**
 * What is read of a JSON report of Vitest.
 *
 * @typedef {object} JsonReport
 * @property {boolean} success
 * @property {readonly { readonly name: string, readonly status: string, readonly assertionResults: readonly
 *   { readonly fullName: string, readonly status: string }[] }[]} testResults
 */

/**
 * The tests that failed, by file. A file that could not be loaded has no names: then all of it failed.
 *
 * @param {JsonReport} report
 * @returns {Map<string, readonly string[]>}
 */
export function failedTests({ testResults }) {
  const failed = testResults.filter(({ status }) => status === 'failed');
  return new Map(
    failed.map(({ name, assertionResults }) => [
      name,
      assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
    ]),
  );
}

/**
 * The arguments of Vitest that run these tests of a file again, and no other ones.
 *
 * @param {string} file
 * @param {readonly string[]} names
 * @returns {string[]}
 */
export function againArguments(file, names) {
  const escaped = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return [file, ...(names.length === 0 ? [] : ['--testNamePattern', `^(?:${escaped.join('|')})$`])];
}
