import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { everyReporter, type Outcome, plantStore, whileServing } from '../../cli/console.js';
import { folderWith } from '../../folder.js';
import { pactFile } from '../../pact/verification/pacts.js';
import { startEcho } from './echo.js';
import { finderOf, spellingsOf } from './spellings.js';

const token = 'Tk/9+aZ_b-4q7Xw==';
const simple = spellingsOf(token);
const shownIn = finderOf(simple);
const env = { PLANT_STORE_TOKEN: token };

/** A percent sign stays: what is encoded twice is not promised to be hidden. */
const inTarget = (text: string): string => encodeURI(text).replaceAll('%25', '%');

/** As in JSON. A spelling may be escaped already, as some servers put it together. */
const inJson = (text: string): string =>
  text.startsWith('"') ? text : `"${text.replace(/(?<!\\)"/g, '\\"')}"`;

/** Looks at everything that a command wrote. */
function expectNone({ stdout, stderr, files }: Outcome): void {
  expect(
    Object.entries({ stdout, stderr, ...files }).flatMap(([where, output]) =>
      shownIn(output).map((name) => [where, name]),
    ),
  ).toEqual([]);
}

async function create(url: string, id: number, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more };
  const body = `{"name":"Aloe","id":${id}}`;
  await (await fetch(`${url}/plants`, { method: 'POST', headers, body })).arrayBuffer();
}

/** What stands for the token: a shell has two spellings of its variable. */
const HIDDEN = /\$(?:\{PLANT_STORE_TOKEN\}|PLANT_STORE_TOKEN\b)/;

describe('a whole command shows it in no output:', () => {
  test('the reports, the profile and the failures of check', async () => {
    await using echo = await startEcho(token, simple);
    const argv = ['check', echo.url, ...everyReporter, '--profile', 'profile.json', '--explore'];
    argv.push('--time', '4s', '--seed', '1');
    const outcome = await plantStore(argv, { env });
    expect(outcome.status).toBe(1);
    expect(outcome.files['report.json']?.split(HIDDEN).length).toBeGreaterThan(simple.length);
    expectNone(outcome);

    await using again = await startEcho(token, simple);
    const [{ row }] = JSON.parse(outcome.files['report.json'] ?? '').exploration.failures;
    const alone = ['check', again.url, '--row', JSON.stringify(row), ...everyReporter];
    const repeated = await plantStore(alone, { env });
    expect(repeated.files['report.json']).toMatch(HIDDEN);
    expectNone(repeated);
  });

  test('the report of verify', async () => {
    await using echo = await startEcho(token, simple);
    const pact = pactFile(
      ...simple.map((_, index) => ({
        description: `creation ${index}`,
        given: { 'no plant with id': '{"id":7}' },
        status: 201,
      })),
    );
    const argv = ['verify', echo.url, '--pacts', pact, ...everyReporter];
    const outcome = await plantStore(argv, { env });
    expect(outcome.status).toBe(1);
    expect(outcome.files['report.json']?.split(HIDDEN).length).toBeGreaterThan(simple.length / 2);
    expectNone(outcome);
  });

  test('the lines and the report of proxy', async () => {
    await using echo = await startEcho(token, simple);
    const argv = ['proxy', '--upstream', echo.url, '--fail-on', 'both', ...everyReporter];
    const talk = async (url: string): Promise<void> => {
      for (const [id, { text }] of simple.entries()) await create(url, id, { 'x-sent': inTarget(text) });
    };
    const outcome = await whileServing(argv, talk, { env });
    expect(outcome.stderr).toContain('[redacted]');
    expectNone(outcome);
  });

  test('the report of validate', async () => {
    const entries = simple.map(({ text }) => ({
      request: {
        method: 'POST',
        url: `http://store/plants?${inTarget(text)}`,
        headers: [
          { name: 'Authorization', value: `Bearer ${token}` },
          { name: 'Content-Type', value: 'application/json' },
        ],
        postData: { text: `{"name":"Aloe","id":${inJson(text)}}` },
      },
      response: {
        status: 200,
        headers: [
          { name: 'Content-Type', value: 'application/json' },
          { name: 'X-Seen', value: text },
        ],
        content: { text: `{"name":"Aloe","tag":7,${inJson(text)}:${inJson(text)}}` },
      },
    }));
    const har = join(folderWith({ 'saved.har': JSON.stringify({ log: { entries } }) }), 'saved.har');
    for (const kind of ['request', 'response']) {
      const outcome = await plantStore(['validate', kind, har, ...everyReporter]);
      expect(outcome.status).toBe(1);
      expect(outcome.files['report.json']).toContain('[redacted]');
      expectNone(outcome);
    }
  });

  test.each(['text', 'json'])('the log of serve as %s', async (form) => {
    const talk = async (url: string): Promise<void> => {
      for (const [id, { text }] of simple.entries()) await create(`${url}/${inTarget(text)}?token=`, id);
    };
    const outcome = await whileServing(['serve', '--log', form], talk, { env });
    expect(outcome.stdout.split('[redacted]').length).toBeGreaterThan(simple.length);
    expectNone(outcome);
  });
});
