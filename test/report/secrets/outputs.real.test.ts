import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Outcome, plantStore } from '../../cli/console.js';
import { later } from '../../later.js';
import { pactFile } from '../../pact/verification/pacts.js';
import { startEcho } from './echo.js';
import { finderOf, spellingsOf } from './spellings.js';

const token = 'Tk/9+aZ_b-4q7Xw==';
const simple = spellingsOf(token);
const shownIn = finderOf(simple);
const env = { PLANT_STORE_TOKEN: token };

const FORMATS = ['json', 'junit', 'github', 'markdown', 'html', 'badge'];
const reporters = ['text', ...FORMATS.map((name) => `${name}=report.${name}`)].flatMap((one) => [
  '--reporter',
  one,
]);

/** A percent sign stays: what is encoded twice is not promised to be hidden. */
const inTarget = (text: string): string => encodeURI(text).replaceAll('%25', '%');

/** As in JSON. A spelling may be escaped already, as some servers put it together. */
const inJson = (text: string): string =>
  text.startsWith('"') ? text : `"${text.replace(/(?<!\\)"/g, '\\"')}"`;

/** Everything that a command wrote, by where it wrote it. */
function outputsOf({ stdout, stderr, files }: Outcome): Readonly<Record<string, string>> {
  return { stdout, stderr, ...files };
}

function expectNone(outputs: Readonly<Record<string, string>>): void {
  expect(
    Object.entries(outputs).flatMap(([where, output]) => shownIn(output).map((name) => [where, name])),
  ).toEqual([]);
}

/** Runs a command until a test has talked to the server that it starts. */
async function whileRunning(
  argv: readonly string[],
  url: RegExp,
  talk: (url: string) => Promise<void>,
): Promise<Readonly<Record<string, string>>> {
  const [stopped, listening] = [later<void>(), later<string>()];
  const written = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof written) => ({
    write(text: string) {
      written[name] += text;
      const found = url.exec(written[name])?.[1];
      if (found !== undefined) listening.resolve(found);
    },
  });
  const done = plantStore(argv, {
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    env,
    untilStopped: () => stopped.promise,
  });
  await talk(
    await Promise.race([listening.promise, done.then(() => Promise.reject(new Error(written.stderr)))]),
  );
  stopped.resolve();
  return { ...written, ...(await done).files };
}

async function create(url: string, id: number, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more };
  const body = `{"name":"Aloe","id":${id}}`;
  await (await fetch(`${url}/plants`, { method: 'POST', headers, body })).arrayBuffer();
}

/** What stands for the token: a shell has two spellings of its variable. */
const HIDDEN = /\$(?:\{PLANT_STORE_TOKEN\}|PLANT_STORE_TOKEN\b)/;

describe('a whole command shows it in no output:', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plant-store-secrets-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('the reports, the profile and the failures of check', async () => {
    await using echo = await startEcho(token, simple);
    const argv = ['check', echo.url, ...reporters, '--profile', 'profile.json', '--explore'];
    argv.push('--time', '4s', '--seed', '1');
    const outcome = await plantStore(argv, { env });
    expect(outcome.status).toBe(1);
    expect(Object.keys(outcome.files)).toContain('plant-store-failures.json');
    expect(outcome.files['report.json']?.split(HIDDEN).length).toBeGreaterThan(simple.length);
    expectNone(outputsOf(outcome));

    await using again = await startEcho(token, simple);
    const failures = join(folder, 'failures.json');
    await writeFile(failures, outcome.files['plant-store-failures.json'] ?? '');
    const replayed = await plantStore(['check', again.url, '--replay', failures, ...reporters], { env });
    expect(replayed.files['report.json']).toMatch(HIDDEN);
    expectNone(outputsOf(replayed));
  });

  test('the report of verify', async () => {
    await using echo = await startEcho(token, simple);
    const pact = await pactFile(
      ...simple.map((_, index) => ({
        description: `creation ${index}`,
        given: { 'no plant with id': '{"id":7}' },
        ...(index % 2 === 0 && { status: 201 }),
      })),
    );
    const argv = ['verify', echo.url, '--pacts', pact, ...reporters];
    const outcome = await plantStore(argv, { env });
    expect(outcome.status).toBe(1);
    expect(outcome.files['report.json']?.split(HIDDEN).length).toBeGreaterThan(simple.length);
    expectNone(outputsOf(outcome));
  });

  test('the lines and the report of proxy', async () => {
    await using echo = await startEcho(token, simple);
    const argv = ['proxy', '--upstream', echo.url, '--fail-on', 'both', ...reporters];
    const outputs = await whileRunning(argv, /forwarding (\S+) to/, async (url) => {
      for (const [id, { text }] of simple.entries()) await create(url, id, { 'x-sent': inTarget(text) });
    });
    expect(outputs.stderr?.includes('[redacted]')).toBe(true);
    expectNone(outputs);
  });

  test('the report of validate', async () => {
    const entries = simple.map(({ text }) => ({
      request: {
        ...{ method: 'POST', url: `http://store/plants?${inTarget(text)}` },
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
    const har = join(folder, 'saved.har');
    await writeFile(har, JSON.stringify({ log: { entries } }));
    for (const kind of ['request', 'response']) {
      const outcome = await plantStore(['validate', kind, har, ...reporters]);
      expect(outcome.status).toBe(1);
      expect(outcome.files['report.json']).toContain('[redacted]');
      expectNone(outputsOf(outcome));
    }
  });

  test.each(['text', 'json'])('the log of serve as %s', async (form) => {
    const outputs = await whileRunning(['serve', '--log', form], /(http:[^\s"]+)/, async (url) => {
      for (const [id, { text }] of simple.entries()) await create(`${url}/${inTarget(text)}?token=`, id);
    });
    expect(outputs.stdout?.split('[redacted]').length).toBeGreaterThan(simple.length);
    expectNone(outputs);
  });
});
