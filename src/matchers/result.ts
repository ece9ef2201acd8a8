import type { Violation } from '../validation/violation.js';
import { type Pictures, picturesOf, type Subject } from './picture.js';

/** What Vitest, Jest and others want of a matcher. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
  /** The two sides of a diff. */
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/** What a runner gives as `this` to a matcher; of nothing here is relied upon that it is there. */
export interface MatcherContext {
  readonly isNot?: boolean;
  readonly utils?: { readonly diff?: (expected: never, actual: never) => string | null | undefined };
}

/** What cannot be judged is neither right nor wrong: it fails, whether `.not` is before it or not. */
export function unreadable(context: MatcherContext, wanted: string, problem: string): MatcherResult {
  return {
    pass: context.isNot === true,
    message: () => `this cannot be judged as ${wanted}: ${problem}`,
  };
}

/**
 * The result for something that was judged.
 *
 * @param wanted what it ought to be: "a Plant"
 */
export function judged(
  context: MatcherContext,
  wanted: string,
  subject: Subject,
  violations: readonly Violation[],
): MatcherResult {
  if (violations.length === 0)
    return { pass: true, message: () => `this is ${wanted}, and ought not to be${aside(subject)}` };
  // With `.not` this is what was wanted, and nobody looks.
  const pictures = context.isNot === true ? {} : picturesOf(subject, violations);
  const sentences = violations.map((violation) => `  ${placeOf(violation)}${violation.message}`);
  const message = [`this is not ${wanted}${aside(subject)}:`, ...sentences].join('\n');
  return {
    pass: false,
    message: () => message + diffFor(context, pictures),
    ...pictures,
  };
}

function aside({ status }: Subject): string {
  return status === undefined ? '' : ` (status ${status})`;
}

function placeOf({ part, pointer }: Violation): string {
  return pointer === '' ? '' : `${part} ${pointer}: `;
}

/** Vitest shows the two sides by itself; Jest shows nothing but the message. */
function diffFor(context: MatcherContext, { expected, actual }: Partial<Pictures>): string {
  const isVitest = 'soft' in context;
  const diff = isVitest ? undefined : context.utils?.diff?.(expected as never, actual as never);
  return typeof diff === 'string' ? `\n\n${diff}` : '';
}
