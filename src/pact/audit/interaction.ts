import { headerValues } from '../../http/fields.js';
import { isOperationPath, operation } from '../../spec/operation.js';
import { isJsonMediaType, parseMediaType } from '../../validation/header-values.js';
import { objectOf } from '../../validation/json-value.js';
import { judgeBody } from '../../validation/message.js';
import { newPlantFields, plantFields } from '../../validation/schema.generated.js';
import { quoted } from '../../validation/violation.js';
import { mediaTypeOf, type PactInteraction } from '../pacts.js';
import { providerStates, saysIdExists, saysTokenIsInvalid } from '../states.js';
import { rejectedBy, type Sample } from './matching.js';

interface ProblemKind {
  /** What the pact does; a sentence. */
  readonly title: string;
  /** What to do about it; a sentence. */
  readonly fix: string;
  /** Where the interface says it, or leaves it open: a JSON pointer into the OpenAPI document. */
  readonly source: string;
}

/** The kinds of problems: the findings of an audit, in the order of a request and its response. */
export const KINDS = {
  'unknown-operation': {
    title: 'The pact uses another method or path than POST /plants, the only operation of the interface.',
    fix: 'Send POST /plants, or move the interaction to the pact with the provider that has this operation.',
    source: '/paths/~1plants/post',
  },
  'unknown-field': {
    title: 'The pact relies on a field or a header that the interface does not have there.',
    fix: 'Remove it.',
    source: '/components/schemas',
  },
  'no-valid-token': {
    title: 'The pact expects success without a bearer token, or with a token that its state calls invalid.',
    fix: 'Send a bearer token, or expect a rejection.',
    source: '/security/0',
  },
  'invalid-request': {
    title: 'The pact expects success for an invalid request.',
    fix: 'Correct the request, or expect a rejection.',
    source: '/components/schemas/NewPlant',
  },
  'rejected-valid-request': {
    title: 'The pact expects a valid, authorised creation to be rejected.',
    fix: 'Expect the status 200, or describe in a provider state why the request is rejected.',
    source: '/paths/~1plants/post/responses/200',
  },
  'undocumented-status': {
    title: 'The pact expects a status that the interface does not have there.',
    fix: 'Expect 200 for a creation and 400 for a rejection. In V4 the status class clientError accepts every 4xx.',
    source: '/paths/~1plants/post/responses',
  },
  'not-shown': {
    title: 'The pact relies on behaviour that the interface does not show.',
    fix: 'Expect only what the interface shows, or agree on this behaviour with the provider.',
    source: '/paths/~1plants/post/responses',
  },
  'media-type': {
    title: 'The pact relies on another media type than application/json.',
    fix: 'Use application/json, without a charset in the response.',
    source: '/paths/~1plants/post/responses/200/content',
  },
  'wrong-body': {
    title:
      'The pact expects a response body that is not part of a Plant or of an Error, whichever belongs to its status.',
    fix: 'Expect only fields of the interface, with their types.',
    source: '/paths/~1plants/post/responses',
  },
  'exact-value': {
    title: 'The pact expects a value that the interface does not promise.',
    fix: 'Use a matcher for the type, or expect the name and the tag of the request.',
    source: '/components/schemas',
  },
} as const satisfies Record<string, ProblemKind>;

/** A way in which a pact relies on more than the interface promises. */
export type PactProblemKind = keyof typeof KINDS;

/** One thing that an interaction relies on and that the interface does not promise. */
export interface FoundProblem {
  readonly kind: PactProblemKind;
  /** Where it is: `request header "authorization"`. */
  readonly where: string;
  /** What is wrong; a sentence. It contains no token. */
  readonly message: string;
}

function place(part: string, field: string | undefined): string {
  return field === undefined ? part : `${part} ${JSON.stringify(field)}`;
}

function problem(kind: PactProblemKind, where: string, message: string): FoundProblem {
  return { kind, where, message };
}

/**
 * Compares an interaction with the interface.
 *
 * @param goodTokens values of Authorization with which interactions of the pact expect success
 */
