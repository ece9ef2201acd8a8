import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { closed, shipped, withExamples, withoutAllOf, yamlOf } from '../document.mjs';
import { findCommand } from '../find-command.mjs';
import { findTool } from '../find-tool.mjs';
import { runCommand } from '../processes.mjs';

const enabled = { enabled: true };
const OPERATION = { openApiOperation: '*::/*' };
const answered = { contractTests: [{ statusCode: enabled, jsonBody: enabled, schemaValidation: enabled }] };

/** The contract tests of its default file, and the variations and the fuzzing of its examples. */
const CONFIG = {
  version: 1,
  tests: {
    contractTests: ['statusSuccess', 'contentType', 'jsonBody', 'schemaValidation', 'headersPresent'].map(
      (test) => ({ ...OPERATION, [test]: enabled }),
    ),
    variationTests: [
      {
        ...OPERATION,
        openApiResponse: '200',
        variations: [
          {
            name: 'Without a tag',
            overwrites: [{ overwriteRequestBody: [{ key: 'tag', remove: true }] }],
            tests: answered,
          },
        ],
      },
      {
        ...OPERATION,
        openApiResponse: '400',
        variations: [
          {
            name: 'Unauthorised',
            overwrites: [{ overwriteRequestSecurity: { bearer: { token: 'wrong' } } }],
            tests: answered,
          },
          {
            name: 'Invalid',
            fuzzing: [
              {
                requestBody: [
                  {
                    requiredFields: enabled,
                    minimumNumberFields: enabled,
                    maximumNumberFields: enabled,
                    minLengthFields: enabled,
                    maxLengthFields: enabled,
                  },
                ],
              },
            ],
            tests: answered,
          },
        ],
      },
    ],
  },
  overwrites: [{ ...OPERATION, overwriteRequestBody: [{ key: 'id', value: '{{{$randomInt}}}' }] }],
  globals: { securityOverwrites: { bearer: { token: '{{bearerToken}}' } } },
};

/** Portman makes a collection of the document, and Newman runs it. Its findings are the assertions that fail. */
export const portman = {
  name: 'Portman with Newman',
  settings:
    'contract tests, variations without a tag and with a wrong token, fuzzing of the body, random ids, the document without allOf, with a closed 200 and examples',
  page: 'https://github.com/apideck-libraries/portman/tree/main/examples/testsuite-fuzzing-tests',
  async find(tools) {
    const [found, runner] = await Promise.all(['portman', 'newman'].map((name) => findTool(name, tools)));
    const missing = found.missing ?? runner.missing;
    return missing === undefined ? { version: `${found.version} and ${runner.version}` } : { missing };
  },
  async run({ url, token, work, tools, limitMs }) {
    const options = { limitMs, cwd: work };
    await writeFile(join(work, 'openapi.yaml'), yamlOf(withExamples(closed(withoutAllOf(shipped())))));
    await writeFile(join(work, 'config.json'), JSON.stringify(CONFIG));
    const files = ['--local', 'openapi.yaml', '--portmanConfigFile', 'config.json', '--output', 'made.json'];
    const made = await runCommand(await findCommand('portman', tools), [...files, '--baseUrl', url], options);
    if (made.timedOut || made.status !== 0) return { failed: true, findings: [], timedOut: made.timedOut };
    const { status, timedOut } = await runCommand(
      await findCommand('newman', tools),
      [
        ...['run', 'made.json', '--env-var', `bearerToken=${token}`],
        ...['--reporters', 'json', '--reporter-json-export', 'report.json'],
      ],
      options,
    );
    const findings = timedOut ? [] : findingsOf(await readFile(join(work, 'report.json')));
    return { failed: status !== 0, findings, timedOut };
  },
};

/** The failures in Newman's report: the request, the assertion, and the first line of the message. */
export function findingsOf(report) {
  return JSON.parse(report).run.failures.map(({ source, error }) =>
    [source?.name, error.test ?? error.name, error.message.split('\n')[0]]
      .join(': ')
      .replaceAll(/http:\/\/[\d.:]+/g, '<url>')
      .replaceAll(/\d{4,}/g, '<number>'),
  );
}
