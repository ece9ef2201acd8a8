import type { ExpectedFailure } from './options.js';

// Ajv compiles this schema ahead of time: `npm run generate` writes expected-failures.generated.ts. A `title` says what an error
// expects.

const properties: Readonly<Record<keyof ExpectedFailure, object>> = {
  rule: { type: 'string', title: 'the id of a rule' },
  reason: { type: 'string', pattern: '\\S', title: 'a text that says why it is not fixed yet' },
  until: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', title: 'a day, as YYYY-MM-DD' },
};

/** A list of expected failures. Which rules and days there are, a schema cannot say. */
export const expectedFailuresSchema = {
  type: 'array',
  title: 'a list: [{ "rule": …, "reason": … }]',
  items: {
    type: 'object',
    required: ['rule', 'reason'] satisfies (keyof ExpectedFailure)[],
    additionalProperties: false,
    properties,
  },
};