export function problemsOf(interaction: PactInteraction, goodTokens: ReadonlySet<string>): FoundProblem[] {
  const { method, path } = interaction.request;
  const other = (part: 'method' | 'path', got: string, only: string): FoundProblem[] => {
    const message = `The ${part} is ${quoted(got)}, but the interface has only ${only}.`;
    return [problem('unknown-operation', `request ${part}`, message)];
  };
  // Nothing else is known about another operation.
  if (method !== operation.method) return other('method', method, operation.method);
  // The path of a base URL may come before it.
  if (!isOperationPath(path)) return other('path', path, `…${operation.path}`);
  return [...statusProblems(interaction, goodTokens), ...responseProblems(interaction)];
}

/** What a consumer expects: `either` if success and failure are both accepted, `neither` if both are wrong. */
export function expectedResult({ response }: PactInteraction): 'created' | 'rejected' | 'either' | 'neither' {
  const success = response.statuses.some((one) => one >= 200 && one < 300);
  const failure = response.statuses.some((one) => one >= 400);
  if (success) return failure ? 'either' : 'created';
  return failure ? 'rejected' : 'neither';
}

/**
 * Compares the status that a consumer expects with what the interface says about such a request: 200 for a valid,
 * authorised creation, a rejection for any other creation, and nothing about other requests.
 */
function statusProblems(interaction: PactInteraction, goodTokens: ReadonlySet<string>): FoundProblem[] {
  const { status, statuses } = interaction.response;
  const wrongStatus = (kind: PactProblemKind, only: string): FoundProblem[] => [
    problem(kind, 'response status', `The status ${status} is expected, but ${only}.`),
  ];
  const invalid = [...tokenProblems(interaction), ...plantProblems(interaction)];
  const open = openProblems(interaction);
  switch (expectedResult(interaction)) {
    case 'either':
      return [];
    case 'neither':
      return wrongStatus('undocumented-status', 'a creation returns 200, and a failure returns 400');
    case 'created':
      if (!statuses.includes(200)) open.push(...wrongStatus('undocumented-status', 'a creation returns 200'));
      return [...invalid, ...open];
    case 'rejected': {
      const problems = open.map((one): FoundProblem => ({ ...one, kind: 'not-shown' }));
      if (invalid.length > 0) problems.length = 0;
      else if (problems.length === 0 && !isExplained(interaction, goodTokens))
        problems.push(problem('rejected-valid-request', 'response status', REJECTED_VALID));
      if (statuses.includes(400)) return problems;
      const isClientError = statuses.some((one) => one >= 400 && one < 500);
      const kind = isClientError ? 'not-shown' : 'undocumented-status';
      return [...problems, ...wrongStatus(kind, 'the interface shows only 400 for a failure')];
    }
  }
}

const REJECTED_VALID =
  'A valid creation is expected to be rejected, and no state says why. Another interaction expects success with the same token.';

/** A valid creation is rejected only if a state or its token may explain it. What an unknown state means is not known. */
function isExplained({ states, request }: PactInteraction, goodTokens: ReadonlySet<string>): boolean {
  const [authorization = ''] = headerValues(request.headers, 'authorization');
  return (
    states.some(({ name }) => !Object.values<string>(providerStates).includes(name)) ||
    !goodTokens.has(authorization) ||
    request.generated('header', 'authorization')
  );
}

/** Why the token does not authorise the request. */
function tokenProblems(interaction: PactInteraction): FoundProblem[] {
  const { request } = interaction;
  const wrong = (why: string): FoundProblem[] => [
    problem('no-valid-token', place('request header', 'authorization'), `Success is expected, but ${why}.`),
  ];
  const [value] = headerValues(request.headers, 'authorization');
  if (value === undefined) return wrong('the Authorization header is missing');
  if (saysTokenIsInvalid(interaction)) return wrong('the state says that the token is not valid');
  // An example is often not a well-formed token, "Bearer <token>": it is replaced when the pact is verified.
  if (/^bearer +\S/i.test(value) || request.generated('header', 'authorization')) return [];
  return wrong('the Authorization header has no bearer token');
}

