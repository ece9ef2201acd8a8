import { limitInWords, limits } from '../../http/limits.js';
import { writeJson } from '../../validation/json.js';
import { isObject, type JsonObject, type JsonValue, objectOf } from '../../validation/json-value.js';
import { quoted } from '../../validation/violation.js';
import type { PactInteraction } from '../pact-file.js';
import { integerOf } from '../states.js';
import { isBroken, longestText } from './patterns.js';
import { isPath } from './rules.js';

interface UnusableRule {
  /** The keys that lead to it from `matchingRules`. */
  readonly path: readonly (string | number)[];
  /** A sentence without its end. */
  readonly message: string;
  /** `pact`: Pact cannot load the pact. `rule`: Pact ignores this rule, or it matches nothing. */
  readonly breaks: 'pact' | 'rule';
}

interface PlacedMatcher {
  readonly path: readonly (string | number)[];
  readonly matcher: JsonValue;
}

/**
 * The matching rules of a message that Pact cannot use. What Pact does with each was tried with Pact 16.5 (`pact-core`
 * 19.2). What only may be wrong is not reported.
 *
 * @param matchingRules as it is in the pact
 * @param hasPlugins whether the pact names plugins, which may have matchers of their own
 */
export function unusableRules(matchingRules: JsonValue | undefined, hasPlugins: boolean): UnusableRule[] {
  const { unusable, matchers } = walk(matchingRules);
  return [
    ...unusable,
    ...matchers.flatMap(({ path, matcher }) =>
      problemsOf(matcher, hasPlugins).map((problem) => ({ path, ...problem })),
    ),
  ];
}

/** The patterns in the matching rules of a message, and the keys that lead to them. */
export function patternsIn(
  matchingRules: JsonValue | undefined,
): { readonly path: readonly (string | number)[]; readonly pattern: string }[] {
  return walk(matchingRules).matchers.flatMap(({ path, matcher }) =>
    isObject(matcher) && typeof matcher.regex === 'string' ? [{ path, pattern: matcher.regex }] : [],
  );
}

interface Walked {
  readonly matchers: PlacedMatcher[];
  readonly unusable: UnusableRule[];
}

/** Finds the matchers, in the form of specification 2 or in that of 3 and 4, and what is in the wrong form. */
function walk(matchingRules: JsonValue | undefined): Walked {
  const found: Walked = { matchers: [], unusable: [] };
  // Some languages write an empty object as an empty list.
  if (matchingRules === undefined || matchingRules === null) return found;
  if (Array.isArray(matchingRules) && matchingRules.length === 0) return found;
  if (!isObject(matchingRules)) {
    found.unusable.push({ path: [], message: 'the matching rules are not an object', breaks: 'rule' });
    return found;
  }
  const entries = Object.entries(matchingRules);
  if (entries.some(([key]) => key.startsWith('$'))) {
    for (const [key, matcher] of entries) {
      checkPath(key, [key], found);
      found.matchers.push({ path: [key], matcher });
    }
    return found;
  }
  for (const [part, rules] of entries) walkPart(part, rules, found);
  return found;
}

function walkPart(part: string, rules: JsonValue, found: Walked): void {
  if (!isObject(rules)) {
    if (rules === null) return;
    const message = `the rules for ${quoted(part)} are not an object`;
    found.unusable.push({ path: [part], message, breaks: 'pact' });
  } else if ('matchers' in rules) walkRule(rules, [part], found);
  else {
    for (const [key, rule] of Object.entries(rules)) {
      if (part === 'body') checkPath(key, [part, key], found);
      walkRule(rule, [part, key], found);
    }
  }
}

function walkRule(rule: JsonValue, path: readonly string[], found: Walked): void {
  const ignored = (message: string): void => void found.unusable.push({ path, message, breaks: 'rule' });
  if (!isObject(rule)) ignored('the rule is not an object');
  else if (!('matchers' in rule)) ignored('the rule has no list "matchers"');
  else if (!Array.isArray(rule.matchers)) ignored('"matchers" is not a list');
  else
    for (const [at, matcher] of rule.matchers.entries())
      found.matchers.push({ path: [...path, 'matchers', at], matcher });
}

