import { headerValues } from '../../http/fields.js';
import { isOperationPath, operation } from '../../spec/operation.js';
import { isJsonMediaType, parseMediaType } from '../../validation/header-values.js';
import { JsonSpans } from '../../validation/json-spans.js';
import { type JsonObject, type JsonValue, objectOf } from '../../validation/json-value.js';
import { judgeBody } from '../../validation/message.js';
import { newPlantFields, plantFields } from '../../validation/schema.generated.js';
import { describe, quoted } from '../../validation/violation.js';
import {
  demandEquality,
  rulesForField,
  rulesForHeader,
  rulesForStatus,
  satisfies,
} from '../matching/rules.js';
import type { PactBody, PactInteraction, PactMessage } from '../pact-file.js';
import { integerOf, rejectionExplainedBy, saysIdExists, saysTokenIsInvalid } from '../states.js';
import { type FoundProblem, found } from './problem.js';

/** The statuses that a consumer expects. */
export interface ExpectedStatus {
  /** `either` if success and failure are both accepted, `neither` if both are wrong: a redirect. */
  readonly result: 'created' | 'rejected' | 'either' | 'neither';
  accepts(status: number): boolean;
}

const STATUS = ['response', 'status'] as const;
const STATUSES = Array.from({ length: 500 }, (_, at) => at + 100);
const CLIENT_ERRORS = STATUSES.filter((status) => status >= 400 && status < 500);

/** The statuses that satisfy an interaction: the one that it names, or those that its matching rule accepts. */
export function expectedStatus({ response }: PactInteraction): ExpectedStatus {
  const { status } = response;
  const rules = rulesForStatus(response);
  const accepts = (actual: number): boolean => satisfies(rules, actual, status);
  const accepted = STATUSES.filter(accepts);
  const success = accepted.some((one) => one >= 200 && one < 300);
  const failure = accepted.some((one) => one >= 400);
  const result = success ? (failure ? 'either' : 'created') : failure ? 'rejected' : 'neither';
  return { result, accepts };
}

/**
 * Compares the status that a consumer expects with what the interface says about such a request: 200 for a valid,
 * authorised creation, a rejection for any other creation, and nothing about other requests (Endpoints, rules 1 to 3).
 */
export function statusProblems(
  interaction: PactInteraction,
  request: JudgedRequest,
  expected: ExpectedStatus,
  goodTokens: ReadonlySet<string>,
): FoundProblem[] {
  const { token, plant, open } = request;
  switch (expected.result) {
    case 'created':
      return [
        ...token,
        ...plant,
        ...open,
        ...(expected.accepts(200) ? [] : [undocumented(interaction, 'A creation returns 200')]),
      ];
    case 'rejected': {
      const isRejected = token.length > 0 || plant.length > 0;
      // A request is not rejected because of its Accept header.
      const reliesOn = isRejected ? [] : open.filter(({ field }) => field !== 'accept').map(asNotShown);
      const isExplained =
        isRejected || reliesOn.length > 0 || rejectionExplainedBy(interaction, goodTokens) !== undefined;
      return [
        ...reliesOn,
        ...(isExplained ? [] : rejectionOfValidProblems(interaction, goodTokens)),
        ...failureStatusProblems(interaction, expected),
      ];
    }
    case 'either':
      return [];
    case 'neither':
      return [undocumented(interaction, 'A creation returns 200, and a failure returns 400')];
  }
}

function asNotShown(problem: FoundProblem): FoundProblem {
  const { kind, section = 'Errors, rule 2' } = problem;
  return kind === 'duplicate-key' ? problem : { ...problem, kind: 'not-shown', section };
}

function failureStatusProblems(interaction: PactInteraction, { accepts }: ExpectedStatus): FoundProblem[] {
  if (accepts(400)) return [];
  if (!CLIENT_ERRORS.some(accepts)) return [undocumented(interaction, 'A failure returns 400')];
  const { status } = interaction.response;
  const message = `A rejection with ${status} is expected, but the interface shows only 400. In V4 the status class clientError accepts every 4xx.`;
  return [found('not-shown', STATUS, message)];
}

function undocumented({ response: { status } }: PactInteraction, instead: string): FoundProblem {
  return found('undocumented-status', STATUS, `The status ${status} is expected. ${instead}.`);
}

