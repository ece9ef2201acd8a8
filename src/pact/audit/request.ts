import { judgeBody } from '../../validation/body.js';
import { sliceAt } from '../../validation/json-slices.js';
import { isJsonMediaType, parseMediaType } from '../../validation/media-type.js';
import { newPlantFields } from '../../validation/schema.generated.js';
import { quoted } from '../../validation/violation.js';
import { integerOf } from '../integer.js';
import type { PactInteraction } from '../pact-file.js';
import { fieldsOf, headerValuesOf, isGenerated, type WireBody, wireBody } from './body.js';
import type { Finding } from './problem.js';
import { saysIdIsTaken, saysTokenIsInvalid } from './provider-states.js';

/** What can be said of a request before it is known what its consumer expects. Findings are worded for success. */
export interface JudgedRequest {
  /** Why the token does not authorise it. */
  readonly token: readonly Finding[];
  /** Why what it sends is no NewPlant. */
  readonly plant: readonly Finding[];
  /** What the interface says nothing about, neither that it is accepted nor that it is refused. */
  readonly open: readonly Finding[];
  readonly body: WireBody | undefined;
}

/** Judges the request of an interaction by the interface: Endpoints, "Create plant", and Authentication. */
export function judgeRequest(interaction: PactInteraction): JudgedRequest {
  const body = wireBody(interaction.request.body);
  return {
    token: tokenFindings(interaction),
    plant: plantFindings(interaction, body),
    open: [
      ...queryFindings(interaction),
      ...mediaTypeFindings(interaction),
      ...bodyOpenFindings(interaction, body),
      ...(saysIdIsTaken(interaction, fieldsOf(body?.value).id) ? [REPEATED_ID] : []),
    ],
    body,
  };
}

/** That an interaction is about the one operation that there is; what it asks for beside that has no meaning then. */
export function operationFindings({ request: { method, path } }: PactInteraction): Finding[] {
  const findings: Finding[] = [];
  const add = (part: 'method' | 'path', message: string): void => {
    findings.push({ kind: 'unknown-operation', side: 'request', part, message });
  };
  if (method !== 'POST')
    add('method', `The method is ${quoted(method)}, and POST is the only one of the interface.`);
  // The path of the base URL may come before it.
  if (!path.endsWith('/plants'))
    add('path', `The path is ${quoted(path)}, and the interface has …/plants only.`);
  return findings;
}

const REPEATED_ID: Finding = {
  kind: 'not-shown',
  ...{ side: 'request', part: 'body', field: 'id' },
  message:
    'A plant with this id exists, as the state says, and what a repeated id is answered with is not shown.',
  section: 'Endpoints, rule 3',
};

function tokenFindings(interaction: PactInteraction): Finding[] {
  const { request } = interaction;
  const wrong = (why: string): Finding[] => [
    {
      kind: 'no-valid-token',
      ...{ side: 'request', part: 'header', field: 'authorization' },
      message: `Success is expected, but ${why}.`,
    },
  ];
  const [value] = headerValuesOf(request, 'authorization');
  if (value === undefined) return wrong('the Authorization header is missing');
  if (saysTokenIsInvalid(interaction, value)) return wrong('the state says that the token is not valid');
  // An example is often no token by the letter, "Bearer <token>": another one is put in its place.
  if (/^bearer +\S/i.test(value) || isGenerated(request, 'header', 'authorization')) return [];
  return wrong('the Authorization header holds no bearer token');
}

function plantFindings({ request }: PactInteraction, body: WireBody | undefined): Finding[] {
  return judgeBody('NewPlant', body?.text)
    .violations.filter(({ pointer }) => !isGenerated(request, 'body', pointer.slice(1)))
    .map(({ pointer, message }) => ({
      kind: 'invalid-request',
      ...{ side: 'request', part: 'body' },
      ...(pointer !== '' && { field: pointer.slice(1) }),
      message: `Success is expected, but ${message}.`,
    }));
}

function queryFindings({ request: { query } }: PactInteraction): Finding[] {
  const names =
    typeof query === 'string' ? [...new URLSearchParams(query).keys()] : Object.keys(fieldsOf(query));
  return [...new Set(names)].map((name) => ({
    kind: 'unknown-parameter',
    ...{ side: 'request', part: 'query', field: name },
    message: `The query has ${quoted(name)}, and no query parameter is shown.`,
  }));
}

function mediaTypeFindings({ request }: PactInteraction): Finding[] {
  const findings: Finding[] = [];
  const add = (field: string, message: string): void => {
    findings.push({ kind: 'media-type', side: 'request', part: 'header', field, message });
  };
  const accepted = headerValuesOf(request, 'accept');
  if (accepted.length > 0 && !acceptsJson(accepted.join(',')))
    add(
      'accept',
      `The request accepts ${accepted.map(quoted).join(', ')}, and all bodies are application/json.`,
    );
  const { body } = request;
  const [declared = body?.contentType] = headerValuesOf(request, 'content-type');
  if (body === undefined || isGenerated(request, 'header', 'content-type')) return findings;
  if (declared === undefined)
    add(
      'content-type',
      'The request has no Content-Type, and what a body without one is answered with is not shown.',
    );
  else if (!isJsonMediaType(declared))
    add(
      'content-type',
      `The Content-Type of the request is ${quoted(declared)}; all bodies are application/json, and what another one is answered with is not shown.`,
    );
  return findings;
}

/** RFC 9110 section 12.5.1, quality aside; a suffix of JSON will do. */
function acceptsJson(accept: string): boolean {
  return accept.split(',').some((range) => {
    const essence = parseMediaType(range.trim())?.essence ?? '';
    return /^(\*|application)\/(\*|json|.+\+json)$/.test(essence);
  });
}

function bodyOpenFindings({ request }: PactInteraction, body: WireBody | undefined): Finding[] {
  const findings: Finding[] = [];
  const add = (kind: Finding['kind'], field: string, message: string, section?: string): void => {
    findings.push({
      ...{ kind, side: 'request', part: 'body', field, message },
      ...(section !== undefined && { section }),
    });
  };
  for (const field of Object.keys(fieldsOf(body?.value)))
    if (!newPlantFields.includes(field))
      add(
        'unknown-field',
        field,
        `The request has the field ${quoted(field)}; a NewPlant has name, id and tag, and what another field is answered with is not shown.`,
      );
  for (const key of new Set(body?.duplicateKeys))
    add('duplicate-key', key, `The body of the request has the key ${quoted(key)} twice.`);
  const written = body && integerOf(fieldsOf(body.value).id) !== undefined && textAt(body.text, 'id');
  if (written && !/^-?\d+$/.test(written) && !isGenerated(request, 'body', 'id'))
    add(
      'not-shown',
      'id',
      `The id is written ${written}, and what an integer in this form is answered with is not shown.`,
      'Resources and their fields, rule 2',
    );
  return findings;
}

/** A field of a JSON object as it is written. */
function textAt(text: string, field: string): string | undefined {
  const slice = sliceAt(text, [field]);
  return slice && text.slice(slice.start, slice.end);
}
