import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { type RunningPlantStore, startPlantStore } from 'plant-store-contract/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { otherWriter } from '../../../src/cli/config/find-file.js';
import { freePort } from '../../package/free-port.js';
import { plantStore } from '../console.js';

const TOKEN = 'a-token-that-must-not-be-shown';
const top = mkdtempSync(join(tmpdir(), 'plant-store-config-'));
let store: RunningPlantStore;
beforeAll(async () => {
  store = await startPlantStore({ token: TOKEN });
});
afterAll(async () => {
  await store.close();
  rmSync(top, { recursive: true, force: true });
});

let count = 0;
let folder: string;
beforeEach(() => {
  folder = join(top, String(count++), 'project', 'below');
  mkdirSync(folder, { recursive: true });
});

const NAME = 'plant-store.config.json';
const env = { PLANT_STORE_TOKEN: TOKEN };
const write = (options: unknown, where = folder, name = NAME): void =>
  writeFileSync(join(where, name), typeof options === 'string' ? options : JSON.stringify(options));
const run = (argv: readonly string[], io = {}) =>
  plantStore(argv, { folder, env, readBytes: async (path) => readFileSync(path), ...io });

/** What a check without sending anything shows of its options. */
const dryRun = (...flags: readonly string[]) => run(['check', '--dry-run', ...flags]);

