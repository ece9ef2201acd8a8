import type { JsonValue } from '../../validation/json-value.js';
import { quoted } from '../../validation/violation.js';
import type { PactInteraction, PactMessage } from '../pact-file.js';
import { fieldsOf, isGenerated, wireBody } from './body.js';
import { demandEquality, satisfies } from './matchers.js';
import { rulesForField } from './matching-rules.js';
import type { Finding } from './problem.js';

type Fields = Readonly<Record<string, JsonValue>>;

/**
 * That a consumer relies on a name and a tag to come back as they were sent, and on no other; an absent tag stays
 * absent (Resources, rule 1).
 *
 * @param fields of the response that are worth a look: of the right type, and not generated
 */
export function plantValueFindings({ request, response }: PactInteraction, fields: Fields): Finding[] {
  const sent = fieldsOf(wireBody(request.body)?.value);
  const findings: Finding[] = [];
  for (const field of ['name', 'tag'] as const) {
    const expected = fields[field];
    if (expected === undefined || isGenerated(request, 'body', field)) continue;
    const value = sent[field];
    // What is wrong about the request is said there.
    if (field === 'name' ? typeof value !== 'string' : value !== undefined && typeof value !== 'string')
      continue;
    if (typeof value === 'string' && satisfies(rulesForField(response.matchingRules, field), value, expected))
      continue;
    const message =
      value === undefined
        ? 'A tag has to come back, and none is sent.'
        : `The ${field} ${quoted(String(value))} is sent, and the response may not have it.`;
    findings.push({ kind: 'unsent-value', side: 'response', part: 'body', field, message });
  }
  return findings;
}

/** What conforming providers send in an Error: a rule that refuses one of them relies on a meaning. */
const CONFORMING: Readonly<Record<'error' | 'message', readonly (string | number)[]>> = {
  error: [1, 22, 400, 1001, 40_001, 2_147_483_647, 0, -1],
  message: ['The plant has no name.', 'unauthorized', 'id: must be an integer (int64)', ''],
};

/** That a consumer relies on no value of an Error: what they mean is not shown (Errors, rule 2). */
export function failureValueFindings(response: PactMessage, fields: Fields): Finding[] {
  const findings: Finding[] = [];
  for (const field of ['error', 'message'] as const) {
    const expected = fields[field];
    if (expected === undefined) continue;
    const rules = rulesForField(response.matchingRules, field);
    const refused = CONFORMING[field].find((value) => !satisfies(rules, value, expected));
    if (refused === undefined) continue;
    const place = { side: 'response', part: 'body', field } as const;
    findings.push(
      demandEquality(rules)
        ? {
            kind: 'exact-value',
            ...place,
            message: `The ${field} has to be exactly as in the pact, and what providers put there is not shown; a matcher for its type would do.`,
          }
        : {
            kind: 'narrow-rule',
            ...place,
            message: `The ${field} may not be ${JSON.stringify(refused)}, as the matching rule has it; what providers put there is not shown.`,
            section: 'Errors, rule 2',
          },
    );
  }
  return findings;
}
