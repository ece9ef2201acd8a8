import type { CompareReport } from '../conformance/comparison.js';
import type { CheckOptions } from '../conformance/options.js';
import type { CheckReport } from '../conformance/report/check-report.js';
import { limits } from '../http/limits.js';
import type { Profile } from '../report/profile.js';
import { invalidOption, reasonOf } from '../toolkit-error.js';
import { prepareRun, stopSignal } from './check.js';
import { optionsFrom, selectionFlags, speedFlags } from './check-options.js';
import { defineCommand, type FlagsOf, flag, type Given, namesOf, rejectUnused } from './command.js';
import type { CommandIo } from './io.js';
import { prepareReports, reportFlagsWithoutExchanges } from './reports.js';
import { requestFlags, routeFlags } from './route-flags.js';
import {
  type GivenToken,
  NO_TOKEN,
  oneToken,
  optionalTokenFrom,
  tokenByCommand,
  tokenFlags,
} from './token.js';

/** The flags that say how a provider is checked. */
const checkingFlags = [
  ...tokenFlags,
  flag(
    '--token-b <token>',
    'the token of the second provider, if it has another one (default: PLANT_STORE_TOKEN_B)',
  ),
  flag('--token-command-b <command>', 'run this command to get the token of the second provider'),
  flag('--discover', 'compare limits too; sends about 40 to 125 more requests to each'),
  ...selectionFlags,
  ...requestFlags,
  ...speedFlags,
  ...routeFlags,
] as const;

const compareFlags = [...checkingFlags, ...reportFlagsWithoutExchanges] as const;

type CompareFlags = FlagsOf<typeof compareFlags>;

/** `plant-store compare <a> <b>`: shows how two providers differ. */
export const compare = defineCommand({
  description:
    'Compares two providers in what the interface demands and in what it leaves open. A base URL is checked, which ' +
    'creates plants; a profile is a file that `check --profile` wrote, or a JSON report of `check`. What differs is ' +
    'checked once more, and does not count if it changes from check to check.',
  args: [
    { form: '<a>', help: 'the base URL of a provider, or the profile that `check --profile` wrote' },
    { form: '[b]', help: 'the base URL or the profile of the other provider' },
  ],
  usage: '[options] <a> <b>',
  flags: compareFlags,
  examples: `Examples:
  plant-store compare https://staging.example https://plants.example --token-b "$PRODUCTION_TOKEN"
  plant-store compare release-1.json http://localhost:3000 --token secret
  plant-store compare release-1.json release-2.json --reporter markdown=changes.md

Exit status: 0: the providers are alike. 1: they differ. 2: usage error, or not everything could be
compared.`,
  async run(given, io) {
    const [a = '', b] = given.args;
    if (b === undefined)
      throw invalidOption(
        'the second provider is missing: pass its base URL, or the file that `check --profile` wrote',
      );
    return await compareSources([a, b], given, io);
  },
});

/** One provider: its profile, and how to check some of its rules again if it can be reached. */
interface Side {
  readonly name: string;
  readonly profile: Profile;
  /** What a redactor must take out of the report. There may be more tokens later. */
  readonly secrets: Iterable<string>;
  /** Why it could not be tested, if that is so. */
  readonly note?: string;
  readonly again?: (rules: readonly string[]) => Promise<Profile>;
}

async function compareSources(
  sources: readonly [string, string],
  all: Given<CompareFlags>,
  io: CommandIo,
): Promise<number> {
  const startedAt = new Date();
  const [isChecked, isSecondChecked] = [sources.some(isUrl), isUrl(sources[1])];
  const ofSecond = ['tokenB', 'tokenCommandB'] as const;
  const why = 'needs a base URL: a profile is not checked again';
  const used = rejectUnused(!isChecked, all, namesOf(checkingFlags), why);
  const given = rejectUnused(!isSecondChecked, used, ofSecond, 'needs a base URL as the second argument');
  const reports = await prepareReports(given, io, { hasExchanges: false });
  const tokens = tokensFrom(sources, given, io);
  const signal = stopSignal(io, () => 'the comparison is not complete');
  const sides: Side[] = [];
  // A profile that cannot be read is a usage error, so no provider is asked before both arguments are known to be right.
  const profiles: (Profile | undefined)[] = [];
  // One after the other, so that of two wrong files the first is named.
  for (const source of sources) profiles.push(isUrl(source) ? undefined : await profileIn(source, io));
  for (const [at, name] of sources.entries()) {
    const profile = profiles[at];
    const options = await optionsFrom(given, name, io);
    sides.push(
      profile === undefined
        ? await checked(name, tokens[at], { ...options, prism: false, signal }, io)
        : { name, profile, secrets: [] },
    );
  }
  const report = await comparison(sides as [Side, Side], startedAt);
  const { createRedactor } = await import('../report/redaction.js');
  const secrets = [
    ...sides.flatMap((side) => [...side.secrets]),
    ...(given.flags.header ?? []).map(([, value]) => value),
  ];
  return reports.write(createRedactor(secrets.map((value) => ({ value }))).data(report));
}