describe('the options file', () => {
  test('gives the base URL and the flags of a check, and the output says which file it was', async () => {
    write({
      $schema: './x',
      baseUrl: store.url,
      only: ['success'],
      quiet: true,
      check: { reporter: ['json'] },
    });
    const { status, stdout, stderr } = await run(['check']);
    expect([status, JSON.parse(stdout).conclusion]).toEqual([0, 'conforms']);
    expect(JSON.parse(stdout).rules.every(({ id }: { id: string }) => id.startsWith('success/'))).toBe(true);
    expect(stderr).toMatch(/^options from plant-store\.config\.json: only, reporter, quiet, baseUrl\n/);
  });

  test('is overridden by the command line, in both directions', async () => {
    write({ baseUrl: 'http://from-the-file', quiet: true, header: ['X-From: file'], insecure: true });
    const outcome = await dryRun('http://from-the-flag', '--no-quiet', '--header', 'X-From: flag');
    expect(outcome.stdout).toContain("'http://from-the-flag/plants'");
    expect(outcome.stdout).not.toContain('from-the-file');
    expect(outcome.stderr).toBe('options from plant-store.config.json: insecure\n');
  });

  test('has options for one command, which come before those for all', async () => {
    write({
      baseUrl: 'http://all',
      check: { baseUrl: 'http://check-alone' },
      verify: { baseUrl: 'http://verify' },
    });
    expect((await dryRun()).stdout).toContain("'http://check-alone/plants'");
  });

  test('is searched upwards; the paths in it are relative to it', async () => {
    const above = join(folder, '..');
    write(
      {
        baseUrl: store.url,
        only: ['success'],
        expectFailures: 'known.json',
        reporter: ['junit=a/b.xml'],
      },
      above,
    );
    write([], above, 'known.json');
    const { stderr, files } = await run(['check'], {
      readFile: async (path: string) => readFileSync(join(folder, path), 'utf8'),
    });
    expect(stderr).toContain('options from ../plant-store.config.json: ');
    expect(Object.keys(files)).toEqual(['../a/b.xml']);
  });

  test('may be another one, or none', async () => {
    write({ baseUrl: 'http://usual' });
    write({ baseUrl: 'http://other' }, folder, 'other.json');
    expect((await dryRun('--config', 'other.json')).stdout).toContain('http://other/plants');
    expect((await run(['--config', 'other.json', 'check', '--dry-run'])).stdout).toContain(
      'http://other/plants',
    );
    expect((await dryRun('--no-config')).stderr).toContain('the base URL is missing');
    expect(await dryRun('--config', 'none.json')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('the options file none.json cannot be read: there is no such file'),
    });
  });

  test('is not YAML', async () => {
    writeFileSync(join(folder, 'plant-store.config.yaml'), 'check:\n  baseUrl: http://x\n');
    const { status, stderr } = await dryRun();
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('plant-store.config.yaml is not read: the options file must be JSON'),
    ]);
    expect((await dryRun('--config', 'plant-store.config.yaml')).stderr).toContain('. YAML is not read');
    expect((await dryRun('--no-config', 'http://x')).status).toBe(0);
  });

  test('leaves out options that the command line makes idle', async () => {
    write({ baseUrl: store.url, check: { only: ['success'], ca: 'no-such.pem' } });
    const { stderr } = await run(['check', '--replay', 'none.json', '--insecure']);
    expect(stderr).toContain('the failures cannot be read from none.json');
    expect((await dryRun('--insecure')).status).toBe(0);
    write({ baseUrl: store.url, verify: { pending: true } });
    expect((await run(['verify', '--pacts', 'none.json'])).stderr).not.toContain('--pending');
    // On the command line, they are a mistake.
    expect((await run(['verify', '--pending'])).stderr).toContain('--pending needs a broker');
  });

  test('names environment variables for secrets, and takes no secret itself', async () => {
    write({ baseUrl: store.url, only: ['auth'], token: { env: 'STAGING' }, header: [{ env: 'FIELD' }] });
    const { status, stdout, stderr } = await run(['check'], {
      env: { STAGING: TOKEN, FIELD: 'X-Key: hidden' },
    });
    expect([status, stdout + stderr]).toEqual([0, expect.not.stringContaining(TOKEN)]);
    expect((await run(['check'])).stderr).toContain(
      `"token" comes from the environment variable STAGING, which is not set`,
    );
    write({ token: TOKEN });
    const plain = await run(['check', store.url]);
    expect(plain.stderr).toContain('"token" is a secret: write the name of an environment variable');
    expect([plain.status, plain.stderr]).toEqual([2, expect.not.stringContaining(TOKEN)]);
  });

  test('says which commands and modules it gives, escaped, and not what a variable has', async () => {
    write({
      baseUrl: 'http://x',
      start: { env: 'START' },
      rules: ['a.js', 'b.js'],
    });
    const { status, stderr } = await run(['check', '--dry-run'], { env: { START: 'start hidden' } });
    expect([status, stderr]).toEqual([
      0,
      'options from plant-store.config.json: rules, start, baseUrl\n' +
        '  rules: a.js, b.js\n  start: $START\n',
    ]);
    expect((await dryRun('--start', 'true', '--rules', 'c.js')).stderr).toBe(
      'options from plant-store.config.json: baseUrl\n',
    );
  });

  test('gives --start and its folder', async () => {
    const above = join(folder, '..');
    const port = await freePort();
    const provider = new URL('../start/provider.mjs', import.meta.url).pathname;
    writeFileSync(join(above, 'provider.mjs'), readFileSync(provider));
    write(
      { baseUrl: `http://127.0.0.1:${port}`, start: `node provider.mjs ${port}`, check: { only: ['auth'] } },
      above,
    );
    const { stdout } = await run(['check']);
    expect(stdout).toContain('every plain plant gets 400');
  });

  test('gives lists, numbers and choices to serve', async () => {
    write({
      serve: {
        fault: ['no-such-fault'],
        port: 0,
        duplicateId: 'replace',
        cors: true,
        bodyLimit: 1_000,
      },
    });
    const { stderr } = await run(['serve']);
    expect(stderr).toContain(
      'options from plant-store.config.json: port, cors, fault, bodyLimit, duplicateId',
    );
    expect(stderr).toContain('got "no-such-fault"');
  });

  test('does not concern commands that need none', async () => {
    write('{');
    expect((await run(['rules', 'auth'])).status).toBe(0);
  });
});

