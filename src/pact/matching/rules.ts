import {
  isObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  objectOf,
} from '../../validation/json-value.js';
import type { PactMessage } from '../pact-file.js';
import type { Patterns } from './patterns.js';

/** One matcher of a matching rule: `{ match: 'regex', regex: … }`. */
type Matcher = JsonObject & { readonly match: string };

/** The matchers for one value. */
export interface Rules {
  readonly combine: 'AND' | 'OR';
  readonly matchers: readonly Matcher[];
  readonly patterns: Patterns;
}

/** What decides about the rules of a message. */
type RuledMessage = Pick<PactMessage, 'matchingRules' | 'patterns'>;

/**
 * The matching rules for a field of the body. Rules for the values around it count too. As in Pact, the rules with the
 * heaviest path win (specification 3, "Matching rules").
 *
 * @param message with rules in the form of specification 2 (`$.body.name`) or of 3 and 4 (`body: $.name`)
 * @returns `undefined` if the value must be equal
 */
export function rulesForField({ matchingRules, patterns }: RuledMessage, field: string): Rules | undefined {
  let best: Rules | undefined;
  let most = 0;
  for (const [expression, entry] of bodyRules(matchingRules)) {
    const rules = rulesFrom(entry, patterns);
    const weight = weightOf(expression, field);
    if (rules === undefined || weight === 0 || weight < most) continue;
    best = rules;
    most = weight;
  }
  return best;
}

