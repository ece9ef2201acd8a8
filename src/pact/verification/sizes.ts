import { isObject, JsonNumber, type JsonValue, objectOf } from '../../validation/json-value.js';
import type { Pact } from '../pact-file.js';

/** More than any matcher or generator of a plant needs. Pact makes and keeps in memory whatever a pact asks for. */
const MOST_CHARACTERS = 10_000;

/** How often Pact repeats at most where a pattern sets no upper limit. */
const UNLIMITED = 20;

/** Why Pact may not load a pact: one of its matchers or generators asks for too much. A sentence without its end. */
export function sizeProblem({ interactions }: Pact): string | undefined {
  const tooLarge = interactions.find(({ raw }) =>
    [objectOf(raw.request), objectOf(raw.response)].some(
      ({ matchingRules, generators }) => asksFor([matchingRules ?? {}, generators ?? {}]) > MOST_CHARACTERS,
    ),
  );
  return (
    tooLarge &&
    `a matcher or generator of ${JSON.stringify(tooLarge.description)} asks for more than ${MOST_CHARACTERS} characters`
  );
}

/** The most characters that one value asks for: a text or a pattern by its length, a generator by its size. */
function asksFor(value: JsonValue, key = ''): number {
  if (typeof value === 'string') return Math.max(value.length, key === 'regex' ? longestText(value) : 0);
  if (Array.isArray(value) || isObject(value))
    return Object.entries(value).reduce((most, [name, one]) => Math.max(most, asksFor(one, name)), 0);
  const isNumber = typeof value === 'number' || typeof value === 'bigint' || value instanceof JsonNumber;
  return isNumber && /^(?:size|digits)$/.test(key) ? Number(String(value)) : 0;
}

/** About how many characters a text has at most that matches a pattern: alternatives count together. */
function longestText(pattern: string): number {
  // With the flag x, a number may have spaces: a{1 000}.
  const plain = pattern
    .replace(/\\./gs, '.')
    .replace(/\[[^\]]*\]/g, '.')
    .replace(/\{[^}]*\}/g, (times) => times.replace(/\s/g, ''));
  const around: number[] = [];
  let [length, last] = [0, 0];
  for (const [token, from, to] of plain.matchAll(/\{(\d+)(?:,(\d*))?\}|./gs)) {
    if (from !== undefined) last *= Number(to || from);
    else if (token === '*' || token === '+') last *= UNLIMITED;
    else if (token === ')') [length, last] = [around.pop() ?? 0, Math.max(1, length + last)];
    else if (token === '(') {
      around.push(length + last);
      [length, last] = [0, 0];
    } else [length, last] = [length + last, 1];
  }
  return length + last;
}
