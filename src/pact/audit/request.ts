import { headerValues } from '../../http/fields.js';
import { isOperationPath, operation } from '../../spec/operation.js';
import { judgeBody } from '../../validation/body.js';
import { JsonSpans } from '../../validation/json-spans.js';
import { objectOf } from '../../validation/json-value.js';
import { isJsonMediaType, parseMediaType } from '../../validation/media-type.js';
import { newPlantFields } from '../../validation/schema.generated.js';
import { quoted } from '../../validation/violation.js';
import type { PactBody, PactInteraction } from '../pact-file.js';
import { integerOf } from '../states.js';
import { type FoundProblem, found } from './problem.js';
import { saysIdExists, saysTokenIsInvalid } from './provider-states.js';

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
    plant: plantProblems(interaction),
    open: [
      ...queryProblems(interaction),
      ...mediaTypeProblems(interaction),
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

function plantProblems({ request }: PactInteraction): FoundProblem[] {
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

function mediaTypeProblems({ request }: PactInteraction): FoundProblem[] {
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

/** The duplicate keys in a body. */
export function duplicateKeyProblems(side: FoundProblem['side'], body: PactBody | undefined): FoundProblem[] {
  return [...new Set(body?.duplicateKeys)].map((key) =>
    found('duplicate-key', [side, 'body', key], `The body of the ${side} has the key ${quoted(key)} twice.`),
  );
}
