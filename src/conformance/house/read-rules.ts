import { definedOnly } from '../../defined-only.js';
import { isSendable } from '../../http/fields.js';
import { HOUSE_LEVEL } from '../../report/conclusion.js';
import { didYouMean } from '../../suggestion.js';
import { invalidOption, ToolkitError } from '../../toolkit-error.js';
import { type Exchange, isUnprocessed, type ProbeRequest } from '../exchange.js';
import { HOUSE_PREFIX, type HouseId, type Probe, type ProbeValues } from '../probe.js';
import type { HouseDemand } from '../rule.js';
import { OVERSIZED } from '../rules/exchanges.js';
import { probes as probesOfInterface } from '../topics/index.js';
import type { HouseProbe, HouseRule } from './house-rule.js';
import { JudgingTime, judgeSafely, TookTooLong, valueInWords, withinTime } from './judge-safely.js';

/** What the id of a house rule, or the name of its probe, may be. */
const HOUSE_ID = /^house\/[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The id of the rule that `maxResponseTimeMs` adds. The interface says nothing about times. */
const RESPONSE_TIME: HouseId = 'house/max-response-time';

/** House rules that were checked, and their probes. */
export interface HouseRules {
  readonly rules: readonly HouseDemand[];
  readonly probes: readonly Probe<HouseId>[];
}

/** The members of a house rule, and what each of them is. */
const OF_RULE: Members<HouseRule> = {
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
    checkMembers(rule, OF_RULE, name);
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
    ...definedOnly({ usualCause, fix }),
    judge: judgeSafely(rule, time),
  };
}

/** How long the requests of a probe may take to make, in milliseconds, and how many it may have. */
const MAKING_MS = 1_000;
const MOST_REQUESTS = 50;

const isExpectation = isOneOf('created', 'rejected', 'open');

const OF_PROBE: Members<HouseProbe> = {
  name: isText,
  title: isText,
  expectation: isOptional(isExpectation),
  phase: isOptional(isOneOf('house', 'wrong-token')),
  control: isOptional(
    isOneOf('plain-plant', 'plain-plant-with-tag', 'id-near-upper-end', 'id-near-lower-end'),
  ),
  together: isOptional(isFlag),
  alone: isOptional(isFlag),
  oneConnection: isOptional(isFlag),
  requests: isFunction,
};

/**
 * Checks a probe of house rules, and fills in the defaults.
 *
 * @param place how an error names it before its name is known
 * @throws ToolkitError `invalid-option`; so does the probe that it returns, if its requests cannot be made or sent
 */
function readProbe(given: HouseProbe, place: string): Probe<HouseId> {
  if (typeof given !== 'object' || given === null)
    throw invalidOption(`${place} must be an object; got ${valueInWords(given)}`);
  const { name } = given;
  if (typeof name !== 'string' || !HOUSE_ID.test(name))
    throw invalidOption(
      `${place} has the name ${valueInWords(name)}: it must be "${HOUSE_PREFIX}", then lower-case letters, digits and hyphens`,
    );
  checkMembers(given, OF_PROBE, `the probe ${name}`);
  const { title, expectation = 'open', phase = 'house', control, together, alone, oneConnection } = given;
  return {
    ...definedOnly({ name, title, expectation, phase, control, together, alone, oneConnection }),
    requests: (values) => requestsOf(given, values),
  };
}

function isFlag(value: unknown): boolean {
  return typeof value === 'boolean';
}

function requestsOf(probe: HouseProbe, values: ProbeValues): readonly ProbeRequest[] {
  const wrong = (why: string): ToolkitError => invalidOption(`the probe ${probe.name} ${why}`);
  let made: unknown;
  try {
    made = withinTime(MAKING_MS, () => probe.requests(values));
  } catch (cause) {
    if (cause instanceof ToolkitError) throw wrong(`cannot make its requests: ${cause.message}`);
    throw cause instanceof TookTooLong
      ? wrong(`takes longer than ${MAKING_MS} ms to make its requests`)
      : wrong(`throws when it makes its requests: ${valueInWords(cause)}`);
  }
  if (!Array.isArray(made)) throw wrong(`must return a list of requests; it returns ${valueInWords(made)}`);
  if (made.length > MOST_REQUESTS)
    throw wrong(`has ${made.length} requests; a probe may have ${MOST_REQUESTS}`);
  for (const [at, request] of made.entries())
    checkRequest(request, `request ${at + 1} of the probe ${probe.name}`);
  return made;
}

