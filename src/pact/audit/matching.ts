import { runInNewContext } from 'node:vm';
import type { JsonValue } from '../../validation/json-value.js';
import type { MatchingRule } from '../pacts.js';

/** A value that a provider may send. */
export type Sample = string | number;

/**
 * The first value of some that a matching rule rejects. What cannot be tried is accepted: a matcher that is unknown here, or a
 * pattern that JavaScript cannot read or that takes too long.
 *
 * @param example the value in the pact
 */
export function rejectedBy(
  { matchers, isAny }: MatchingRule,
  samples: readonly Sample[],
  example: JsonValue | undefined,
): Sample | undefined {
  const accepts = (sample: Sample): boolean =>
    isAny
      ? matchers.some((matcher) => isAccepted(matcher, sample, example))
      : matchers.every((matcher) => isAccepted(matcher, sample, example));
  return samples.find((sample) => !accepts(sample));
}

function isAccepted(
  { match, regex, value }: MatchingRule['matchers'][number],
  sample: Sample,
  example: JsonValue | undefined,
): boolean {
  const isPattern = match === 'regex' || (match === undefined && typeof regex === 'string');
  if (isPattern) return typeof regex !== 'string' || matches(regex, String(sample));
  switch (match) {
    case 'equality':
      return sample === (typeof example === 'bigint' ? Number(example) : example);
    case 'include':
      return String(sample).includes(String(value));
    case 'integer':
    case 'number':
      return typeof sample === 'number';
    case 'decimal':
      // A number without a point is none.
      return false;
    case 'boolean':
    case 'null':
    case 'date':
    case 'time':
    case 'timestamp':
    case 'datetime':
    case 'semver':
      return false;
    default:
      return true;
  }
}

/** How long all patterns of an audit may take, and one of them, in milliseconds. */
const ALL_MS = 1_000;
const ONE_MS = 100;
let usedMs = 0;

/** Call it when an audit begins: its patterns have their own time. */
export function beginPatterns(): void {
  usedMs = 0;
}

/** Whether a pattern matches a whole text. Pact reads it as Rust does: it may begin with flags. */
function matches(pattern: string, text: string): boolean {
  const [, flags = '', rest = pattern] = /^\(\?([imsu]+)\)(.*)$/s.exec(pattern) ?? [];
  if (usedMs > ALL_MS) return true;
  const start = performance.now();
  try {
    // A pattern may take for ever, and nothing else stops it.
    const found: unknown = runInNewContext(
      'new RegExp(source, flags).test(text)',
      { source: `^(?:${rest})$`, flags: [...new Set(`${flags}u`)].join(''), text },
      { timeout: ONE_MS },
    );
    return found === true;
  } catch {
    return true;
  } finally {
    usedMs += performance.now() - start;
  }
}
