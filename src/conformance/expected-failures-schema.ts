import type { ExpectedFailure } from './options.js';

// Ajv compiles this schema ahead of time: `npm run generate` writes expected-failures.generated.ts.

const properties: Readonly<Record<keyof ExpectedFailure, object>> = {
  rule: { type: 'string' },
  reason: { type: 'string', pattern: '\\S' },
  until: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
};

/** A list of expected failures. Which rules and days there are, a schema cannot say. */
export const expectedFailuresSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['rule', 'reason'] satisfies (keyof ExpectedFailure)[],
    additionalProperties: false,
    properties,
  },
};
