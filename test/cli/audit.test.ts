import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pactOf } from '../pact/audit/one-interaction.js';
import { plantStore } from './console.js';

let folder: string;
const file = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'audit-'));
  writeFileSync(file('good.json'), pactOf({ states: [{ name: 'no plant with id', params: { id: 7 } }] }));
  writeFileSync(
    file('bad.json'),
    pactOf(
      {},
      {
        description: 'a creation\u001b[31m',
        request: { headers: { Authorization: undefined } },
        response: { body: { name: 'Aloe', id: 7 } },
      },
    ),
  );
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('plant-store audit', () => {
  test('0: a pact that asks for nothing more', async () => {
    const { status, stdout, stderr } = await plantStore(['audit', file('good.json')]);
    expect(status).toBe(0);
    expect(stderr).toBe('');
    expect(stdout.replace(folder, '…')).toMatchInlineSnapshot(`
      "shop → plant store …/good.json

        ✓ a creation given no plant with id

      Not touched by this pact
        – A plant with a tag is created. created-with-tag
        – A plant is created with an id beyond 2^31, as an int64 may be. id-beyond-int32
        – A plant is created with an id beyond 2^53, which a double does not hold. id-beyond-doubles
        – A plant with a field missing, or of the wrong type, is refused. invalid-plant-refused
        – A request without a token is refused. missing-token-refused
        – A request with a wrong token is refused. wrong-token-refused

      The pact asks for nothing that the interface does not promise: 1 interaction, no problem.
      "
    `);
  });

  test('1: a pact that asks for more, with what and where', async () => {
    const { status, stdout } = await plantStore(['audit', file('bad.json')]);
    expect(status).toBe(1);
    expect(stdout.replace(folder, '…')).toMatchInlineSnapshot(`
      "shop → plant store …/bad.json

        ✓ a creation
        ✗ a creation\\u001b[31m (1)
          no-valid-token Success is expected, but the Authorization header is missing.
            /interactions/1/request/headers (interface: Authentication, rule 2; comparator: request.authorization.missing)
          unknown-field A 200 carries the fields of Plant only; the response has to have "id" as well.
            /interactions/1/response/body/id (interface: Resources and their fields; comparator: response.body.incompatible)

      Not touched by this pact
        – A plant with a tag is created. created-with-tag
        – A plant is created with an id beyond 2^31, as an int64 may be. id-beyond-int32
        – A plant is created with an id beyond 2^53, which a double does not hold. id-beyond-doubles
        – A plant with a field missing, or of the wrong type, is refused. invalid-plant-refused
        – A request without a token is refused. missing-token-refused
        – A request with a wrong token is refused. wrong-token-refused

      The pact asks for more than the interface promises: 2 problems in 1 of 2 interactions.
      "
    `);
  });

  test('a folder: every pact in it, and a sentence about them all', async () => {
    const { status, stdout } = await plantStore(['audit', folder]);
    expect(status).toBe(1);
    expect(stdout.indexOf('bad.json')).toBeLessThan(stdout.indexOf('good.json'));
    expect(stdout).toMatch(/\n1 of 2 pacts asks for more than the interface promises\.\n$/);
    const { stdout: twice, status: good } = await plantStore(['audit', file('good.json'), file('good.json')]);
    expect(good).toBe(0);
    expect(twice).toMatch(/\nNone of 2 pacts asks for more than the interface promises\.\n$/);
  });

  test('--quiet, and CI, leave out what is as it should be', async () => {
    const { stdout } = await plantStore(['audit', folder, '--quiet']);
    expect(stdout).not.toContain('✓');
    expect(stdout).not.toContain('Not touched');
    expect(stdout).toContain('no-valid-token');
    expect((await plantStore(['audit', folder], { env: { CI: 'true' } })).stdout).toBe(stdout);
  });

  test('--reporter json is one document, and may go to a file beside the text', async () => {
    const { stdout } = await plantStore(['audit', folder, '--reporter', 'json']);
    const { pacts } = JSON.parse(stdout);
    expect(pacts.map(({ conclusion }: { conclusion: string }) => conclusion)).toEqual([
      'asks-for-more',
      'within-the-interface',
    ]);
    expect(pacts[0].where).toBe(file('bad.json'));
    const both = ['--reporter', 'text', '--reporter', 'json=audit.json'];
    const { files, stdout: text } = await plantStore(['audit', folder, ...both]);
    expect(files['audit.json']).toBe(stdout);
    expect(text).toContain('shop → plant store');
  });

  test('has colour on a terminal, and none of it comes from the pact', async () => {
    let text = '';
    await plantStore(['audit', folder], { stdout: { isTTY: true, write: (part) => (text += part) } });
    expect(text).toContain('\u001b[1m');
    expect(text).toContain('a creation\\u001b[31m');
  });

  test.for<readonly [title: string, argv: readonly string[], message: RegExp]>([
    ['no pact', [], /missing required argument 'pact'/],
    [
      'an unknown reporter',
      ['good.json', '--reporter', 'junit'],
      /no reporter "junit"; there are: text, json/,
    ],
    ['a reporter without its file', ['good.json', '--reporter', 'json='], /name of the file is missing/],
    ['a file that is not there', ['nowhere.json'], /^plant-store: no pact can be read from .*nowhere\.json/],
  ])('2: %s', async ([, argv, message]) => {
    const { status, stdout, stderr } = await plantStore(['audit', ...argv]);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(message);
  });

  test('2: files that are no pacts, each with what is wrong with it, and no report', async () => {
    writeFileSync(file('broken'), '{');
    writeFileSync(file('empty'), JSON.stringify({ ...JSON.parse(pactOf({})), interactions: [] }));
    const files = [file('broken'), file('nowhere'), folder, file('empty')];
    const { status, stdout, stderr } = await plantStore(['audit', ...files]);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/broken is no pact: it is not JSON: .*; .*nowhere.*; .*empty holds no HTTP/);
  });

  test('--help has examples and the exit status', async () => {
    const { status, stdout } = await plantStore(['audit', '--help']);
    expect(status).toBe(0);
    expect(stdout).toContain('plant-store audit pacts/');
    expect(stdout).toContain('Exit status: 0');
  });
});
