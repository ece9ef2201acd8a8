import { definedOnly } from '../../defined-only.js';
import { isObject, type JsonValue, objectOf, pointerTo } from '../../validation/json-value.js';
import type { Part } from '../../validation/violation.js';
import { isWrapped, type PactInteraction } from '../pact-file.js';

interface ProblemKind {
  /** What the pact does; a sentence. */
  readonly title: string;
  /** What to do about it; a sentence. */
  readonly fix: string;
  /** The section of the interface that says it, or that says that it is not shown. Pact's own rules have none. */
  readonly section?: string;
}

const KINDS = {
  'unknown-operation': {
    title: 'The pact uses another method or path than POST /plants, the only operation of the interface.',
    fix: 'Send POST /plants, or move the interaction to the pact with the provider that has this operation.',
    section: 'Endpoints',
  },
  'unknown-parameter': {
    title: 'The pact relies on a query parameter, but the interface has none.',
    fix: 'Remove the query parameter.',
    section: 'Endpoints',
  },
  'unknown-field': {
    title: 'The pact relies on a field that the interface does not have there.',
    fix: 'Remove the field.',
    section: 'Resources and their fields',
  },
  'no-valid-token': {
    title: 'The pact expects success without a bearer token, or with a token that its state calls invalid.',
    fix: 'Send a bearer token, or expect a rejection.',
    section: 'Authentication, rule 2',
  },
  'invalid-request': {
    title: 'The pact expects success for an invalid request.',
    fix: 'Correct the request, or expect a rejection.',
    section: 'Resources and their fields, NewPlant',
  },
  'rejected-valid-request': {
    title: 'The pact expects a valid, authorised creation to be rejected.',
    fix: 'Expect the status 200, or describe in a provider state why the request is rejected.',
    section: 'Endpoints, rule 1',
  },
  'undocumented-status': {
    title: 'The pact expects a status that the interface does not have there.',
    fix: 'Expect 200 for a creation and 400 for a rejection.',
    section: 'Endpoints, Responses',
  },
  'not-shown': {
    title: 'The pact relies on behaviour that the interface does not show.',
    fix: 'Expect only what the interface shows, or agree on this behaviour with the provider.',
    section: 'Errors, rule 2',
  },
  'media-type': {
    title: 'The pact relies on another media type than application/json.',
    fix: 'Use application/json.',
    section: 'Resources and their fields',
  },
  'wrong-body': {
    title:
      'The pact expects a response body that is not part of a Plant or of an Error, whichever belongs to its status.',
    fix: 'Expect only fields of the interface, with their types.',
    section: 'Resources and their fields',
  },
  'unsent-value': {
    title: 'The pact expects a name or a tag that was not sent.',
    fix: 'Expect the name and the tag of the request, or match their types.',
    section: 'Resources and their fields, rule 1',
  },
  'exact-value': {
    title:
      'The pact expects one exact value of "error" or "message", but the interface does not show what they mean.',
    fix: 'Use a matcher for the type.',
    section: 'Errors, rule 2',
  },
  'narrow-rule': {
    title: 'A matching rule rejects values that the interface allows.',
    fix: 'Use a matcher for the type.',
    section: 'Resources and their fields',
  },
  'unpromised-header': {
    title: 'The pact expects a response header that the interface does not promise.',
    fix: 'Remove the header.',
    section: 'Endpoints, Responses',
  },
  'duplicate-key': {
    title: 'A body has a duplicate key, and JSON parsers disagree about which one counts.',
    fix: 'Remove one of the two.',
    section: 'Resources and their fields',
  },
  'unusable-rule': {
    title: 'Pact cannot use a matching rule or a generator.',
    fix: 'Correct it, or write the pact with a Pact library.',
  },
  'missing-plugin': {
    title: 'The pact needs a Pact plugin that is not installed.',
    fix: 'Install the plugin, or write the pact without it: the interface needs none.',
  },
} as const satisfies Record<string, ProblemKind>;

/** A way in which a pact relies on more than the interface promises. */
export type PactProblemKind = keyof typeof KINDS;

/**
 * The kinds of problems that {@link auditPact} finds. Each has a title, a fix, and the section of the interface that it
 * is about.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { pactProblemKinds } from 'plant-store-contract/pact';
 *
 * assert.equal(pactProblemKinds['exact-value'].section, 'Errors, rule 2');
 */
export const pactProblemKinds: Readonly<Record<PactProblemKind, ProblemKind>> = KINDS;

/** Where in an interaction a problem is. */
export interface ProblemPlace {
  readonly side: 'request' | 'response';
  readonly part: Part | 'query' | 'matchingRules' | 'generators';
  /**
   * The field of the body, the header in lower case, the parameter, or the part and the path of the rule or generator;
   * `undefined` for the whole part.
   */
  readonly field?: string;
}

/** A problem before its place in the file is known. */
export interface FoundProblem extends ProblemPlace {
  readonly kind: PactProblemKind;
  readonly message: string;
  /** The section of the interface, if it is not the one of the kind. */
  readonly section?: string;
  /** The keys that lead to a matching rule or a generator from its message. */
  readonly path?: readonly (string | number)[];
}

/** Builds a {@link FoundProblem}. */
export function found(
  kind: PactProblemKind,
  [side, part, field]: readonly [ProblemPlace['side'], ProblemPlace['part'], field?: string | undefined],
  message: string,
  section?: string,
): FoundProblem {
  return definedOnly({ kind, side, part, field, message, section });
}

/** Builds a {@link FoundProblem} about a matching rule or a generator. */
export function foundRule(
  side: ProblemPlace['side'],
  part: 'matchingRules' | 'generators',
  path: readonly (string | number)[],
  message: string,
): FoundProblem {
  const field = path.slice(0, path.includes('matchers') ? path.indexOf('matchers') : path.length).join(' ');
  return { ...found('unusable-rule', [side, part, field || undefined], message), path: [part, ...path] };
}

/** One thing that an interaction relies on and that the interface does not promise. */
export interface PactProblem extends ProblemPlace {
  readonly kind: PactProblemKind;
  /** What is wrong; a sentence. It contains no token. */
  readonly message: string;
  /** JSON pointer (RFC 6901) into the pact: to the value, or to the nearest value around it. */
  readonly pointer: string;
  /** The line of that value, from 1. Left out if the pact was given as an object. */
  readonly line?: number;
  /** The section of the interface that says it, or that says that it is not shown. Left out if it is about Pact itself. */
  readonly section?: string;
}

/**
 * Finds the JSON pointers to places in an interaction. If something is missing there, the pointer leads to the nearest
 * value around it.
 */
export function pointersIn({ index, raw }: PactInteraction): (problem: FoundProblem) => string {
  const written = { request: headerNames(raw.request), response: headerNames(raw.response) };
  return ({ side, part, field, path: rulePath }) => {
    if (rulePath !== undefined) return pointerTo(['interactions', index, side, ...rulePath]);
    const steps: string[] = [side, part === 'header' ? 'headers' : part];
    if (part === 'body' && isWrapped(objectOf(raw[side]).body)) steps.push('content');
    if (field !== undefined) steps.push((part === 'header' && written[side].get(field)) || field);
    const path: string[] = [];
    let here: JsonValue | undefined = raw;
    for (const step of steps) {
      here = isObject(here) ? here[step] : undefined;
      if (here === undefined) break;
      path.push(step);
    }
    return pointerTo(['interactions', index, ...path]);
  };
}

function headerNames(message: JsonValue | undefined): ReadonlyMap<string, string> {
  return new Map(Object.keys(objectOf(objectOf(message).headers)).map((name) => [name.toLowerCase(), name]));
}
