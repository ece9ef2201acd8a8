import { judgeBody } from '../../validation/body.js';
import type { JsonValue } from '../../validation/json-value.js';
import { isJsonMediaType, parseMediaType } from '../../validation/media-type.js';
import { plantFields } from '../../validation/schema.generated.js';
import { quoted } from '../../validation/violation.js';
import type { PactInteraction } from '../pact-file.js';
import { fieldsOf, headerValuesOf, isGenerated, type WireBody, wireBody } from './body.js';
import { satisfies } from './matchers.js';
import { rulesForHeader } from './matching-rules.js';
import type { Finding } from './problem.js';
import { failureValueFindings, plantValueFindings } from './response-values.js';
import type { StatusDemand } from './status.js';

/** What a response of the interface has by its status. */
const SCHEMAS = {
  created: { schema: 'Plant', fields: plantFields, carries: 'A 200 carries the fields of Plant only' },
  refused: {
    schema: 'Error',
    fields: ['error', 'message'],
    carries: 'An Error is promised to have error and message',
  },
} as const;

/**
 * Holds the response that a consumer relies on against what the interface promises: headers, media type and body
 * (Resources and their fields; Errors, rule 1). Less than that may be asked for, more not.
 *
 * @param isEmptyBody whether the pact demands that there be no body
 */
export function responseFindings(
  interaction: PactInteraction,
  outcome: StatusDemand['outcome'],
  isEmptyBody: boolean,
): Finding[] {
  // The interface has no such response at all.
  if (outcome === 'neither') return [];
  const findings = [...headerFindings(interaction), ...mediaTypeFindings(interaction)];
  const body = wireBody(interaction.response.body);
  if (isEmptyBody)
    findings.push(
      bodyFinding('The response has to have no body, and all responses of the interface have one.'),
    );
  // A body that may be either of two is more than a pact can say.
  else if (body !== undefined && outcome !== 'either')
    findings.push(...bodyFindings(interaction, outcome, body));
  return findings;
}

function headerFindings({ response }: PactInteraction): Finding[] {
  const names = new Set(response.headers.map(([name]) => name.toLowerCase()));
  names.delete('content-type');
  return [...names].map((name) => ({
    kind: 'unpromised-header',
    ...{ side: 'response', part: 'header', field: name },
    message: `The response has to have the header ${quoted(name)}, and no header but Content-Type is promised.`,
  }));
}

/** What providers send that conform; the letters of the charset aside, there is no third. */
const JSON_TYPES = ['application/json', 'application/json; charset=utf-8'];

function mediaTypeFindings({ response }: PactInteraction): Finding[] {
  const [header] = headerValuesOf(response, 'content-type');
  const declared = header ?? response.body?.contentType;
  if (declared === undefined || isGenerated(response, 'header', 'content-type')) return [];
  const place = { side: 'response', part: 'header', field: 'content-type' } as const;
  if (!isJsonMediaType(declared)) {
    const message = `The Content-Type of the response has to be ${quoted(declared)}, and all bodies are application/json.`;
    return [{ kind: 'media-type', ...place, message }];
  }
  const rules = rulesForHeader(response.matchingRules, 'content-type');
  // Without a rule, Pact lets a provider add parameters, and not leave them out.
  const refused =
    rules === undefined
      ? (parseMediaType(declared)?.parameters.size ?? 0) > 0 && JSON_TYPES[0]
      : JSON_TYPES.find((type) => !satisfies(rules, type, declared));
  if (refused === false || refused === undefined) return [];
  const message = `The Content-Type of the response may not be ${quoted(refused)}, and parameters of a media type are not shown.`;
  return [{ kind: 'narrow-rule', ...place, message }];
}

function bodyFindings(
  interaction: PactInteraction,
  outcome: keyof typeof SCHEMAS,
  body: WireBody,
): Finding[] {
  const { schema, fields, carries } = SCHEMAS[outcome];
  const { response } = interaction;
  // A consumer may rely on a part of what is promised.
  const wrong = judgeBody(schema, body.text).violations.filter(
    ({ pointer, keyword }) =>
      !(keyword === 'required' && pointer !== '') && !isGenerated(response, 'body', pointer.slice(1)),
  );
  const wrongFields = new Set(wrong.map(({ pointer }) => pointer.slice(1)));
  const isRight = (name: string): boolean => !wrongFields.has(name) && !isGenerated(response, 'body', name);
  const value = fieldsOf(body.value);
  const right: Readonly<Record<string, JsonValue>> = Object.fromEntries(
    Object.entries(value).filter(([name]) => isRight(name)),
  );
  const unknown = Object.keys(value).filter((name) => !(fields as readonly string[]).includes(name));
  return [
    ...wrong.map(({ pointer, message }) =>
      bodyFinding(`In the response, ${message}.`, pointer === '' ? undefined : pointer.slice(1)),
    ),
    ...unknown.map((name) => ({
      ...bodyFinding(`${carries}; the response has to have ${quoted(name)} as well.`, name),
      kind: 'unknown-field' as const,
    })),
    ...[...new Set(body.duplicateKeys)].map((key) => ({
      ...bodyFinding(`The body of the response has the key ${quoted(key)} twice.`, key),
      kind: 'duplicate-key' as const,
    })),
    ...(outcome === 'created'
      ? plantValueFindings(interaction, right)
      : failureValueFindings(response, right)),
  ];
}

function bodyFinding(message: string, field?: string): Finding {
  return {
    kind: 'wrong-body',
    ...{ side: 'response', part: 'body', message },
    ...(field !== undefined && { field }),
  };
}
