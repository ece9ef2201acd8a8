import { headerValues } from '../../http/fields.js';
import { judgeBody } from '../../validation/body.js';
import { type JsonValue, objectOf } from '../../validation/json-value.js';
import { isJsonMediaType, parseMediaType } from '../../validation/media-type.js';
import { plantFields } from '../../validation/schema.generated.js';
import { quoted } from '../../validation/violation.js';
import { demandEquality, rulesForField, rulesForHeader, satisfies } from '../matching/rules.js';
import type { PactBody, PactInteraction, PactMessage } from '../pact-file.js';
import type { ExpectedStatus } from './expected-status.js';
import { type FoundProblem, found } from './problem.js';
import { duplicateKeyProblems } from './request.js';

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
  const problems = [...headerProblems(interaction), ...mediaTypeProblems(interaction)];
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

function mediaTypeProblems({ response }: PactInteraction): FoundProblem[] {
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
    ...(result === 'created' ? plantProblems(interaction, right) : errorProblems(response, right)),
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
function plantProblems({ request, response }: PactInteraction, expected: Members): FoundProblem[] {
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