/** Why the body is not a NewPlant. */
function plantProblems({ request }: PactInteraction): FoundProblem[] {
  return judgeBody('NewPlant', request.body?.text)
    .violations.map(({ pointer, message }) => ({ field: fieldIn(pointer), message }))
    .filter(({ field = '' }) => !request.generated('body', field))
    .map(({ field, message }) =>
      problem('invalid-request', place('request body', field), `Success is expected, but ${message}.`),
    );
}

function fieldIn(pointer: string): string | undefined {
  return pointer === '' ? undefined : pointer.slice(1);
}

/** What the interface does not show: neither that it is accepted nor that it is rejected. */
function openProblems(interaction: PactInteraction): FoundProblem[] {
  const sent = Object.keys(objectOf(interaction.request.body?.value));
  const fields = sent.filter((name) => !newPlantFields.includes(name));
  return [
    ...fields.map((name) =>
      problem(
        'unknown-field',
        place('request body', name),
        `The request has the field ${quoted(name)}, but a NewPlant has only name, id and tag. The interface does not show the response to another field.`,
      ),
    ),
    ...requestTypeProblems(interaction),
    ...(saysIdExists(interaction) ? [DUPLICATE_ID] : []),
  ];
}

const DUPLICATE_ID = problem(
  'not-shown',
  place('request body', 'id'),
  'The state says that a plant with this id exists, but the interface does not show the response to a duplicate id.',
);

/** Pact sends the headers of a request as they are. It does not send the type that a body of V4 has beside its content. */
function requestTypeProblems({ request }: PactInteraction): FoundProblem[] {
  const declared = mediaTypeOf(request);
  const isRight = declared !== undefined && isJsonMediaType(declared);
  if (isRight || request.body == null || request.generated('header', 'content-type')) return [];
  const has =
    declared === undefined
      ? 'The request has no Content-Type header'
      : `The Content-Type of the request is ${quoted(declared)}`;
  const message = `${has}, but all bodies are application/json. The interface does not show the response to such a request.`;
  return [problem('media-type', place('request header', 'content-type'), message)];
}

/** The body of a response of the interface, by its status. */
const SCHEMAS = {
  created: { schema: 'Plant', fields: plantFields, promise: 'A 200 has only the fields of Plant' },
  rejected: {
    schema: 'Error',
    fields: ['error', 'message'],
    promise: 'The interface promises only "error" and "message" in an Error',
  },
} as const;

/**
 * Compares the response that a consumer expects with what the interface promises: headers, media type and body
 * (/components/schemas). A consumer may expect less than that, but not more.
 */
function responseProblems(interaction: PactInteraction): FoundProblem[] {
  const result = expectedResult(interaction);
  // The interface has no such response.
  if (result === 'neither') return [];
  const { headers, body } = interaction.response;
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  names.delete('content-type');
  const problems = [...names].map((name) =>
    problem(
      'unknown-field',
      place('response header', name),
      `The response must have the header ${quoted(name)}, but the interface promises only Content-Type.`,
    ),
  );
  problems.push(...responseTypeProblems(interaction));
  if (body === null) {
    const message = 'The response must have no body, but every response of the interface has one.';
    problems.push(problem('wrong-body', 'response body', message));
  }
  // A pact cannot describe a body that may be a Plant or an Error.
  else if (body !== undefined && result !== 'either') problems.push(...bodyProblems(interaction, result));
  return problems;
}

/** What conforming providers send. */
const JSON_TYPES = ['application/json', 'application/json; charset=utf-8'];

/**
 * Without a matching rule, Pact compares the Content-Type of a response with the header of the pact, and in V4 also with the
 * type of the body. The response may have further parameters, but must have those of the pact.
 */
