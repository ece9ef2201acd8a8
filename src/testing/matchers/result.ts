import { visibleInLine } from '../../report/escape.js';
import { JsonNumber, keysIn } from '../../validation/json-value.js';
import { readBody } from '../../validation/message.js';
import { plantFields } from '../../validation/schema.generated.js';
import { quoted, type Violation } from '../../validation/violation.js';

/** What Vitest, Jest and others expect from a matcher. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
  /** The two sides of a diff. */
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/** What a runner passes as `this` to a matcher. Every member may be missing. */
export interface MatcherContext {
  readonly isNot?: boolean;
  readonly utils?: { readonly diff?: (expected: never, actual: never) => string | null | undefined };
}

/** What was judged, as the diff shows it. */
export interface Subject {
  readonly status?: number;
  readonly contentType: readonly string[];
  readonly body: unknown;
}

/** What cannot be judged is neither right nor wrong: the assertion fails, with `.not` as well. */
export function unreadable(context: MatcherContext, wanted: string, problem: string): MatcherResult {
  return {
    pass: context.isNot === true,
    message: () => visibleInLine(`this cannot be judged as ${wanted}: ${problem}`),
  };
}

/**
 * The result for something that was judged.
 *
 * @param wanted what is expected: "a Plant"
 */
export function judged(
  context: MatcherContext,
  wanted: string,
  subject: Subject,
  violations: readonly Violation[],
): MatcherResult {
  const status = subject.status === undefined ? '' : ` (status ${subject.status})`;
  if (violations.length === 0)
    return { pass: true, message: () => `expected anything but ${wanted}; this is one${status}` };
  // With `.not` this is the wanted result, and nobody sees a diff.
  const sides = context.isNot === true ? {} : sidesOf(subject, violations);
  const sentences = violations.map((violation) =>
    visibleInLine(`  ${placeOf(violation)}${violation.message}`),
  );
  const message = [`this is not ${wanted}${status}:`, ...sentences].join('\n');
  return { pass: false, message: () => message + diffFor(context, sides), ...sides };
}

function placeOf({ part, pointer }: Violation): string {
  return pointer === '' ? '' : `${part} ${pointer}: `;
}

/** Vitest makes a diff of the two sides by itself; Jest shows the message only. */
function diffFor(context: MatcherContext, { expected, actual }: Partial<Sides>): string {
  const isVitest = 'soft' in context;
  const diff = isVitest ? undefined : context.utils?.diff?.(expected as never, actual as never);
  return typeof diff === 'string' ? `\n\n${diff}` : '';
}

interface Sides {
  readonly actual: unknown;
  readonly expected: unknown;
}

/** The subject, and a copy in which every violation is replaced by what the interface requires. */
function sidesOf(subject: Subject, violations: readonly Violation[]): Sides {
  const [actual, expected] = [shown(subject), shown(subject)];
  for (const violation of violations) correct(expected, violation);
  const isMessage = subject.status !== undefined || violations.some(({ part }) => part !== 'body');
  return isMessage ? { actual, expected } : { actual: actual.body, expected: expected.body };
}

interface Shown {
  status?: unknown;
  'content-type'?: unknown;
  body: unknown;
}

function shown({ status, contentType, body }: Subject): Shown {
  return {
    ...(status !== undefined && { status }),
    ...(contentType.length > 0 && {
      'content-type': contentType.length === 1 ? contentType[0] : contentType,
    }),
    body: shownBody(body),
  };
}

function shownBody(body: unknown): unknown {
  const read = readBody(body);
  if (read === undefined) return new Words('nothing');
  if (read.ok) return shownValue(read.value);
  return new Words(quoted(typeof body === 'string' ? body : Buffer.from(body as Uint8Array).toString()));
}

const MOST_MEMBERS = 50;
const DEEPEST = 20;
const LONGEST_STRING = 300;

/** A copy without what is long or deep. A value that a client has parsed may even be circular. */
function shownValue(value: unknown, parents: readonly object[] = []): unknown {
  if (typeof value === 'bigint') return new Words(String(value));
  if (typeof value === 'string' && value.length > LONGEST_STRING) return new Words(quoted(value));
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof JsonNumber) return new Words(quoted(value.text).replaceAll('"', ''));
  if (parents.includes(value)) return new Words('[Circular]');
  if (parents.length === DEEPEST) return new Words('…');
  // Deeper levels show fewer members: no rule is about them.
  const most = Math.ceil(MOST_MEMBERS / 5 ** parents.length);
  const entries = Object.entries(value);
  const copied = entries
    .slice(0, most)
    .map(([key, item]) => [key, shownValue(item, [...parents, value])] as const);
  const rest = entries.length - copied.length;
  if (rest > 0) copied.push(['…', new Words(`${rest} more`)]);
  return Array.isArray(value) ? copied.map(([, item]) => item) : Object.fromEntries(copied);
}

function correct(subject: Shown, { part, pointer, keyword, expected }: Violation): void {
  const [key] = keysIn(pointer);
  if (part === 'status') subject.status = new Words(expected);
  else if (part === 'header') subject['content-type'] = expected;
  else if (key === undefined && keyword === 'additionalProperties') subject.body = plantMembers(subject.body);
  else if (key === undefined) subject.body = new Words(expected);
  else {
    const members = subject.body as Record<string, unknown>;
    if (keyword === 'additionalProperties') delete members[key];
    else members[key] = new Words(keyword === 'required' ? 'required' : expected);
  }
}

/** Without unknown fields. They are too many for a violation each. */
function plantMembers(body: unknown): unknown {
  return Object.fromEntries(Object.entries(body as object).filter(([key]) => plantFields.includes(key)));
}

/** A text that Vitest and Jest print without quotes, because they take it for an asymmetric matcher. It matches nothing. */
class Words {
  readonly $$typeof = Symbol.for('jest.asymmetricMatcher');

  constructor(private readonly words: string) {}

  asymmetricMatch(): boolean {
    return false;
  }

  toString(): string {
    return this.words;
  }

  toAsymmetricMatcher(): string {
    return this.words;
  }

  /** For reporters that write JSON. */
  toJSON(): string {
    return this.words;
  }
}
