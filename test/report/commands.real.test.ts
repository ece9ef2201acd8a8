import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { everyReporter, plantStore, whileServing } from '../cli/console.js';
import { startHandler } from '../conformance/providers/handler.js';
import { folderWith } from '../folder.js';
import { pactFile } from '../pact/verification/pacts.js';

const IN_LINE = [
  '##[error]e',
  '##vso[task.setvariable variable=v]x',
  "##teamcity[buildProblem description='d']",
];
const AT_START = ['::error::e', '::set-output name=n::v', '::stop-commands::t'];
const sent = `a ${IN_LINE.join(' ')} b ${AT_START.map((one) => `\n${one}\r \u00a0${one}`).join('')}\u2028${AT_START}`;

/** The commands that a CI system would find. Those of the reporter `github` itself are annotations. */
function commandsIn(output: string, isGithub = false): string[] {
  const lines = output.split(/\r\n|\r|\n/);
  const old = lines.filter((line) => /##(?:vso|teamcity)?\[/.test(line));
  const started = lines.filter((line) => line.trimStart().match(/^::.*::/));
  return [
    ...old,
    ...(isGithub ? started.filter((line) => !/^::(?:error|warning|notice) /.test(line)) : started),
  ];
}

async function expectNone(argv: readonly string[], statuses: readonly number[] = [1]): Promise<void> {
  const { status, stdout, stderr, files } = await plantStore([...argv, ...everyReporter]);
  expect(statuses).toContain(status);
  expect(stdout).toContain('teamcity');
  for (const [where, output] of Object.entries({ stdout, stderr, ...files }))
    expect([where, ...commandsIn(output, where === 'report.github')]).toEqual([where]);
}

describe('what a provider sends gives no command to a CI system:', () => {
  const startProvider = () =>
    startHandler((request, response) => {
      request.resume();
      response.setHeader('x-sent', sent.replaceAll(/[\r\n\u2028]/g, ' '));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ name: sent, tag: sent, [sent]: sent }));
    });

  test('through check', async () => {
    await using provider = await startProvider();
    await expectNone([
      'check',
      provider.url,
      '--token',
      'secret',
      ...['--only', 'success/tag-is-optional,request/null-tag-is-refused', '--strict'],
    ]);
  });

  test('through verify, with the names in a pact', async () => {
    await using provider = await startProvider();
    const response = '{"name":7}';
    const pact = pactFile({ description: sent, given: { 'no plant with id': '{"id":7}' }, response });
    // Pact may be unable to say what differs in such an interaction. Then it is not judged.
    await expectNone(['verify', provider.url, '--token', 'secret', '--pacts', pact], [1, 2]);
    await expectNone(['audit', pactFile({ description: sent, response: JSON.stringify({ [sent]: sent }) })]);
  });

  test('through validate', async () => {
    const request = { method: 'POST', url: 'http://store/plants', headers: [] };
    const content = { text: JSON.stringify({ name: 'Aloe', [sent]: sent }) };
    const response = {
      status: 200,
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content,
    };
    const har = JSON.stringify({ log: { entries: [{ request, response }] } });
    await expectNone(['validate', 'response', join(folderWith({ 'traffic.har': har }), 'traffic.har')]);
  });
});

test.each(['text', 'json'])('what a client sends gives none in the log of serve as %s', async (form) => {
  const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Aloe', id: sent });
  const { stdout } = await whileServing(['serve', '--token', 'secret', '--log', form], (url) =>
    fetch(`${url}/plants`, { method: 'POST', headers, body }),
  );
  expect(stdout).toContain('teamcity');
  expect(commandsIn(stdout)).toEqual([]);
});
