import { describe, expect, test } from 'vitest';
import { plantStore } from './console.js';

const URL = 'http://127.0.0.1:1';
const CHECK = `check ${URL} --token t`;
const VERIFY = `verify ${URL} --token t`;
const BROKER = `${VERIFY} --pact-broker-url ${URL}`;
const PROXY = `proxy --upstream ${URL}`;

/** A command line as text, or as a list where an argument has a space in it. */
type Line = string | readonly string[];

const run = (line: Line, env = {}) => plantStore(typeof line === 'string' ? line.split(' ') : line, { env });

/** Nothing but a sentence is written. Later lines of it may be left out here. */
async function expectRefused(line: Line, sentence: string): Promise<void> {
  const { status, stdout, stderr } = await run(line);
  expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining(sentence)]);
}

test.each<[Line, string]>([
  ['check', 'the base URL is missing: pass'],
  [['check', '', '--token', 't'], 'must be an absolute URL'],
  [`check ${URL}`, 'the token is missing'],
  [`${CHECK} --reporter pdf`, 'Allowed choices are text, json, junit'],
  [`${CHECK} --timeout soon`, 'must be a whole number'],
  [`${CHECK} --header X`, 'must look like "Name: value"'],
  [`${CHECK} --ca no.pem`, 'the CA cannot be read from no.pem'],
  [`${CHECK} --expect-failures package.json`, 'the expected failures must be a list: [{ "rule"'],
  [`${CHECK} --reporter json --reporter html`, 'json and html would both go to standard output'],
  [`${CHECK} --reporter json --reporter github`, 'json and github would both go to standard output'],
  [`${CHECK} --reporter json=a --reporter html=a`, 'two reports would be written to a'],
  [
    `verify --token t --pacts a/ ${URL}`,
    `--pacts would take ${URL} as well: write the base URL before --pacts`,
  ],
  [`verify --token t --pacts a/ --pacts ${URL}`, 'the base URL is missing'],
  [`verify --token t --pacts=a/ --pacts=${URL}`, 'the base URL is missing'],
  [`${CHECK} --update-expected-failures`, '--update-expected-failures needs --expect-failures'],
  [
    `${CHECK} --update-expected-failures --expect-failures a.json --dry-run`,
    "option '--dry-run' cannot be used with option '--update-expected-failures'",
  ],
  [`${CHECK} --dry-run --rules x.js`, "option '--dry-run' cannot be used with option '--rules <module>'"],
  [`${CHECK} --row {"name":`, '--row is not JSON: expected a JSON value, got the end of the text, at line 1'],
  [`${CHECK} --row {}`, 'the row needs a "name" such as "drawn/1"'],
  [`check ${URL} --reporter junit x.xml --token t`, "too many arguments for 'check'"],
  [
    'check --config LICENSE',
    'the options file LICENSE is not JSON: expected a JSON value, got "M", at line 1',
  ],
  ['serve --profile LICENSE', 'LICENSE is not a profile: it is not JSON'],
  ['serve --fail 200', 'the failure field "status" must be an integer from 400 to 599; got 200'],
  ['serve --control-token a', '--control-host and --control-token need --control-port'],
  ['serve --control-port 0 --control-host 0.0.0.0', 'the control interface needs a token of its own'],
  [
    ['serve', '--control-port', '0', '--control-token', 'two words'],
    '--control-token must be a string of visible ASCII characters',
  ],
  ['serve --port 70000', '--port must be an integer from 0 to 65535; got 70000'],
  ['serve --authentication-status 402', '--authentication-status must be 400 or 401 or 403; got 402'],
  ['proxy', '--upstream is missing: pass the base URL of the provider'],
  [`${PROXY} --port 99999`, 'a port must be 0 to 65535'],
  [`${PROXY} --timeout 0`, 'the timeout must be a whole number from 1 to'],
  [`${PROXY} --fail-on none`, 'Allowed choices are response, request, both'],
  [`${VERIFY} --cert package.json`, 'a client certificate needs both'],
  [`${BROKER} --publish-verification-results`, 'needs --provider-version'],
  [`${BROKER} --consumer-version-selectors {}`, 'must be a JSON array such as'],
  [`${BROKER} --include-wip-pacts-since 2026-01-31`, 'needs --provider-version-branch'],
  [
    `${VERIFY} --pact-broker-url http://me:secret@broker.example`,
    'the broker must be a URL with http or https',
  ],
  [`${VERIFY} --pacts http://me:secret@broker.example`, 'a pact must be a URL with http or https'],
  [`${VERIFY} --state-url file:///states`, 'the state URL must be a URL with http or https'],
  ['audit src/spec', 'the folder src/spec has no .json file'],
  ['validate response', "missing required argument 'file'"],
  ['validate response x --as Plant', 'Allowed choices are plant, new-plant, error'],
  ['validate response x --as new-plant', '--as new-plant is for the body of a request, not of a response'],
])('%j: exit status 2 and a sentence', expectRefused);

