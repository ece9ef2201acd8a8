import {
  isObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  objectOf,
} from '../../validation/json-value.js';
import type { PactMessage } from '../pact-file.js';

/** One matcher of a matching rule: `{ match: 'regex', regex: … }`. */
type Matcher = JsonObject & { readonly match: string };

/** The matchers for one value. */
export interface Rules {
  readonly combine: 'AND' | 'OR';
  readonly matchers: readonly Matcher[];
}

/**
 * The matching rules for a field of the body. Rules for the values around it count too. As in Pact, the rules with the
 * heaviest path win (specification 3, "Matching rules").
 *
 * @param matchingRules of a message, in the form of specification 2 (`$.body.name`) or of 3 and 4 (`body: $.name`)
 * @returns `undefined` if the value must be equal
 */
export function rulesForField(matchingRules: JsonObject, field: string): Rules | undefined {
  let best: Rules | undefined;
  let most = 0;
  for (const [expression, entry] of bodyRules(matchingRules)) {
    const rules = rulesFrom(entry);
    const weight = weightOf(expression, field);
    if (rules === undefined || weight === 0 || weight < most) continue;
    best = rules;
    most = weight;
  }
  return best;
}

/** The matching rules for a header, in any form; `undefined` if it must be equal. */
export function rulesForHeader(matchingRules: JsonObject, name: string): Rules | undefined {
  const { header, headers } = matchingRules;
  const entries = [
    ...Object.entries(objectOf(header)),
    ...Object.entries(objectOf(headers)),
    ...versionTwo(matchingRules, /^\$\.headers?(?=[.[])/).map(
      ([expression, entry]) => [pathOf(expression)?.[0] ?? '', entry] as const,
    ),
  ];
  return rulesFrom(entries.find(([key]) => key.toLowerCase() === name)?.[1]);
}

/** The matching rules for the status; `undefined` if it must be equal. */
export function rulesForStatus({ status, '$.status': old }: JsonObject): Rules | undefined {
  return rulesFrom((isObject(status) ? status.$ : undefined) ?? status ?? old);
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
function rulesFrom(entry: JsonValue | undefined): Rules | undefined {
  if (!isObject(entry)) return undefined;
  const { matchers, combine } = entry;
  if (!Array.isArray(matchers)) return { combine: 'AND', matchers: [matcherFrom(entry)] };
  const found = matchers.filter(isObject).map(matcherFrom);
  if (found.length === 0) return undefined;
  return { combine: combine === 'OR' ? 'OR' : 'AND', matchers: found };
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
  const path = expression.startsWith('$') ? pathOf(expression.slice(1)) : undefined;
  if (path === undefined) return 0.5;
  const [first, ...deeper] = path;
  if (first === undefined) return 1;
  if (deeper.length > 0) return 0;
  if (first === field) return 3;
  return first === '*' ? 2 : 0;
}

const STEP = /\.([^.[\]]+)|\[(?:'([^']*)'|"([^"]*)"|(\d+|\*))\]/y;

/** The steps of a path expression after its `$`; `undefined` if its form is unknown. */
function pathOf(expression: string): readonly string[] | undefined {
  const steps: string[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < expression.length) {
    const step = STEP.exec(expression);
    if (step === null) return undefined;
    steps.push(step[1] ?? step[2] ?? step[3] ?? step[4] ?? '');
  }
  return steps;
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
  const accepts = (matcher: Matcher): boolean => acceptsValue(matcher, actual, example);
  return rules.combine === 'OR' ? rules.matchers.some(accepts) : rules.matchers.every(accepts);
}

/** Whether only an equal value satisfies the rules. */
export function demandEquality(rules: Rules | undefined): boolean {
  return rules === undefined || rules.matchers.some(({ match }) => match === 'equality');
}

/** Whether a pattern matches a whole text, as in Pact. A pattern that JavaScript does not know may match anything. */
function wholeMatch(pattern: JsonValue | undefined, text: string): boolean {
  if (typeof pattern !== 'string') return true;
  // Pact's patterns are Rust's, which begin with their flags.
  const ignoresCase = pattern.startsWith('(?i)');
  const whole = `^(?:${ignoresCase ? pattern.slice(4) : pattern})$`;
  for (const flags of ['u', '']) {
    try {
      return new RegExp(whole, ignoresCase ? `${flags}i` : flags).test(text);
    } catch {
      // Without the flag u, JavaScript accepts more patterns.
    }
  }
  return true;
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
): boolean {
  switch (match) {
    case 'equality':
      return actual === example;
    case 'statusCode': {
      if (Array.isArray(status)) return status.includes(actual);
      // An unknown class may accept anything.
      const [from, to] = CLASSES[String(status)] ?? [100, 600];
      return Number(actual) >= from && Number(actual) < to;
    }
    case 'type':
      return typeof actual === 'number' ? isNumber(example) : typeof example === 'string';
    case 'regex':
      return wholeMatch(regex, String(actual));
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

/**
 * Whether a generator replaces a value when the pact is used, so that the value in the pact does not matter. A
 * generator for a part of a value counts as one for the whole value.
 *
 * @param field a field of the body, a header in lower case, or a parameter
 */
export function isGenerated(
  { generators }: PactMessage,
  part: 'body' | 'header' | 'query',
  field: string,
): boolean {
  return Object.keys(objectOf(generators[part])).some((path) => {
    const names = path.replace(/^\$/, '').match(/[^.[\]'"]+/g) ?? [];
    return names.length === 0 || names[0] === '*' || names[0]?.toLowerCase() === field.toLowerCase();
  });
}
