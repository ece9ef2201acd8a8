interface ProblemKind {
  /** What the pact does; a sentence. */
  readonly title: string;
  /** What to do about it; a sentence. */
  readonly fix: string;
  /** The section of the interface that says it, or that says that it is not shown. */
  readonly section: string;
}

/** The kinds of problems: the findings of an audit, in the order of a request and its response. */
export const KINDS = {
  'unknown-operation': {
    title: 'The pact uses another method or path than POST /plants, the only operation of the interface.',
    fix: 'Send POST /plants, or move the interaction to the pact with the provider that has this operation.',
    section: 'Endpoints',
  },
  'unknown-field': {
    title: 'The pact relies on a field, a header or a parameter that the interface does not have there.',
    fix: 'Remove it.',
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
    fix: 'Expect 200 for a creation and 400 for a rejection. In V4 the status class clientError accepts every 4xx.',
    section: 'Endpoints, Responses',
  },
  'not-shown': {
    title: 'The pact relies on behaviour that the interface does not show.',
    fix: 'Expect only what the interface shows, or agree on this behaviour with the provider.',
    section: 'Endpoints, rule 3; Errors, rule 2',
  },
  'media-type': {
    title: 'The pact relies on another media type than application/json.',
    fix: 'Use application/json, without a charset in the response.',
    section: 'Resources and their fields',
  },
  'wrong-body': {
    title:
      'The pact expects a response body that is not part of a Plant or of an Error, whichever belongs to its status.',
    fix: 'Expect only fields of the interface, with their types.',
    section: 'Resources and their fields',
  },
  'exact-value': {
    title: 'The pact expects a value that the interface does not promise.',
    fix: 'Use a matcher for the type, or expect the name and the tag of the request.',
    section: 'Resources and their fields, rule 1; Errors, rule 2',
  },
} as const satisfies Record<string, ProblemKind>;

/** A way in which a pact relies on more than the interface promises. */
export type PactProblemKind = keyof typeof KINDS;

/** Where in an interaction a problem is: the side, the part, and the field of the body or the header in lower case. */
export type ProblemPlace = readonly [
  side: 'request' | 'response',
  part: 'method' | 'path' | 'query' | 'status' | 'header' | 'body',
  field?: string | undefined,
];

/** One thing that an interaction relies on and that the interface does not promise. */
export interface FoundProblem {
  readonly kind: PactProblemKind;
  readonly place: ProblemPlace;
  /** What is wrong; a sentence. It contains no token. */
  readonly message: string;
}

/** `request header "authorization"` */
export function placeInWords([side, part, field]: ProblemPlace): string {
  return `${side} ${part}${field === undefined ? '' : ` ${JSON.stringify(field)}`}`;
}
