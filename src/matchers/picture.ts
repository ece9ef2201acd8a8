import { JsonNumber } from '../validation/json-number.js';
import { readBody } from '../validation/message.js';
import { quoted, type Violation } from '../validation/violation.js';

/** A message, or a value, and the same as it would be right: what a runner shows as a diff. */
export interface Pictures {
  readonly actual: unknown;
  readonly expected: unknown;
}

/** What pictures are made of. */
export interface Subject {
  readonly status?: number;
  readonly contentType: readonly string[];
  readonly body: unknown;
}

const MOST_MEMBERS = 50;
const DEEPEST = 20;
const LONGEST_SHOWN = 300;

/** The subject, and beside it what the interface asks for in each place where it departs from it. */
export function picturesOf(subject: Subject, violations: readonly Violation[]): Pictures {
  const [actual, expected] = [draw(subject), draw(subject)];
  for (const violation of violations) mend(expected, violation);
  const isMessage = subject.status !== undefined || violations.some(({ part }) => part !== 'body');
  return isMessage ? { actual, expected } : { actual: actual.body, expected: expected.body };
}

interface Drawn {
  status?: unknown;
  'content-type'?: unknown;
  body: unknown;
}

function draw({ status, contentType, body }: Subject): Drawn {
  return {
    ...(status !== undefined && { status }),
    ...(contentType.length > 0 && {
      'content-type': contentType.length === 1 ? contentType[0] : contentType,
    }),
    body: drawBody(body),
  };
}

function drawBody(body: unknown): unknown {
  const read = readBody(body);
  if (read === undefined) return new Words('nothing');
  if (read.ok) return drawValue(read.value);
  return new Words(quoted(typeof body === 'string' ? body : Buffer.from(body as Uint8Array).toString()));
}

/** A copy, in which long and deep things are cut. Values that a client has parsed may be anything: circular, too. */
function drawValue(value: unknown, above: readonly object[] = []): unknown {
  if (typeof value === 'bigint') return new Words(String(value));
  if (typeof value === 'string' && value.length > LONGEST_SHOWN) return new Words(quoted(value));
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof JsonNumber) return new Words(quoted(value.text).replaceAll('"', ''));
  if (above.includes(value)) return new Words('[Circular]');
  if (above.length === DEEPEST) return new Words('…');
  // Fewer and fewer of what lies deeper: nothing there is what is wrong.
  const most = Math.ceil(MOST_MEMBERS / 5 ** above.length);
  const entries = Object.entries(value);
  const drawn = entries
    .slice(0, most)
    .map(([key, member]) => [key, drawValue(member, [...above, value])] as const);
  const rest = entries.length - drawn.length;
  if (rest > 0) drawn.push(['…', new Words(`${rest} more`)]);
  return Array.isArray(value) ? drawn.map(([, member]) => member) : Object.fromEntries(drawn);
}

function mend(drawn: Drawn, { part, pointer, keyword, expected }: Violation): void {
  if (part === 'status') drawn.status = new Words(expected);
  else if (part === 'header') drawn['content-type'] = expected;
  else if (pointer === '') drawn.body = new Words(expected);
  else {
    const members = drawn.body as Record<string, unknown>;
    const key = pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
    if (keyword === 'additionalProperties') delete members[key];
    else members[key] = new Words(keyword === 'required' ? 'required' : expected);
  }
}

/**
 * A text that Vitest and Jest show without quotes, since it is no text of the message: both print as it wants to be
 * printed what says that it is an asymmetric matcher. It matches nothing.
 */
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

  /** Reporters that write JSON. */
  toJSON(): string {
    return this.words;
  }
}