function rejectionOfValidProblems(
  interaction: PactInteraction,
  goodTokens: ReadonlySet<string>,
): FoundProblem[] {
  const plant = objectOf(interaction.request.body?.value);
  const unusual = unusualField(interaction, plant);
  if (unusual === undefined) {
    const [authorization = ''] = headerValues(interaction.request.headers, 'authorization');
    const isGood = goodTokens.has(authorization)
      ? ' Another interaction expects success with the same token.'
      : '';
    const message = `A valid creation is expected to be rejected, and no state says why. It returns 200.${isGood}`;
    return [found('rejected-valid-request', STATUS, message)];
  }
  const message = `A rejection is expected although ${JSON.stringify(unusual)} is ${describe(plant[unusual])}, which is valid. The interface shows no further constraints.`;
  return [found('not-shown', ['request', 'body', unusual], message, 'Resources and their fields, rule 2')];
}

/**
 * The field because of which a provider may reject a plant, as the interface does not show constraints. A provider must
 * accept 1 to 30 ASCII letters as a name, a lower-case ASCII word as a tag, and an id above 0.
 */
function unusualField({ request }: PactInteraction, { name, tag, id }: JsonObject): string | undefined {
  const isPlain: Readonly<Record<string, boolean>> = {
    name: typeof name === 'string' && /^[A-Za-z]{1,30}$/.test(name),
    tag: tag === undefined || (typeof tag === 'string' && /^[a-z]{1,30}$/.test(tag)),
    id: (typeof id === 'number' || typeof id === 'bigint') && id > 0,
  };
  return Object.keys(isPlain).find(
    (field) => isPlain[field] === false || request.generated.has('body', field),
  );
}

/** What is known about a request before the expected status is known. The messages assume that success is expected. */
export interface JudgedRequest {
  /** Why the token does not authorise the request. */
  readonly token: readonly FoundProblem[];
  /** Why the body is not a NewPlant. */
  readonly plant: readonly FoundProblem[];
  /** What the interface does not show: neither that it is accepted nor that it is rejected. */
  readonly open: readonly FoundProblem[];
}

/** Judges the request of an interaction (interface: Endpoints, "Create plant", and Authentication). */
export function judgeRequest(interaction: PactInteraction): JudgedRequest {
  return {
    token: tokenProblems(interaction),
    plant: newPlantProblems(interaction),
    open: [
      ...queryProblems(interaction),
      ...requestTypeProblems(interaction),
      ...openBodyProblems(interaction),
      ...(saysIdExists(interaction) ? [DUPLICATE_ID] : []),
    ],
  };
}

/** Whether an interaction is about the operation of the interface. If not, nothing else in it can be judged. */
export function operationProblems({ request: { method, path } }: PactInteraction): FoundProblem[] {
  const wrong = (part: 'method' | 'path', got: string, only: string): FoundProblem =>
    found(
      'unknown-operation',
      ['request', part],
      `The ${part} is ${quoted(got)}, but the interface has only ${only}.`,
    );
  return [
    ...(method === operation.method ? [] : [wrong('method', method, operation.method)]),
    // The path of a base URL may come before it.
    ...(isOperationPath(path) ? [] : [wrong('path', path, `…${operation.path}`)]),
  ];
}

const DUPLICATE_ID = found(
  'not-shown',
  ['request', 'body', 'id'],
  'The state says that a plant with this id exists, but the interface does not show the response to a duplicate id.',
  'Endpoints, rule 3',
);

function tokenProblems(interaction: PactInteraction): FoundProblem[] {
  const { request } = interaction;
  const wrong = (why: string): FoundProblem[] => [
    found('no-valid-token', ['request', 'header', 'authorization'], `Success is expected, but ${why}.`),
  ];
  const [value] = headerValues(request.headers, 'authorization');
  if (value === undefined) return wrong('the Authorization header is missing');
  if (saysTokenIsInvalid(interaction, value)) return wrong('the state says that the token is not valid');
  // An example is often not a well-formed token, "Bearer <token>": it is replaced when the pact is verified.
  if (/^bearer +\S/i.test(value) || request.generated.has('header', 'authorization')) return [];
  return wrong('the Authorization header has no bearer token');
}

function newPlantProblems({ request }: PactInteraction): FoundProblem[] {
  return judgeBody('NewPlant', request.body?.text)
    .violations.filter(({ pointer }) => !request.generated.has('body', pointer.slice(1)))
    .map(({ pointer, message }) =>
      found(
        'invalid-request',
        ['request', 'body', pointer === '' ? undefined : pointer.slice(1)],
        `Success is expected, but ${message}.`,
      ),
    );
}

function queryProblems({ request: { query } }: PactInteraction): FoundProblem[] {
  const names =
    typeof query === 'string' ? [...new URLSearchParams(query).keys()] : Object.keys(objectOf(query));
  return [...new Set(names)].map((name) =>
    found(
      'unknown-parameter',
      ['request', 'query', name],
      `The query has ${quoted(name)}, but the interface has no query parameter.`,
    ),
  );
}

