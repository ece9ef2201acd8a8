import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { closed, shipped, withoutAllOf, withoutExamples, yamlOf } from '../document.mjs';
import { findCommand } from '../find-command.mjs';
import { runCommand } from '../processes.mjs';

const ENVIRONMENT = {
  SPECMATIC_GENERATIVE_TESTS: 'true',
  // A run takes seconds, so the second compiler of Java would only cost time.
  JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC',
};

/** Specmatic's contract tests. Its findings are the failed scenarios and their reasons. */
export const specmatic = {
  name: 'Specmatic',
  settings:
    'SPECMATIC_GENERATIVE_TESTS=true, the bearer token as bearerAuth, the document without allOf and examples, and with a closed 200',
  page: 'https://docs.specmatic.io/contract_driven_development/contract_testing.html',
  async find(tools) {
    if ((await findCommand('java')) === undefined) return { missing: 'needs Java 17' };
    const jar = jarIn(tools);
    return jar === undefined ? { missing: 'not installed here' } : { version: jar.version };
  },
  async run({ url, token, work, tools, limitMs }) {
    await writeFile(join(work, 'openapi.yaml'), yamlOf(withoutExamples(closed(withoutAllOf(shipped())))));
    const { status, timedOut } = await runCommand(
      'java',
      ['-jar', jarIn(tools).path, 'test', 'openapi.yaml', `--testBaseURL=${url}`, '--junitReportDir=junit'],
      { limitMs, cwd: work, env: { ...ENVIRONMENT, bearerAuth: token } },
    );
    const findings = timedOut
      ? []
      : findingsOf(await readFile(join(work, 'junit/TEST-junit-jupiter.xml'), 'utf8'));
    return { failed: status !== 0, findings, timedOut };
  },
};

/** The npm package has the jar in it. */
function jarIn(tools) {
  try {
    const require = createRequire(resolve(tools ?? '.', 'package.json'));
    const manifest = require.resolve('specmatic/package.json');
    return { path: join(manifest, '../specmatic.jar'), version: require(manifest).version };
  } catch {
    return undefined;
  }
}

/** From the JUnit report: the scenario, and the lines of the reason. */
export function findingsOf(junit) {
  return [...junit.matchAll(/<testcase [^>]*name="([^"]*)"[^>]*>\s*<failure message="([^"]*)"/g)].map(
    ([, scenario, message]) =>
      `${scenario.split('&gt; ').at(-1)}: ${message
        .replaceAll('&#10;', ' ')
        .replaceAll(/&quot;[^&]*&quot;/g, '"…"')
        .replaceAll(/http:\/\/[\d.:]+/g, '<url>')
        .replaceAll(/\s+/g, ' ')}`,
  );
}