function checkPath(expression: string, path: readonly string[], { unusable }: Walked): void {
  if (isPath(expression)) return;
  unusable.push({ path, message: `${quoted(expression)} is not a path of Pact`, breaks: 'pact' });
}

/** The matchers that Pact knows, and the member that they need. */
const MATCHERS: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(
    [
      ...['equality', 'type', 'min', 'max', 'min-type', 'max-type', 'number', 'integer', 'decimal', 'real'],
      ...['boolean', 'null', 'date', 'time', 'timestamp', 'datetime', 'values', 'statusCode', 'status-code'],
      ...['notEmpty', 'not-empty', 'semver', 'eachKey', 'each-key', 'eachValue', 'each-value'],
    ].map((name) => [name, undefined]),
  ),
  regex: 'regex',
  include: 'value',
  contentType: 'value',
  'content-type': 'value',
  arrayContains: 'variants',
  'array-contains': 'variants',
};

/** A matcher with one of these needs no name. */
const IMPLYING = ['regex', 'min', 'max', 'timestamp', 'datetime', 'date', 'time'];

const STATUS_CLASSES = /^(?:info|success|redirect|clientError|serverError|nonError|error)$/;

type Problem = Omit<UnusableRule, 'path'>;

function problemsOf(matcher: JsonValue, hasPlugins: boolean): Problem[] {
  const pact = (message: string): Problem[] => [{ message, breaks: 'pact' }];
  if (!isObject(matcher)) return pact('the matcher is not an object');
  const { match, regex, status } = matcher;
  if (match === undefined && IMPLYING.some((key) => key in matcher)) return brokenPattern(regex);
  if (match === undefined) return pact('the matcher has no "match"');
  if (typeof match !== 'string') return pact('"match" is not a string');
  if (!Object.hasOwn(MATCHERS, match)) return hasPlugins ? [] : pact(`Pact has no matcher ${quoted(match)}`);
  const needed = MATCHERS[match];
  if (needed !== undefined && !(needed in matcher))
    return pact(`the matcher ${quoted(match)} has no ${quoted(needed)}`);
  if (match === 'regex') return brokenPattern(regex);
  if (/^status-?code$/i.test(match) && status !== undefined && !isStatuses(status))
    return pact('"status" is neither a list nor a class of statuses');
  return /^each-?(?:key|value)$/i.test(match) ? nested(matcher, hasPlugins) : [];
}

function isStatuses(status: JsonValue): boolean {
  return Array.isArray(status) || (typeof status === 'string' && STATUS_CLASSES.test(status));
}

function nested({ rules }: JsonObject, hasPlugins: boolean): Problem[] {
  return Array.isArray(rules) ? rules.flatMap((rule) => problemsOf(rule, hasPlugins)) : [];
}

function brokenPattern(regex: JsonValue | undefined): Problem[] {
  if (typeof regex !== 'string' || !isBroken(regex)) return [];
  return [{ message: `the pattern ${quoted(regex)} is not a regular expression`, breaks: 'rule' }];
}

/** A generator of a request that Pact cannot use. With it, Pact would verify nothing of the whole pact. */
interface UnusableGenerator {
  readonly part: 'generators' | 'matchingRules';
  /** The keys that lead to it from that part of the request. */
  readonly path: readonly (string | number)[];
  /** A sentence without its end. */
  readonly message: string;
}

interface PlacedGenerator extends Pick<UnusableGenerator, 'part' | 'path'> {
  readonly generator: JsonObject;
  /** Whether it may make several values. */
  readonly repeats: boolean;
}

/**
 * The first generator of a request that Pact cannot use: it makes more than a body may have, or Pact ends without a result.
 * Pact makes the whole request in memory before it sends anything. It does not use the generators of a response.
 */