function requestTypeProblems({ request }: PactInteraction): FoundProblem[] {
  const problems: FoundProblem[] = [];
  const add = (field: string, message: string): void => {
    problems.push(found('media-type', ['request', 'header', field], message));
  };
  const accepted = headerValues(request.headers, 'accept');
  if (accepted.length > 0 && !acceptsJson(accepted.join(',')))
    add(
      'accept',
      `The request accepts ${accepted.map(quoted).join(', ')}, but all bodies are application/json.`,
    );
  const { body } = request;
  const [declared = body?.contentType] = headerValues(request.headers, 'content-type');
  if (body === undefined || request.generated.has('header', 'content-type')) return problems;
  if (declared === undefined)
    add(
      'content-type',
      'The request has no Content-Type, and the interface does not show the response to a body without one.',
    );
  else if (!isJsonMediaType(declared))
    add(
      'content-type',
      `The Content-Type of the request is ${quoted(declared)}, but all bodies are application/json. The interface does not show the response to another type.`,
    );
  return problems;
}

/** RFC 9110, section 12.5.1, without quality values. A type with the suffix +json counts too. */
function acceptsJson(accept: string): boolean {
  return accept.split(',').some((range) => {
    const essence = parseMediaType(range.trim())?.essence ?? '';
    return /^(\*|application)\/(\*|json|.+\+json)$/.test(essence);
  });
}

function openBodyProblems({ request }: PactInteraction): FoundProblem[] {
  const { body } = request;
  const at = (field: string) => ['request', 'body', field] as const;
  const value = objectOf(body?.value);
  const written = body && integerOf(value.id) !== undefined && new JsonSpans(body.text).textAt(['id']);
  const isUnusual = written && !/^-?\d+$/.test(written) && !request.generated.has('body', 'id');
  return [
    ...Object.keys(value)
      .filter((field) => !newPlantFields.includes(field))
      .map((field) =>
        found(
          'unknown-field',
          at(field),
          `The request has the field ${quoted(field)}, but a NewPlant has only name, id and tag. The interface does not show the response to another field.`,
        ),
      ),
    ...duplicateKeyProblems('request', body),
    ...(isUnusual
      ? [
          found(
            'not-shown',
            at('id'),
            `The id is written as ${written}, and the interface does not show the response to an integer in this form.`,
            'Resources and their fields, rule 2',
          ),
        ]
      : []),
  ];
}

