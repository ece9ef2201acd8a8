import { HOUSE_LEVEL } from '../../report/conclusion.js';
import { didYouMean } from '../../suggestion.js';
import { invalidOption } from '../../toolkit-error.js';
import type { Probe } from '../probe.js';
import type { HouseDemand } from '../rule.js';
import { probes as probesOfInterface } from '../topics/index.js';
import { HOUSE_ID, HOUSE_PREFIX, type HouseId, RESPONSE_TIME } from './house-id.js';
import type { HouseProbe, HouseRule } from './house-rule.js';
import { judgeSafely } from './judge-safely.js';
import {
  checkMembers,
  isFunction,
  isListOfTexts,
  isOneOf,
  isOptional,
  isText,
  type Members,
  valueInWords,
} from './members.js';
import { readProbe } from './read-probe.js';
import { JudgingTime } from './within-time.js';

/** House rules that were checked, and their probes. */
export interface HouseRules {
  readonly rules: readonly HouseDemand[];
  readonly probes: readonly Probe<HouseId>[];
}

/** The members of a house rule, and what each of them is. */
const MEMBERS: Members<HouseRule> = {
  id: isText,
  title: isText,
  why: isOptional(isText),
  usualCause: isOptional(isText),
  fix: isOptional(isText),
  nothingToJudge: isOptional(isText),
  control: isOptional(isOneOf('none', 'for-a-pass', 'for-any-verdict')),
  judges: isOptional((value) => isFunction(value) || isListOfTexts(value)),
  sends: isOptional(isListOfTexts),
  dependsOn: isOptional(isListOfTexts),
  probes: isOptional(Array.isArray),
  judge: isFunction,
};

/**
 * Checks house rules, which may come from a module without types, and fills in the defaults.
 *
 * @param given the option `houseRules`
 * @throws ToolkitError `invalid-option`, with a sentence that says which rule is wrong, and how
 */
export function readHouseRules(given: readonly HouseRule[] = []): HouseRules {
  if (!Array.isArray(given)) throw invalidOption('the house rules must be a list');
  const time = new JudgingTime();
  const rules = new Map<string, HouseDemand>();
  const probes = new Map<string, { readonly given: HouseProbe; readonly read: Probe<HouseId> }>();
  for (const [at, rule] of given.entries()) {
    const name = nameOf(rule, at);
    checkMembers(rule, MEMBERS, name);
    if (rules.has(rule.id)) throw invalidOption(`${name} is there twice: give each an id of its own`);
    for (const [place, probe] of (rule.probes ?? []).entries()) {
      const read = readProbe(probe, `probe ${place + 1} of ${name}`);
      const before = probes.get(read.name);
      // Several rules may judge one probe.
      if (before !== undefined && before.given !== probe)
        throw invalidOption(`two probes of house rules have the name ${read.name}`);
      probes.set(read.name, before ?? { given: probe, read });
    }
    rules.set(rule.id, demandOf(rule, time));
  }
  const known = [...probesOfInterface.map((probe) => probe.name), ...probes.keys()];
  for (const { id, judges, sends = [], dependsOn = [] } of rules.values())
    for (const named of [...(typeof judges === 'function' ? [] : (judges ?? [])), ...sends, ...dependsOn])
      if (!known.includes(named))
        throw invalidOption(
          `the house rule ${id} names ${valueInWords(named)}, which is no probe${didYouMean(String(named), known)}`,
        );
  return { rules: [...rules.values()], probes: [...probes.values()].map(({ read }) => read) };
}

/** How an error names a rule: by its id, or by its place in the list. */
function nameOf(rule: unknown, at: number): string {
  if (typeof rule !== 'object' || rule === null)
    throw invalidOption(`house rule ${at + 1} must be an object; got ${valueInWords(rule)}`);
  const { id } = rule as { readonly id?: unknown };
  if (typeof id !== 'string' || !HOUSE_ID.test(id))
    throw invalidOption(
      `house rule ${at + 1} has the id ${valueInWords(id)}: it must be "${HOUSE_PREFIX}", then lower-case letters, digits and hyphens`,
    );
  if (id === RESPONSE_TIME)
    throw invalidOption(`the house rule ${id} has the id of a rule that there is: --max-response-time`);
  return `the house rule ${id}`;
}

function demandOf(rule: HouseRule, time: JudgingTime): HouseDemand {
  const { id, title, why, probes, judges, sends, dependsOn, usualCause, fix, control, nothingToJudge } = rule;
  const own: readonly string[] | undefined = probes?.map(({ name }) => name);
  return {
    id,
    title,
    level: HOUSE_LEVEL,
    why: why ?? 'You demand it: the interface does not.',
    judges: judges ?? own ?? (() => true),
    ...(sends !== undefined && { sends: [...(own ?? []), ...sends] }),
    dependsOn: [...(judges === undefined ? [] : (own ?? [])), ...(dependsOn ?? [])],
    control: control ?? 'none',
    nothingToJudge: nothingToJudge ?? 'no response had anything to judge',
    ...(usualCause !== undefined && { usualCause }),
    ...(fix !== undefined && { fix }),
    judge: judgeSafely(rule, time),
  };
}
