import { type Context, createContext, Script } from 'node:vm';

/** The limit for one pattern and one text, in milliseconds. A usual pattern takes less than a thousandth of it. */
const LIMIT_MS = 100;
/** The limit for all patterns of a pact together, in milliseconds of CPU time. */
const LIMIT_FOR_ALL_MS = 1_000;
/** A text of this length or shorter is matched at once by a pattern that can hardly backtrack. */
const SHORT = 1_000;

/** Patterns that anybody may have written: some need longer than the universe will last. Matches within limits. */
export class Patterns {
  private readonly expressions = new Map<string, RegExp | undefined>();
  private readonly results = new Map<string, boolean>();
  private readonly overLimit = new Set<string>();
  private context: Context | undefined;
  private left = LIMIT_FOR_ALL_MS;

  /**
   * Whether a pattern matches a whole text, as in Pact.
   *
   * @returns true if that is unknown: JavaScript does not know the pattern, or a limit was hit
   */
  matchesWhole(pattern: string, text: string): boolean {
    if (this.overLimit.has(pattern)) return true;
    const key = JSON.stringify([pattern, text]);
    let result = this.results.get(key);
    if (result === undefined) {
      result = this.match(pattern, text);
      this.results.set(key, result);
    }
    return result;
  }

  /** Whether a limit was hit with any pattern. */
  get hasHitLimit(): boolean {
    return this.overLimit.size > 0;
  }

  /** Whether a limit was hit with a pattern, so that its results are unknown. */
  isOverLimit(pattern: string): boolean {
    return this.overLimit.has(pattern);
  }

  private match(pattern: string, text: string): boolean {
    let expression = this.expressions.get(pattern);
    if (!this.expressions.has(pattern)) {
      expression = expressionFrom(pattern);
      this.expressions.set(pattern, expression);
    }
    if (expression === undefined) return true;
    if (hardlyBacktracks(pattern) && text.length <= SHORT) return expression.test(text);
    const result = this.matchWithinLimit(expression, text);
    if (result === undefined) this.overLimit.add(pattern);
    return result ?? true;
  }

  /** V8 can end a match only from another thread. This is what the limit of `node:vm` does. */
  private matchWithinLimit(expression: RegExp, text: string): boolean | undefined {
    this.context ??= createContext({});
    Object.assign(this.context, { expression, text });
    // On a busy machine, hardly anything may have happened within the limit. Then it gets more time.
    for (let limit = LIMIT_MS; limit <= 8 * LIMIT_MS && this.left > 0; limit *= 2) {
      const before = process.cpuUsage();
      let result: boolean | undefined;
      try {
        result = MATCH.runInContext(this.context, { timeout: limit });
      } catch {
        // The limit was hit.
      }
      const { user, system } = process.cpuUsage(before);
      const used = (user + system) / 1_000;
      this.left -= used;
      if (result !== undefined || used > LIMIT_MS / 2) return result;
    }
    return undefined;
  }
}

const MATCH = new Script('expression.test(text)');

/** A pattern with so few quantifiers and alternatives takes at most the square of the length of a text. */
function hardlyBacktracks(pattern: string): boolean {
  return pattern.length <= SHORT && !/\)[*+?{]|\\[\dk]/.test(pattern) && count(pattern, /[*+?{|]/g) <= 2;
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}

/** A pattern for a whole text; `undefined` if JavaScript does not know it. */
function expressionFrom(pattern: string): RegExp | undefined {
  // Pact's patterns are Oniguruma's, which may begin with flags.
  const ignoresCase = pattern.startsWith('(?i)');
  const whole = `^(?:${ignoresCase ? pattern.slice(4) : pattern})$`;
  for (const flags of ['u', '']) {
    try {
      return new RegExp(whole, ignoresCase ? `${flags}i` : flags);
    } catch {
      // Without the flag u, JavaScript accepts more patterns.
    }
  }
  return undefined;
}

/**
 * Whether a pattern is surely not a regular expression of Oniguruma, which Pact uses: a bracket or a parenthesis without
 * its other half, nothing to repeat at the start, or nothing to escape at the end.
 */
export function isBroken(pattern: string): boolean {
  // In comments and in the extended syntax, brackets mean nothing.
  if (/\(\?#|\(\?[a-z-]*x/.test(pattern)) return false;
  let groups = 0;
  let classes = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') {
      at++;
      if (at === pattern.length) return true;
    } else if (character === '[') {
      // Whether the next bracket ends an empty class or belongs to it is not worth knowing.
      if (/^\^?\]/.test(pattern.slice(at + 1, at + 3))) return false;
      classes++;
    } else if (character === ']') classes = Math.max(0, classes - 1);
    else if (classes === 0 && character === '(') groups++;
    else if (classes === 0 && character === ')') {
      if (groups === 0) return true;
      groups--;
    }
  }
  return groups > 0 || classes > 0 || /^[*+?]/.test(pattern);
}