function duplicateKeyProblems(side: FoundProblem['side'], body: PactBody | undefined): FoundProblem[] {
  return [...new Set(body?.duplicateKeys)].map((key) =>
    found('duplicate-key', [side, 'body', key], `The body of the ${side} has the key ${quoted(key)} twice.`),
  );
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

type Members = Readonly<Record<string, JsonValue>>;

/**
 * Compares the response that a consumer expects with what the interface promises: headers, media type and body
 * (Resources and their fields; Errors, rule 1). A consumer may expect less than that, but not more.
 *
 * @param isEmptyBody whether the pact expects that there is no body
 */
export function responseProblems(
  interaction: PactInteraction,
  result: ExpectedStatus['result'],
  isEmptyBody: boolean,
): FoundProblem[] {
  // The interface has no such response.
  if (result === 'neither') return [];
  const problems = [...headerProblems(interaction), ...responseTypeProblems(interaction)];
  const { body } = interaction.response;
  if (isEmptyBody)
    problems.push(
      bodyProblem('The response must have no body, but every response of the interface has one.'),
    );
  // A pact cannot describe a body that may be a Plant or an Error.
  else if (body !== undefined && result !== 'either')
    problems.push(...bodyProblems(interaction, result, body));
  return problems;
}

function headerProblems({ response }: PactInteraction): FoundProblem[] {
  const names = new Set(response.headers.map(([name]) => name.toLowerCase()));
  names.delete('content-type');
  return [...names].map((name) =>
    found(
      'unpromised-header',
      ['response', 'header', name],
      `The response must have the header ${quoted(name)}, but the interface promises only Content-Type.`,
    ),
  );
}

/** The Content-Type of conforming providers. The letter case of the charset is ignored. */
const JSON_TYPES = ['application/json', 'application/json; charset=utf-8'];

function responseTypeProblems({ response }: PactInteraction): FoundProblem[] {
  const [header] = headerValues(response.headers, 'content-type');
  const declared = header ?? response.body?.contentType;
  if (declared === undefined || response.generated.has('header', 'content-type')) return [];
  const place = ['response', 'header', 'content-type'] as const;
  if (!isJsonMediaType(declared)) {
    const message = `The Content-Type of the response must be ${quoted(declared)}, but all bodies are application/json.`;
    return [found('media-type', place, message)];
  }
  const rules = rulesForHeader(response, 'content-type');
  // Without a rule, Pact accepts additional parameters, but no missing ones.
  const rejected =
    rules === undefined
      ? (parseMediaType(declared)?.parameters.size ?? 0) > 0 && JSON_TYPES[0]
      : JSON_TYPES.find((type) => !satisfies(rules, type, declared));
  if (rejected === false || rejected === undefined) return [];
  const message = `The pact rejects a response with the Content-Type ${quoted(rejected)}, but the interface allows it.`;
  return [found('narrow-rule', place, message)];
}

function bodyProblems(
  interaction: PactInteraction,
  result: keyof typeof SCHEMAS,
  body: PactBody,
): FoundProblem[] {
  const { schema, fields, promise } = SCHEMAS[result];
  const { response } = interaction;
  // A consumer may rely on a part of what the interface promises.
  const wrong = judgeBody(schema, body.text).violations.filter(
    ({ pointer, keyword }) =>
      !(keyword === 'required' && pointer !== '') && !response.generated.has('body', pointer.slice(1)),
  );
  const wrongFields = new Set(wrong.map(({ pointer }) => pointer.slice(1)));
  const value = objectOf(body.value);
  const right: Members = Object.fromEntries(
    Object.entries(value).filter(([name]) => !wrongFields.has(name) && !response.generated.has('body', name)),
  );
  const unknown = Object.keys(value).filter((name) => !(fields as readonly string[]).includes(name));
  return [
    ...wrong.map(({ pointer, message }) =>
      bodyProblem(`In the response, ${message}.`, pointer === '' ? undefined : pointer.slice(1)),
    ),
    ...unknown.map((name) =>
      bodyProblem(`${promise}, but the response must also have ${quoted(name)}.`, name, 'unknown-field'),
    ),
    ...duplicateKeyProblems('response', body),
    ...(result === 'created' ? unsentProblems(interaction, right) : errorProblems(response, right)),
  ];
}

function bodyProblem(
  message: string,
  field?: string,
  kind: FoundProblem['kind'] = 'wrong-body',
  section?: string,
): FoundProblem {
  return found(kind, ['response', 'body', field], message, section);
}

/**
 * The name and the tag come back as they were sent. A tag that was not sent does not come back (Resources, rule 1).
 *
 * @param expected the members of the response that have the right type and are not generated
 */
function unsentProblems({ request, response }: PactInteraction, expected: Members): FoundProblem[] {
  const sent = objectOf(request.body?.value);
  const problems: FoundProblem[] = [];
  for (const field of ['name', 'tag'] as const) {
    const example = expected[field];
    if (example === undefined || request.generated.has('body', field)) continue;
    const value = sent[field];
    // An invalid request is a problem of its own.
    if (field === 'name' ? typeof value !== 'string' : value !== undefined && typeof value !== 'string')
      continue;
    if (typeof value === 'string' && satisfies(rulesForField(response, field), value, example)) continue;
    const message =
      value === undefined
        ? 'The response must have a tag, but the request has none.'
        : `The request has the ${field} ${quoted(String(value))}, but the pact rejects it in the response.`;
    problems.push(bodyProblem(message, field, 'unsent-value'));
  }
  return problems;
}

/** Values that conforming providers send in an Error. A rule that rejects one of them relies on a meaning. */
const CONFORMING: Readonly<Record<'error' | 'message', readonly (string | number)[]>> = {
  error: [1, 22, 400, 1001, 40_001, 2_147_483_647, 0, -1],
  message: ['The plant has no name.', 'unauthorized', 'id: must be an integer (int64)', ''],
};

/** A consumer must not rely on the values of an Error: the interface does not show what they mean (Errors, rule 2). */
function errorProblems(response: PactMessage, expected: Members): FoundProblem[] {
  const problems: FoundProblem[] = [];
  for (const field of ['error', 'message'] as const) {
    const example = expected[field];
    if (example === undefined) continue;
    const rules = rulesForField(response, field);
    const rejected = CONFORMING[field].find((value) => !satisfies(rules, value, example));
    if (rejected === undefined) continue;
    problems.push(
      demandEquality(rules)
        ? bodyProblem(
            `The ${field} must be exactly as in the pact, but the interface does not show its values. Use a matcher for its type.`,
            field,
            'exact-value',
          )
        : bodyProblem(
            `The matching rule rejects the ${field} ${JSON.stringify(rejected)}, but the interface does not show its values.`,
            field,
            'narrow-rule',
            'Errors, rule 2',
          ),
    );
  }
  return problems;
}