/** Compares, and checks what differs once more where a provider can be reached. */
async function comparison([first, second]: readonly [Side, Side], startedAt: Date): Promise<CompareReport> {
  const { compareProfiles, changesBetween } = await import('../conformance/comparison.js');
  const names = titlesOf(first, second);
  const notes = [first, second].flatMap(({ note }, at) =>
    note === undefined ? [] : [`${names[at]}: ${note}`],
  );
  const once = compareProfiles(first.profile, second.profile, { names, startedAt, notes });
  const rules = once.differences.filter(({ kind }) => kind !== 'limit').map(({ id }) => id);
  if (rules.length === 0) return once;
  const unsteady = new Map<string, string>();
  for (const [at, { again, profile }] of [first, second].entries()) {
    if (again === undefined) continue;
    for (const [rule, reason] of changesBetween(profile, await again(rules), names[at as 0 | 1]))
      unsteady.set(rule, reason);
  }
  return compareProfiles(first.profile, second.profile, { names, startedAt, notes, unsteady });
}

/** The arguments, unless they are equal. */
function titlesOf(first: Side, second: Side): readonly [string, string] {
  return first.name === second.name
    ? [`${first.name} (first)`, `${second.name} (second)`]
    : [first.name, second.name];
}

function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

async function profileIn(file: string, io: CommandIo): Promise<Profile> {
  const { readProfile } = await import('../report/profile.js');
  let bytes: Uint8Array;
  try {
    bytes = await io.readBytes(file, limits.file);
  } catch (cause) {
    const what = `${file} is neither a base URL (http://… or https://…) nor a file that can be read`;
    throw invalidOption(`${what}: ${reasonOf(cause)}`, { cause });
  }
  return readProfile(bytes, file);
}

/** @throws ToolkitError `invalid-option` if a provider that is checked has no token */
function tokensFrom(
  sources: readonly string[],
  given: Given<CompareFlags>,
  io: CommandIo,
): readonly (GivenToken | undefined)[] {
  const first = optionalTokenFrom(given, io);
  const { tokenB, tokenCommandB } = given.flags;
  rejectUnused(tokenCommandB !== undefined, given, ['tokenB'], 'cannot be used with --token-command-b');
  const second =
    tokenCommandB === undefined
      ? oneToken(tokenB || io.env.PLANT_STORE_TOKEN_B)
      : tokenByCommand(tokenCommandB, given.origin.get('tokenCommandB'), io);
  const tokens = [first, second ?? first];
  for (const [at, token] of tokens.entries())
    if (isUrl(sources[at] ?? '') && token === undefined)
      throw invalidOption(`${NO_TOKEN}; for the second provider also --token-b and PLANT_STORE_TOKEN_B`);
  return tokens;
}

async function checked(
  name: string,
  token: GivenToken | undefined,
  options: Omit<CheckOptions, 'token'>,
  io: CommandIo,
): Promise<Side> {
  const { Tokens } = await import('../conformance/session/tokens.js');
  const tokens = await Tokens.from(token?.option ?? '');
  const check = async (more: Partial<CheckOptions>): Promise<CheckReport> =>
    (await prepareRun({ ...options, ...more }, io)).run(tokens);
  const { profile, conclusion, summary } = await check({});
  return {
    name,
    profile,
    ...(conclusion === 'not-testable' && { note: summary }),
    secrets: tokens,
    again: async (rules) => (await check({ only: rules, discover: false })).profile,
  };
}