describe('what was mistyped is named, with what may be meant', () => {
  test.each<[string, string]>([
    ['chek', "unknown command 'chek'\n(Did you mean check?)"],
    ['check http://x --tokn a', "unknown option '--tokn'\n(Did you mean --token?)"],
    ['rules succes/plant-fields-only', 'did you mean "success/plant-fields-only"?'],
    ['rules plant-fields', 'did you mean "success/plant-fields-only"?'],
    [`${CHECK} --only auht`, 'did you mean "auth"?'],
    ['serve --fault leaks-ids', 'got "leaks-ids"; did you mean "leaks-id"?'],
  ])('%s', expectRefused);
});

describe('a flag that would do nothing is refused', () => {
  const exploring = ['--time 5s', '--seed 5'];
  const choosing = ['--only auth', '--skip auth'];
  const brokered = [
    ...[
      '--pact-broker-token t',
      '--pact-broker-username t',
      '--pact-broker-password t',
      '--consumer-version-selectors []',
      '--enable-pending',
    ],
    ...[
      '--include-wip-pacts-since 2026-01-31',
      '--publish-verification-results',
      '--provider-version 1',
      '--provider-version-branch main',
    ],
    `--build-url ${URL}`,
  ];
  const notForRow = [
    ...['--explore', ...exploring, ...choosing, '--profile a.json', '--dry-run'],
    ...['--expect-failures package.json', '--update-expected-failures'],
  ];

  test.each<[string, readonly string[], string]>([
    [CHECK, exploring, 'needs --explore'],
    [VERIFY, brokered, 'needs a broker'],
    [BROKER, ['--provider-version 1', `--build-url ${URL}`], 'needs --publish'],
  ])('%s', async (line, flags, sentence) => {
    for (const flag of flags) await expectRefused(`${line} ${flag}`, `${flag.split(' ')[0]} ${sentence}`);
  });

  test.each([CHECK, VERIFY, PROXY])('%s --ca with --insecure', async (line) => {
    await expectRefused(
      `${line} --ca package.json --insecure`,
      "option '--insecure' cannot be used with option '--ca <file>'",
    );
  });

  test('what a row says itself', async () => {
    for (const flag of notForRow)
      await expectRefused(`${CHECK} --row missing-name ${flag}`, "option '--row <row>' cannot be used with");
  });
});

const SECRET = 'secret\n';

test.each<[Line, Readonly<Record<string, string>>, string]>([
  [`check ${URL}`, { PLANT_STORE_TOKEN: SECRET }, 'PLANT_STORE_TOKEN ends with a line break: leave it out'],
  ['serve', { PLANT_STORE_TOKEN: SECRET }, 'PLANT_STORE_TOKEN ends with'],
  [BROKER, { PACT_BROKER_TOKEN: SECRET }, 'PACT_BROKER_TOKEN ends with'],
  ['serve --control-port 0', { PLANT_STORE_CONTROL_TOKEN: SECRET }, 'PLANT_STORE_CONTROL_TOKEN ends with'],
  [['check', URL, '--token', 'secret\r\n'], {}, '--token ends with a line break'],
  [['serve', '--token', SECRET], {}, '--token must be the token alone: it ends with a line'],
  [['check', URL, '--token', 'two words'], {}, '--token must be a string of visible ASCII'],
])('%j with %j: the message names where a wrong token comes from', async (line, env, sentence) => {
  expect((await run(line, env)).stderr).toContain(`plant-store-contract: ${sentence}`);
});

test.each([
  ['check', URL, '--token', 'Bearer hidden'],
  ['verify', URL, '--token', 'bearer hidden'],
  ['serve', '--token', 'Bearer hidden'],
])('a token with the word Bearer is not shown: %s', async (...argv) => {
  await expectRefused(argv, 'leave out the word');
  expect((await run(argv)).stderr).not.toContain('hidden');
});

test('plant-store-contract alone shows what there is, as a usage error', async () => {
  const { status, stderr } = await plantStore([]);
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^Usage: plant-store-contract/)]);
});
