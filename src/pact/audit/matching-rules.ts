import type { JsonObject, JsonValue } from '../../validation/json-value.js';
import { isObject } from '../pact-file.js';
import type { Matcher, Rules } from './matchers.js';

/**
 * The matching rules for a field of the body, those for what is around it included: the rules with the heaviest
 * path count, as in Pact itself (specification 3, "Matching rules").
 *
 * @param matchingRules of a message, in the writing of specification 2 (`$.body.name`) or of 3 and 4 (`body: $.name`)
 * @returns `undefined` where the value has to be equal
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

/** The matching rules for a header, in any writing; `undefined` where it has to be equal. */
export function rulesForHeader(matchingRules: JsonObject, name: string): Rules | undefined {
  const { header, headers } = matchingRules;
  const entries = [
    ...Object.entries(isObject(header) ? header : {}),
    ...Object.entries(isObject(headers) ? headers : {}),
    ...versionTwo(matchingRules, /^\$\.headers?(?=[.[])/).map(
      ([expression, entry]) => [pathOf(expression)?.[0] ?? '', entry] as const,
    ),
  ];
  return rulesFrom(entries.find(([key]) => key.toLowerCase() === name)?.[1]);
}

/** The matching rules for the status; `undefined` where it has to be equal. */
export function rulesForStatus({ status, '$.status': old }: JsonObject): Rules | undefined {
  return rulesFrom((isObject(status) ? status.$ : undefined) ?? status ?? old);
}

function bodyRules(matchingRules: JsonObject): readonly (readonly [string, JsonValue])[] {
  const { body } = matchingRules;
  return [
    ...Object.entries(isObject(body) ? body : {}),
    ...versionTwo(matchingRules, /^\$\.body(?=[.[]|$)/).map(
      ([expression, entry]) => [`$${expression}`, entry] as const,
    ),
  ];
}

/** The rules whose paths begin with a part of a message, as in specification 2, without that beginning. */
function versionTwo(matchingRules: JsonObject, beginning: RegExp): readonly (readonly [string, JsonValue])[] {
  return Object.entries(matchingRules)
    .filter(([path]) => beginning.test(path))
    .map(([path, entry]) => [path.replace(beginning, ''), entry] as const);
}

/** One matcher, or a list of them that is combined. */
function rulesFrom(entry: JsonValue | undefined): Rules | undefined {
  if (!isObject(entry)) return undefined;
  const { matchers, combine } = entry;
  if (!Array.isArray(matchers)) return { combine: 'AND', matchers: [matcherFrom(entry)] };
  const found = matchers.filter(isObject).map(matcherFrom);
  if (found.length === 0) return undefined;
  return { combine: combine === 'OR' ? 'OR' : 'AND', matchers: found };
}

/** `{ regex }` and `{ min }` say what they are without `match`. */
function matcherFrom(entry: JsonObject): Matcher {
  const { match, regex, value, status } = entry;
  const name = typeof match === 'string' ? match : regex === undefined ? 'type' : 'regex';
  return { match: name, regex, value, status };
}

/**
 * How much a rule for a path weighs for a field: 0 where it is about something else. A name weighs more than a star,
 * a longer path more than a shorter one. A path that cannot be read may be about anything, and weighs least.
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

/** The steps of a path expression behind its `$`; `undefined` where it is none that is known. */
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