export function unusableGenerator({ raw, request, states }: PactInteraction): UnusableGenerator | undefined {
  const { body } = request;
  // A state gives its parameters to the generators.
  const given = states.reduce((sum, { params }) => sum + writeJson(params).length, 0);
  const values = mostValuesIn(body?.text ?? '');
  let total = 0;
  for (const one of generatorsIn(objectOf(raw.request), body?.value !== undefined)) {
    const { part, path, generator, repeats } = one;
    const message = emptyRangeIn(generator);
    if (message !== undefined) return { part, path, message };
    total += longestFrom(generator, given) * (repeats ? values : 1);
    if (total > limits.body) {
      const limit = limitInWords(limits.body);
      return { part, path, message: `with its value, the request may be longer than ${limit}` };
    }
  }
  return undefined;
}

/** The generators of a request; also those of the matcher `arrayContains`, which Pact uses for each item that matches. */
function* generatorsIn(
  { generators, matchingRules }: JsonObject,
  isJson: boolean,
): Iterable<PlacedGenerator> {
  for (const [name, entry] of Object.entries(objectOf(generators))) {
    const inPart = objectOf(entry);
    // The path of the URL has one generator. The other parts have several, by their keys.
    if (typeof inPart.type === 'string')
      yield { part: 'generators', path: [name], generator: inPart, repeats: false };
    for (const [key, generator] of Object.entries(inPart)) {
      // In XML and in forms, any path may lead to several values.
      const repeats = name.toLowerCase() === 'body' && (!isJson || key.includes('*'));
      yield { part: 'generators', path: [name, key], generator: objectOf(generator), repeats };
    }
  }
  for (const { path, matcher } of walk(matchingRules).matchers) {
    const { variants } = isObject(matcher) ? matcher : {};
    for (const [at, variant] of (Array.isArray(variants) ? variants : []).entries())
      for (const [key, generator] of Object.entries(objectOf(objectOf(variant).generators))) {
        const inVariant = [...path, 'variants', at, 'generators', key];
        yield { part: 'matchingRules', path: inVariant, generator: objectOf(generator), repeats: true };
      }
  }
}

/** How many values there are at most in JSON, in XML or in a form. */
function mostValuesIn(text: string): number {
  let values = 1;
  for (const character of text) if ('{[,<&'.includes(character)) values++;
  return values;
}

/** What Pact writes for a short value: a UUID, a number, a date. */
const SHORT_VALUE = 64;
/** What Pact writes at most for one letter of a date format, such as the name of a day. */
const LONGEST_DATE_PART = 16;

/**
 * How many characters a generator makes at most.
 *
 * @param given how many characters the parameters of the states have
 */
function longestFrom({ type, regex, expression, format, size, digits }: JsonObject, given: number): number {
  switch (type) {
    case 'Regex':
      return longestText(textOf(regex));
    case 'ProviderState': {
      const text = textOf(expression);
      return text.length + (text.split('${').length - 1 || 1) * given;
    }
    case 'RandomString':
    case 'RandomDecimal':
    case 'RandomHexadecimal':
      // Pact keeps 16 bits of the number. It makes 10 characters if it is none.
      return (
        SHORT_VALUE + Number(BigInt.asUintN(16, integerOf(type === 'RandomString' ? size : digits) ?? 10n))
      );
    default:
      return SHORT_VALUE + LONGEST_DATE_PART * textOf(format).length;
  }
}

/** Pact takes another value than a string for its JSON. */
function textOf(value: JsonValue = ''): string {
  return typeof value === 'string' ? value : writeJson(value);
}

const LARGEST_INT32 = 2n ** 31n - 1n;

/** Pact panics if a range has no number. It keeps 32 bits of the ends. */
function emptyRangeIn({ type, min, max }: JsonObject): string | undefined {
  if (type !== 'RandomInt') return undefined;
  const [from, to] = [integerOf(min) ?? 0n, integerOf(max) ?? 10n];
  const [kept, last] = [BigInt.asIntN(32, from), BigInt.asIntN(32, to)];
  if (kept <= last && kept < LARGEST_INT32) return undefined;
  return `Pact cannot make an integer from ${from} to ${to}, of which it keeps 32 bits`;
}