function responseTypeProblems({ response }: PactInteraction): FoundProblem[] {
  const { generated, body } = response;
  if (generated('header', 'content-type')) return [];
  const declared = mediaTypeOf(response);
  const wrong = (type: string, rejected = 'application/json'): FoundProblem[] => {
    const message = `The response must have the Content-Type ${quoted(type)}, so the pact rejects ${quoted(rejected)}.`;
    return [problem('media-type', place('response header', 'content-type'), message)];
  };
  const rule = response.rule('header', 'content-type');
  if (rule !== undefined) {
    const rejected = rejectedBy(rule, JSON_TYPES, declared);
    return typeof rejected === 'string' ? wrong(declared ?? '', rejected) : [];
  }
  const isPlain = (type: string): boolean =>
    isJsonMediaType(type) && parseMediaType(type)?.parameters.size === 0;
  const types = [declared, body?.contentType].filter((type) => type !== undefined);
  const first = types.find((type) => !isPlain(type));
  return first === undefined ? [] : wrong(first);
}

function bodyProblems(interaction: PactInteraction, result: keyof typeof SCHEMAS): FoundProblem[] {
  const { schema, fields, promise } = SCHEMAS[result];
  const { generated, body } = interaction.response;
  // A consumer may rely on a part of what the interface promises.
  const wrong = judgeBody(schema, body?.text)
    .violations.filter(({ pointer, keyword }) => !(keyword === 'required' && pointer !== ''))
    .map(({ pointer, message }) => ({ field: fieldIn(pointer), message }))
    .filter(({ field = '' }) => !generated('body', field));
  const value = objectOf(body?.value);
  const unknown = Object.keys(value).filter((name) => !(fields as readonly string[]).includes(name));
  const isRight = (name: string): boolean =>
    value[name] !== undefined && !generated('body', name) && !wrong.some(({ field }) => field === name);
  return [
    ...wrong.map(({ field, message }) =>
      problem('wrong-body', place('response body', field), `In the response, ${message}.`),
    ),
    ...unknown.map((name) =>
      problem(
        'unknown-field',
        place('response body', name),
        `${promise}, but the response must also have ${quoted(name)}.`,
      ),
    ),
    ...fields.filter(isRight).flatMap((name) => {
      const why = result === 'created' ? unsent(interaction, name) : fixed(interaction, name);
      return why === undefined ? [] : [problem('exact-value', place('response body', name), why)];
    }),
  ];
}

/** The name and the tag come back as they were sent. A tag that was not sent does not come back. */
function unsent({ request, response }: PactInteraction, field: string): string | undefined {
  const sent = objectOf(request.body?.value)[field];
  if (request.generated('body', field)) return undefined;
  if (field === 'tag' && sent === undefined) return 'The response must have a tag, but the request has none.';
  // An invalid request is a problem of its own.
  if (typeof sent !== 'string') return undefined;
  const expected = objectOf(response.body?.value)[field];
  const rule = response.rule('body', field);
  const isMet = rule === undefined ? sent === expected : rejectedBy(rule, [sent], expected) === undefined;
  if (isMet) return undefined;
  return `The request has the ${field} ${quoted(sent)}, but the response must have another.`;
}

/** Values that the interface allows in an Error, which a consumer must not tell apart. */
const ERRORS: Readonly<Record<string, readonly Sample[]>> = {
  error: [31, 400, 0, 1, -1, 2_147_483_647],
  message: ['no', 'The plant is not valid: "name" is missing (31).', 'ung\u00fcltig'],
};

/** A consumer must not rely on the values of an Error: the interface does not show what they mean. */
function fixed({ response }: PactInteraction, field: string): string | undefined {
  const rule = response.rule('body', field);
  const not = 'but the interface does not show its values.';
  if (rule === undefined) return `The ${field} must be exactly as in the pact, ${not}`;
  const rejected = rejectedBy(rule, ERRORS[field] ?? [], objectOf(response.body?.value)[field]);
  return rejected === undefined ? undefined : `The ${field} must not be ${JSON.stringify(rejected)}, ${not}`;
}