describe('an options file that nobody named is used only if nobody else could have written it', () => {
  const file = () => join(folder, NAME);
  beforeEach(() => write({ baseUrl: 'http://planted' }));

  const expectUse = async (): Promise<void> =>
    expect((await dryRun()).stdout).toContain('http://planted/plants');
  const expectRefusal = async (why: string): Promise<void> => {
    expect(await dryRun('http://given')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: `plant-store: the options file ${NAME} is not used: ${why}. It can run commands. If you trust it, pass --config ${NAME}; to go on without it, pass --no-config\n`,
    });
    // What the user names is the choice of the user.
    expect((await dryRun('--config', NAME)).stdout).toContain('http://planted/plants');
    expect((await dryRun('http://given', '--no-config')).stdout).toContain('http://given/plants');
  };

  test('the usual modes', async () => {
    chmodSync(file(), 0o644);
    chmodSync(folder, 0o755);
    await expectUse();
  });

  test('a file that everybody may write', async () => {
    chmodSync(file(), 0o646);
    await expectRefusal('it may be written by everybody');
  });

  test.each([0o777, 0o1777])('in the working directory with mode %o', async (mode) => {
    chmodSync(folder, mode);
    await expectRefusal('the folder . may be written by everybody');
  });

  test('below a folder that everybody may write, unless it is sticky, as /tmp is', async () => {
    chmodSync(join(folder, '..'), 0o757);
    await expectRefusal('the folder .. may be written by everybody');
    chmodSync(join(folder, '..'), 0o1777);
    await expectUse();
  });

  test('in a folder above the working directory', async () => {
    rmSync(file());
    write({ baseUrl: 'http://planted' }, join(folder, '..'));
    chmodSync(join(folder, '..'), 0o777);
    const { status, stderr } = await dryRun('http://given');
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining(`the options file ../${NAME} is not used: the folder .. may be written`),
    ]);
  });

  test('a link to a file in a folder that everybody may write', async () => {
    const elsewhere = join(folder, '..', 'elsewhere');
    mkdirSync(elsewhere);
    write({ baseUrl: 'http://planted' }, elsewhere);
    rmSync(file());
    symlinkSync(join(elsewhere, NAME), file());
    await expectUse();
    chmodSync(elsewhere, 0o777);
    await expectRefusal('the folder ../elsewhere may be written by everybody');
  });

  // Only root can give a file away.
  test.skipIf(process.getuid?.() !== 0)('a file or a folder of another user, or of a group', async () => {
    chownSync(file(), 4_711, 0);
    await expectRefusal('it belongs to another user (4711)');
    chownSync(file(), 0, 0);
    chownSync(join(folder, '..'), 4_711, 0);
    await expectRefusal('the folder .. belongs to another user (4711)');
    chownSync(join(folder, '..'), 0, 0);
    chmodSync(join(folder, '..'), 0o775);
    await expectRefusal('the folder .. may be written by a group (0)');
  });

  const alice = 1_000;
  test.each<[string, Parameters<typeof otherWriter>, string | undefined]>([
    ['her own', [{ uid: alice, gid: 100, mode: 0o100644 }, alice], undefined],
    ['of root', [{ uid: 0, gid: 0, mode: 0o100644 }, alice], undefined],
    ['of another user', [{ uid: 1_001, gid: 100, mode: 0o100600 }, alice], 'belongs to another user (1001)'],
    ['of another user, for root', [{ uid: 1, gid: 0, mode: 0o100600 }, 0], 'belongs to another user (1)'],
    ['of her own group', [{ uid: alice, gid: alice, mode: 0o100664 }, alice], undefined],
    ['of a group', [{ uid: alice, gid: 100, mode: 0o100664 }, alice], 'may be written by a group (100)'],
    ['of the group of root', [{ uid: 0, gid: 0, mode: 0o100664 }, 0], 'may be written by a group (0)'],
    ['for all', [{ uid: alice, gid: alice, mode: 0o100666 }, alice], 'may be written by everybody'],
    ['sticky', [{ uid: 0, gid: 0, mode: 0o041777 }, alice], 'may be written by everybody'],
    ['sticky, above', [{ uid: 0, gid: 0, mode: 0o041777 }, alice, true], undefined],
    ['sticky, of another', [{ uid: 2, gid: 0, mode: 0o041777 }, alice, true], 'belongs to another user (2)'],
    ['for all, above', [{ uid: 0, gid: 0, mode: 0o040777 }, alice, true], 'may be written by everybody'],
  ])('as a user sees it: %s', (_what, given, expected) => {
    expect(otherWriter(...given)).toBe(expected);
  });

  test('a folder with this name', async () => {
    rmSync(file());
    mkdirSync(file());
    expect((await dryRun('http://given')).stderr).toContain(
      `the options file ${NAME} is not used: it is no regular file`,
    );
  });
});