/** The matching rules for a header, in any form; `undefined` if it must be equal. */
export function rulesForHeader({ matchingRules, patterns }: RuledMessage, name: string): Rules | undefined {
  const { header, headers } = matchingRules;
  const entries = [
    ...Object.entries(objectOf(header)),
    ...Object.entries(objectOf(headers)),
    ...versionTwo(matchingRules, /^\$\.headers?(?=[.[])/).map(
      ([expression, entry]) => [stepsOf(expression)?.[0] ?? '', entry] as const,
    ),
  ];
  return rulesFrom(entries.find(([key]) => key.toLowerCase() === name)?.[1], patterns);
}

/** The matching rules for the status; `undefined` if it must be equal. */
export function rulesForStatus({ matchingRules, patterns }: RuledMessage): Rules | undefined {
  const { status, '$.status': old } = matchingRules;
  return rulesFrom((isObject(status) ? status.$ : undefined) ?? status ?? old, patterns);
}

function bodyRules(matchingRules: JsonObject): readonly (readonly [string, JsonValue])[] {
  const { body } = matchingRules;
  return [
    ...Object.entries(objectOf(body)),
    ...versionTwo(matchingRules, /^\$\.body(?=[.[]|$)/).map(
      ([expression, entry]) => [`$${expression}`, entry] as const,
    ),
  ];
}

/** In specification 2, the path of a rule begins with the part of the message. Returns these rules without it. */
function versionTwo(matchingRules: JsonObject, beginning: RegExp): readonly (readonly [string, JsonValue])[] {
  return Object.entries(matchingRules)
    .filter(([path]) => beginning.test(path))
    .map(([path, entry]) => [path.replace(beginning, ''), entry] as const);
}

/** One matcher, or a list of matchers. */
function rulesFrom(entry: JsonValue | undefined, patterns: Patterns): Rules | undefined {
  if (!isObject(entry)) return undefined;
  const { matchers = [entry], combine } = entry;
  // Pact ignores what is not a list.
  const found = Array.isArray(matchers) ? matchers.filter(isObject).map(matcherFrom) : [];
  if (found.length === 0) return undefined;
  return { combine: combine === 'OR' ? 'OR' : 'AND', matchers: found, patterns };
}

/** `{ regex }` and `{ min }` are valid without `match`. */
function matcherFrom(entry: JsonObject): Matcher {
  const { match, regex } = entry;
  return { ...entry, match: typeof match === 'string' ? match : regex === undefined ? 'type' : 'regex' };
}

/**
 * The weight of a rule for a field: 0 if its path is about something else. A name weighs more than a star, and a longer
 * path more than a shorter one. An unknown form of a path may be about anything and weighs least.
 */
function weightOf(expression: string, field: string): number {
  const path = expression.startsWith('$') ? stepsOf(expression.slice(1)) : undefined;
  if (path === undefined) return 0.5;
  const [first, ...deeper] = path;
  if (first === undefined) return 1;
  if (deeper.length > 0) return 0;
  if (first === field) return 3;
  return first === '*' ? 2 : 0;
}

/**
 * Whether a value from a provider satisfies the rules, as Pact's verifier decides it.
 *
 * @param rules `undefined` if none apply, so that the value must be equal to the example
 * @param actual a string or a number
 * @param example the value in the pact
 */
export function satisfies(rules: Rules | undefined, actual: string | number, example: JsonValue): boolean {
  if (rules === undefined) return actual === example;
  const accepts = (matcher: Matcher): boolean => acceptsValue(matcher, actual, example, rules.patterns);
  return rules.combine === 'OR' ? rules.matchers.some(accepts) : rules.matchers.every(accepts);
}

/** Whether only an equal value satisfies the rules. */
export function demandEquality(rules: Rules | undefined): boolean {
  return rules === undefined || rules.matchers.some(({ match }) => match === 'equality');
}

/** The status classes of V4: the first status, and the one after the last. */
const CLASSES: Readonly<Record<string, readonly [from: number, to: number]>> = {
  info: [100, 200],
  success: [200, 300],
  redirect: [300, 400],
  clientError: [400, 500],
  serverError: [500, 600],
  nonError: [100, 400],
  error: [400, 600],
};

function acceptsValue(
  { match, regex, value, status }: Matcher,
  actual: string | number,
  example: JsonValue,
  patterns: Patterns,
): boolean {
  switch (match) {
    case 'equality':
      return actual === example;
    case 'statusCode': {
      if (Array.isArray(status)) return status.includes(actual);
      // An unknown class may accept anything.
      const name = String(status);
      const [from, to] = (Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined) ?? [100, 600];
      return Number(actual) >= from && Number(actual) < to;
    }
    case 'type':
      return typeof actual === 'number' ? isNumber(example) : typeof example === 'string';
    case 'regex':
      return typeof regex !== 'string' || patterns.matchesWhole(regex, String(actual));
    case 'include':
      return typeof value !== 'string' || String(actual).includes(value);
    case 'number':
    case 'integer':
      return typeof actual === 'number';
    case 'decimal':
      return typeof actual === 'number' && !Number.isInteger(actual);
    case 'boolean':
      return actual === 'true' || actual === 'false';
    case 'null':
      return false;
    case 'notEmpty':
      return actual !== '';
    case 'date':
    case 'time':
    case 'timestamp':
    case 'datetime':
    case 'semver':
      return /\d/.test(String(actual));
    default:
      // A matcher of a plugin may accept anything.
      return true;
  }
}

function isNumber(value: JsonValue): boolean {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof JsonNumber;
}

const STEP = /\.([^.[\]]+)|\[(?:'([^']*)'|"([^"]*)"|(\d+|\*))\]/y;

/** The steps of a path expression after its `$`; `undefined` if its form is unknown. */
function stepsOf(expression: string): readonly string[] | undefined {
  const steps: string[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < expression.length) {
    const step = STEP.exec(expression);
    if (step === null) return undefined;
    steps.push(step[1] ?? step[2] ?? step[3] ?? step[4] ?? '');
  }
  return steps;
}

/** What Pact's verifier accepts as a path: tried with Pact 16.5 (`pact-core` 19.2). */
const PATH =
  /^(?:\$|[\p{Alphabetic}\p{N}][\p{Alphabetic}\p{N}_:#@-]*)?(?:\.(?:\*|[\p{Alphabetic}\p{N}_:#@-]+)|\[(?:'[^']+'|\d+|\*)\])*$/u;

/** Whether Pact can read a path expression. If not, it cannot load the pact. */
export function isPath(expression: string): boolean {
  return expression === '' || (PATH.test(expression) && !/^[.[]/.test(expression));
}