/** What a request may have. What Node cannot send would end the check. */
const OF_REQUEST: Members<ProbeRequest> = {
  headers: (value) => Array.isArray(value) && value.every(isField),
  body: (value) => value instanceof Uint8Array,
  plant: isOptional(isObject),
  id: isOptional((value) => typeof value === 'bigint' || Number.isSafeInteger(value)),
  expectation: isOptional(isExpectation),
  idMayExist: isOptional(isFlag),
  query: isOptional((value) => /^\?[!-~]*$/.test(String(value))),
  otherOperation: isOptional(
    (value) =>
      isObject(value) && /^[A-Z]+$/.test(String(value.method)) && /^\/[!-~]*$/.test(String(value.path)),
  ),
  isUnusual: isOptional(isFlag),
  chunked: isOptional(isFlag),
  withoutUserAgent: isOptional(isFlag),
  transfer: isOptional(isObject),
  shell: isOptional(isObject),
  secrets: isOptional(Array.isArray),
};

function checkRequest(request: unknown, name: string): void {
  if (!isObject(request)) throw invalidOption(`${name} must be an object; got ${valueInWords(request)}`);
  checkMembers(request, OF_REQUEST, name);
}

function isField(field: unknown): boolean {
  if (!Array.isArray(field) || field.length !== 2) return false;
  const [name, value]: readonly unknown[] = field;
  return typeof name === 'string' && typeof value === 'string' && isSendable(name, value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The members of an object, and what each of them must be. */
type Members<T> = Readonly<Record<keyof T & string, (value: unknown) => boolean>>;

/**
 * Checks an object that may come from a module without types.
 *
 * @param name how an error names the object: "the house rule house/date"
 * @throws ToolkitError `invalid-option` if a member is missing or wrong, or there is no such member
 */
function checkMembers<T>(value: object, members: Members<T>, name: string): void {
  const given = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(given).find((member) => !Object.hasOwn(members, member));
  if (unknown !== undefined)
    throw invalidOption(
      `${name} has the unknown member ${JSON.stringify(unknown)}${didYouMean(unknown, Object.keys(members))}`,
    );
  for (const [member, isRight] of Object.entries<(value: unknown) => boolean>(members)) {
    const own = given[member];
    if (isRight(own)) continue;
    throw invalidOption(
      own === undefined
        ? `${name} has no "${member}"`
        : `${name} has a wrong "${member}": ${valueInWords(own)}`,
    );
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isOneOf(...words: readonly string[]): (value: unknown) => boolean {
  return (value) => words.some((word) => word === value);
}

function isOptional(isRight: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => value === undefined || isRight(value);
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

/**
 * The house rule that `maxResponseTimeMs` adds. It judges a request that gets no response in time too, which rules of a module
 * do not.
 *
 * @param limitMs the longest time that a response may take
 */
export function responseTimeRule(limitMs: number): HouseDemand {
  return {
    id: RESPONSE_TIME,
    title: `No response takes longer than ${limitMs} ms.`,
    level: HOUSE_LEVEL,
    why: 'You demand it: the interface says nothing about times.',
    fix: 'Find out what these requests wait for, or allow more time: --max-response-time. With --rate 10, few requests wait for another.',
    judges: () => true,
    control: 'none',
    nothingToJudge: 'no response has a time',
    onNoResponse: 'judge',
    everyAttempt: true,
    judge(exchange) {
      if (!isTimed(exchange)) return 'nothing-to-judge';
      const { durationMs, response } = exchange;
      if (durationMs <= limitMs) return undefined;
      const time = `${Math.ceil(durationMs)} ms`;
      return {
        expected: `a response within ${limitMs} ms`,
        actual: response === undefined ? `none after ${time}` : time,
      };
    },
  };
}

/** What takes long to send says nothing about the provider: a long body, or a message that goes out in pieces. */
function isTimed(exchange: Exchange): boolean {
  const { request, response, failure } = exchange;
  if (request.transfer !== undefined || request.body.length > OVERSIZED) return false;
  return response === undefined ? failure?.kind === 'timeout' : !isUnprocessed(exchange);
}
