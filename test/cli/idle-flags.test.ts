import { expect, test } from 'vitest';
import { plantStore } from './console.js';

const URL = 'http://127.0.0.1:1';
const CHECK = ['check', URL, '--token', 't'];
const REPLAY = [...CHECK, '--replay', 'package.json'];
const VERIFY = ['verify', URL, '--token', 't'];
const PROFILES = ['compare', 'package.json', 'package.json'];
const BROKER = [...VERIFY, '--broker', URL];

test.each<[argv: string[], sentence: string]>([
  ...[
    ['--runs', '5'],
    ['--time', '5s'],
    ['--seed', '5'],
    ['--shard', '1/2'],
    ['--failures', 'a.json'],
  ].map((flag): [string[], string] => [[...CHECK, ...flag], `${flag[0]} needs --explore`]),
  ...[
    ['--explore'],
    ['--runs', '5'],
    ['--time', '5s'],
    ['--seed', '5'],
    ['--shard', '1/2'],
    ['--failures', 'a.json'],
    ['--only', 'auth'],
    ['--skip', 'auth'],
    ['--level', 'implied'],
    ['--profile', 'a.json'],
    ['--discover'],
    ['--like-reference'],
    ['--expect-failures', 'package.json'],
    ['--update-expected-failures'],
    ['--max-response-time', '5'],
    ['--implementation', 'a@1'],
    ['--quick'],
    ['--dry-run'],
    ['--no-prism'],
  ].map((flag): [string[], string] => [[...REPLAY, ...flag], `${flag[0]} cannot be used with --replay`]),
  ...[['--token', 't'], ['--ca', 'package.json'], ['--insecure']].map((flag): [string[], string] => [
    ['demo', ...flag],
    `${flag[0]} needs a base URL`,
  ]),
  ...[
    ['--token', 't'],
    ['--token-b', 't'],
    ['--discover'],
    ['--only', 'auth'],
    ['--skip', 'auth'],
    ['--level', 'implied'],
    ['--timeout', '5'],
    ['--concurrency', '5'],
    ['--rate', '5'],
    ['--quick'],
    ['--header', 'a: b'],
    ['--ca', 'package.json'],
    ['--insecure'],
  ].map((flag): [string[], string] => [[...PROFILES, ...flag], `${flag[0]} needs a base URL`]),
  [
    ['compare', URL, 'package.json', '--token', 't', '--token-b', 'u'],
    '--token-b needs a base URL as the second',
  ],
  ...[
    ['--broker-token', 't'],
    ['--broker-user', 't'],
    ['--broker-password', 't'],
    ['--broker-timeout', '5'],
    ['--broker-ca', 'package.json'],
    ['--broker-insecure'],
    ['--selectors', '[]'],
    ['--pending'],
    ['--wip-since', '2026-01-31'],
    ['--publish'],
    ['--provider-version', '1'],
    ['--provider-branch', 'main'],
    ['--build-url', URL],
  ].map((flag): [string[], string] => [[...VERIFY, ...flag], `${flag[0]} needs a broker`]),
  [[...BROKER, '--provider-version', '1'], '--provider-version needs --publish'],
  [[...BROKER, '--build-url', URL], '--build-url needs --publish'],
  [
    [...BROKER, '--broker-token', 't', '--broker-user', 'u'],
    '--broker-user cannot be used with --broker-token',
  ],
  [
    [...BROKER, '--broker-ca', 'package.json', '--broker-insecure'],
    '--broker-ca cannot be used with --broker-insec',
  ],
  ...[CHECK, VERIFY, ['proxy', '--upstream', URL], ['compare', URL, URL, '--token', 't']].map(
    (argv): [string[], string] => [
      [...argv, '--ca', 'package.json', '--insecure'],
      '--ca cannot be used with --insecure',
    ],
  ),
])('%j would do nothing: exit status 2 and a sentence', async (argv, sentence) => {
  const { status, stdout, stderr } = await plantStore(argv);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(sentence);
});