/** Pact keeps 300 bytes and more for each character of a pattern from which it makes a text. */
const LONGEST_PATTERN = 32_768;
/** Outside of classes: an escape, a quantifier with braces, or one character. */
const PATTERN_PART = /\\[pPuUx]\{[^}]*\}|\\.|\{[^}]*\}|./gsu;
/** Where a pattern sets no upper limit, Pact repeats this many times more than it must. */
const MORE_REPETITIONS = 20;
const MOST_REPETITIONS = 2 ** 32;

/**
 * How many characters a text has at most that Pact makes from a pattern. Its generator reads patterns as Rust's `regex` does.
 *
 * @returns infinity if this is not known: the pattern is too long, or may have comments
 */
export function longestText(pattern: string): number {
  if (pattern.length > LONGEST_PATTERN || /\(\?[a-z-]*x/i.test(pattern)) return Number.POSITIVE_INFINITY;
  const around: Group[] = [];
  let group = emptyGroup();
  for (const [part] of withoutClasses(pattern).matchAll(PATTERN_PART)) {
    if (part === '(') {
      around.push(group);
      group = emptyGroup();
    } else if (part === ')') {
      const inside = longestIn(group);
      group = around.pop() ?? emptyGroup();
      append(group, Math.max(1, inside));
    } else if (part === '|') group = { ...emptyGroup(), longest: longestIn(group) };
    else if (/^[*+?{]/.test(part)) group.last *= timesIn(part);
    else append(group, 1);
  }
  return longestIn(group);
}

/** A part of a pattern in parentheses that is being read, with lengths of what Pact makes from it. */
interface Group {
  /** Of the longest alternative before the current one. */
  readonly longest: number;
  /** Of the current alternative, without its last part. */
  length: number;
  /** Of the last part, which a quantifier may follow. */
  last: number;
}

function emptyGroup(): Group {
  return { longest: 0, length: 0, last: 0 };
}

function append(group: Group, length: number): void {
  group.length += group.last;
  group.last = length;
}

function longestIn({ longest, length, last }: Group): number {
  return Math.max(longest, length + last);
}

/** How often a quantifier repeats at most. */
function timesIn(quantifier: string): number {
  if (quantifier === '?') return 1;
  const limits = (quantifier.match(/\d+/g) ?? []).map(Number);
  const more = /^[*+]|,\s*\}$/.test(quantifier) ? MORE_REPETITIONS : 0;
  return Math.min(MOST_REPETITIONS, Math.max(1, ...limits) + more);
}

/** A pattern with one character in place of each class: classes may be in classes, and quantifiers mean nothing there. */
function withoutClasses(pattern: string): string {
  let text = '';
  let classes = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? '';
    if (character === '\\') {
      at++;
      if (classes === 0) text += character + (pattern[at] ?? '');
    } else if (character === '[') {
      if (classes === 0) text += '.';
      classes++;
      // As the first character of a class, a bracket stands for itself.
      if (pattern[at + 1] === '^') at++;
      if (pattern[at + 1] === ']') at++;
    } else if (classes === 0) text += character;
    else if (character === ']') classes--;
  }
  return text;
}