describe('a mistake in the options file is named, with its place', () => {
  test.each<[string, unknown, string]>([
    ['no JSON', '{ "check": ', 'the options file plant-store.config.json is not JSON: '],
    ['no object', [], 'the options file plant-store.config.json must be an object'],
    [
      'an unknown option',
      { tiemout: 1 },
      'plant-store.config.json: "tiemout" is no option; did you mean "timeout"?',
    ],
    ['a flag as it is on the command line', { 'expect-failures': 'a' }, 'did you mean "expectFailures"?'],
    ['an unknown command', { chek: {} }, '"chek" is no option; did you mean "check"?'],
    [
      'an unknown option of a command',
      { check: { quit: true } },
      '"check.quit" is no option; did you mean "quiet"?',
    ],
    [
      'an option of other commands',
      { check: { port: 1 } },
      '"check.port" is no option of check, but of serve and proxy',
    ],
    [
      'a command that is no object',
      { check: true },
      '"check" must be an object with the options of that command',
    ],
    ['another type', { timeout: true }, '"timeout" must be a whole number; got true'],
    ['a text for a flag', { quiet: 'yes' }, '"quiet" must be true or false; got "yes"'],
    ['a number for a text', { baseUrl: 7 }, '"baseUrl" must be a string; got 7'],
    ['an empty list', { only: [] }, '"only" must be a string or a list of strings; got []'],
    [
      'another choice',
      { proxy: { failOn: 'all' } },
      '"proxy.failOn" must be "response", "request", "both"; got "all"',
    ],
    [
      'a value that the flag rejects',
      { baseUrl: 'http://x', wait: 'long' },
      '"wait" is wrong: It must look like 30s',
    ],
    ['what would not check anything', { dryRun: true }, '"dryRun" is no option'],
    ['what an object does not have itself', { constructor: 1 }, '"constructor" is no option'],
    ['a line break in a name', '{"a\\nb::error::":1}', '"a\\nb::error::" is no option'],
  ])('%s', async (_what, options, says) => {
    write(options);
    const { status, stdout, stderr } = await run(['check']);
    expect(stderr).toContain(says);
    expect([status, stdout, stderr.split('\n').length]).toEqual([2, '', 2]);
  });

  test('a very long file is not read', async () => {
    write({});
    const lengths: number[] = [];
    const readBytes = async (_path: string, longest: number): Promise<Uint8Array> => {
      lengths.push(longest);
      throw new Error(`it is longer than the limit of ${longest} bytes`);
    };
    const { status, stderr } = await run(['check'], { readBytes });
    expect([status, lengths]).toEqual([2, [2 ** 20]]);
    expect(stderr).toContain('the options file plant-store.config.json cannot be read: it is longer than');
  });
});

describe('the schema of the options file', () => {
  const schema = JSON.parse(
    readFileSync(new URL('../../../spec/config.schema.json', import.meta.url), 'utf8'),
  );
  const validate = new Ajv({ allowUnionTypes: true }).compile(schema);

  test.each([
    {},
    {
      $schema: 'x',
      baseUrl: 'http://x',
      start: 'go run .',
      wait: '1m',
      check: { reporter: ['github', 'junit=a.xml'] },
    },
    {
      token: { env: 'A_B' },
      header: [{ env: 'X' }, 'A: b'],
      timeout: 5,
      only: 'auth',
    },
    { serve: { cors: true, challenge: false, token: [{ env: 'A' }], fault: ['leaks-id'] } },
    {
      serve: { cors: ['http://a.example'], challenge: 'Bearer' },
      verify: { pacts: ['a', 'b'], publish: true },
    },
  ])('accepts %j, as the command line does', async (options) => {
    expect([validate(options), validate.errors]).toEqual([true, null]);
    write(options);
    const { stderr } = await run(['audit', 'no-such.json']);
    expect(stderr).toContain('no-such.json');
  });

  test.each([
    { tiemout: 1 },
    { check: { port: 1 } },
    { check: true },
    { timeout: true },
    { token: 'secret' },
    { serve: { token: ['secret'] } },
    { serve: { token: [] } },
    { only: [] },
    { proxy: { failOn: 'all' } },
    { header: [{ env: 'no name' }] },
    { dryRun: true },
  ])('rejects %j, as the command line does', async (options) => {
    expect(validate(options)).toBe(false);
    write(options);
    const { status, stderr } = await run(['audit', 'no-such.json']);
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/^plant-store: plant-store\.config\.json: "/),
    ]);
  });
});
