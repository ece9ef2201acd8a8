import type { Part } from '../../validation/violation.js';

/** What is said of a kind of problem wherever it is found. */
interface ProblemKind {
  /** What the pact does, as a sentence. */
  readonly title: string;
  /** Where the interface says it, or says that it does not show it. */
  readonly section: string;
}

const KINDS = {
  'unknown-operation': {
    title: 'It is about another method or path than POST /plants, the only operation of the interface.',
    section: 'Endpoints',
  },
  'unknown-parameter': {
    title: 'It relies on a query parameter, and the interface shows none.',
    section: 'Endpoints',
  },
  'unknown-field': {
    title: 'It relies on a field that the interface does not have there.',
    section: 'Resources and their fields',
  },
  'no-valid-token': {
    title: 'It expects success without a bearer token, or with one that its state calls invalid.',
    section: 'Authentication, rule 2',
  },
  'invalid-request': {
    title: 'It expects success of a request that is no valid creation.',
    section: 'Resources and their fields, NewPlant',
  },
  'refused-valid-request': {
    title: 'It expects a refusal of a valid, authorised creation.',
    section: 'Endpoints, rule 1',
  },
  'undocumented-status': {
    title: 'It expects a status that the interface does not have there.',
    section: 'Endpoints, Responses',
  },
  'not-shown': {
    title: 'It relies on a behaviour that the interface says it does not show.',
    section: 'Errors, rule 2',
  },
  'media-type': {
    title: 'It relies on another media type than application/json.',
    section: 'Resources and their fields',
  },
  'wrong-body': {
    title: 'The body of its response is no part of a Plant, or of an Error, as its status demands.',
    section: 'Resources and their fields',
  },
  'unsent-value': {
    title: 'It expects a name or a tag back that was not sent.',
    section: 'Resources and their fields, rule 1',
  },
  'exact-value': {
    title: 'It expects one value of "error" or "message", whose meaning is not shown.',
    section: 'Errors, rule 2',
  },
  'narrow-rule': {
    title: 'Its matching rule refuses values that the interface allows.',
    section: 'Resources and their fields',
  },
  'unpromised-header': {
    title: 'It expects a response header that nobody promises.',
    section: 'Endpoints, Responses',
  },
  'duplicate-key': {
    title: 'A key stands twice in one of its bodies, and readers differ in which one counts.',
    section: 'Resources and their fields',
  },
  'other-difference': {
    title: 'The comparator reports a difference that this package has no judge for.',
    section: 'Endpoints',
  },
} as const satisfies Record<string, ProblemKind>;

/** A way in which a pact asks for more than the interface promises. */
export type PactProblemKind = keyof typeof KINDS;

/**
 * The kinds of problems that {@link auditPact} tells apart: of each, what the pact does, and where the interface
 * says it, or says that it does not show it.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { pactProblemKinds } from 'plant-store-contract/pact';
 *
 * assert.equal(pactProblemKinds['exact-value'].section, 'Errors, rule 2');
 */
export const pactProblemKinds: Readonly<Record<PactProblemKind, ProblemKind>> = KINDS;

/** Where in a message a problem lies. */
export interface ProblemPlace {
  readonly side: 'request' | 'response';
  /** `whole` where it is not known. */
  readonly part: Part | 'query' | 'whole';
  /** The field of the body, the header in lower case, or the parameter; `undefined` for the whole part. */
  readonly field?: string;
}

/** A problem as it is found, before it is known where it stands in the file and who else found it. */
export interface Finding extends ProblemPlace {
  readonly kind: PactProblemKind;
  readonly message: string;
  /** Where the interface says it, when not where the kind says. */
  readonly section?: string;
}

/** One thing that an interaction asks for, and that the interface does not promise. */
export interface PactProblem extends ProblemPlace {
  readonly kind: PactProblemKind;
  /** What is wrong, as a sentence. No token stands in it. */
  readonly message: string;
  /** JSON pointer (RFC 6901) into the pact: to the value, or to the nearest thing around it that is there. */
  readonly pointer: string;
  /** The section of the interface that says it, or says that it does not show it. */
  readonly section: string;
  /** `comparator` where `@pactflow/openapi-pact-comparator` reports it as well; `own` where it does not. */
  readonly foundBy: 'comparator' | 'own';
  /** What the comparator calls it. */
  readonly comparatorCode?: string;
}
