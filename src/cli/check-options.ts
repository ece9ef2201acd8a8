import type { CheckOptions } from '../conformance/options.js';
import type { Row } from '../conformance/row.js';
import { definedOnly } from '../defined-only.js';
import {
  contentOf,
  duration,
  type FlagsOf,
  flag,
  type Given,
  grouped,
  jsonIn,
  list,
  rejectFlags,
  repeated,
  wholeNumber,
  without,
} from './command.js';
import { houseRulesFrom } from './house-rules.js';
import type { CommandIo } from './io.js';
import { reportFlags, strictFlag } from './reports.js';
import { requestFlags, routeFlags, routeFrom } from './route-flags.js';
import { startFlags } from './start.js';
import { tokenFlags } from './token.js';

/** A row says what is sent and judged. */
const NOT_FOR_ROW = [
  ...['only', 'skip', 'explore', 'time', 'seed', 'profile', 'dryRun'],
  ...['expectFailures', 'updateExpectedFailures'],
];

/** The flags of a check that say what is sent and judged. */
const WHAT = grouped('What to check', [
  flag(
    '--only <names>',
    'check only these rules: ids, topics or levels (documented, implied, unspecified), separated by commas',
    list,
  ),
  flag('--skip <names>', 'check all rules except these', list),
  without(
    flag(
      '--row <row>',
      'send only this row of requests, by its name or as JSON, and print each request and response',
    ),
    NOT_FOR_ROW,
  ),
  flag(
    '--expect-failures <file>',
    'a JSON file that lists the rules that may fail: [{ "rule", "reason", "until" }]',
  ),
  flag(
    '--update-expected-failures',
    'write that list: add what fails, remove what passes, keep reasons and dates',
  ),
  strictFlag,
  flag('--rules <module>', 'a module with rules of your own (JavaScript); can be repeated', repeated),
  without(flag('--dry-run', 'print a command for each row of requests; send nothing, and run nothing'), [
    ...['rules', 'updateExpectedFailures'],
  ]),
]);

const exploreFlags = [
  flag('--explore', 'after the usual requests, draw more at random'),
  flag('--time <duration>', 'explore: how long, such as 30s or 5m (default: 30s)', duration),
  flag('--seed <number>', 'explore: draw the same requests as another check with this seed', wholeNumber),
] as const;

const REPORTS = grouped('Reports', [
  ...reportFlags,
  flag(
    '--profile <file>',
    'write what the check learned to this file, as JSON, for `serve --profile`, and to compare two providers with `git diff --no-index`',
  ),
]);

/** The flags of `check`. */
export const checkFlags = [
  ...WHAT,
  ...grouped('How to reach the provider', [
    ...tokenFlags,
    ...startFlags,
    ...requestFlags,
    flag('--time-limit <duration>', 'time limit for a check, such as 30s or 5m (default: 150s)', duration),
    flag('--rate <number>', 'highest number of requests per second', wholeNumber),
    ...routeFlags,
  ]),
  ...REPORTS,
  ...grouped('Exploring', exploreFlags),
] as const;

/** The flags of `demo`: those of a check of the reference server. */
export const demoFlags = [...WHAT, ...REPORTS] as const;

export type CheckFlags = FlagsOf<typeof checkFlags>;

/** The options of a check that flags give. The token is not among them. */
export async function optionsFrom(
  given: Given<CheckFlags>,
  baseUrl: string,
  io: CommandIo,
): Promise<Omit<CheckOptions, 'token'>> {
  const { only, skip, timeLimit, rate, rules, strict, row } = given.flags;
  return {
    ...definedOnly({
      only,
      skip,
      houseRules: rules && (await houseRulesFrom(rules, io)),
      timeLimitMs: timeLimit,
      rate,
      strict,
      row: row?.startsWith('{') ? (jsonIn(row, '--row') as Row) : row,
      prism: row === undefined ? undefined : false,
      explore: exploreOptionsFrom(given),
      expectedFailures: await expectedFailuresFrom(given, io),
    }),
    ...(await routeFrom(given, io)),
    environment: io.env,
    baseUrl,
  };
}

/** @throws ToolkitError `invalid-option` if a flag makes no sense without `--explore` */
function exploreOptionsFrom(given: Given<CheckFlags>): CheckOptions['explore'] {
  const { explore = false, time, seed } = given.flags;
  if (!explore) rejectFlags(given.flags, ['time', 'seed'], 'needs --explore');
  return explore ? definedOnly({ timeMs: time, seed }) : undefined;
}

/**
 * The list of expected failures, as it is in its file.
 *
 * @throws ToolkitError `invalid-option` if there is none
 */
async function expectedFailuresFrom(
  { flags }: Given<CheckFlags>,
  io: CommandIo,
): Promise<CheckOptions['expectedFailures']> {
  const { expectFailures: file, updateExpectedFailures = false } = flags;
  if (file === undefined) {
    rejectFlags(flags, ['updateExpectedFailures'], 'needs --expect-failures: the file that it writes');
    return undefined;
  }
  const text = await contentOf(file, 'the list of expected failures', io).catch((error) => {
    // The first update makes the file.
    if (updateExpectedFailures && Object(Object(error).cause).code === 'ENOENT') return '[]';
    throw error;
  });
  return jsonIn(text, file) as CheckOptions['expectedFailures'];
}
