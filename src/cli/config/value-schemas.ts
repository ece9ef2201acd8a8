import type { ValueType } from './option-table.js';

// Ajv compiles these schemas ahead of time, for the reader: `npm run generate` writes values.generated.ts. The schema of the
// options file has the same.

const variable = {
  type: 'object',
  description: 'The name of an environment variable that has the value.',
  required: ['env'],
  additionalProperties: false,
  properties: { env: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' } },
};
const VARIABLE = { $ref: '#/definitions/variable' };

/** What a value in the options file may be, beside a boolean and one of a few words. */
export const definitions = {
  variable,
  text: { anyOf: [{ type: 'string' }, VARIABLE] },
  integer: {
    anyOf: [
      { type: 'integer', minimum: -(2 ** 53 - 1), maximum: 2 ** 53 - 1 },
      { type: 'string', pattern: '^-?[0-9]+$' },
      VARIABLE,
    ],
  },
  texts: { type: 'array', minItems: 1, items: { $ref: '#/definitions/text' } },
  variables: { type: 'array', minItems: 1, items: VARIABLE },
} as const;

/** The definition of a type; none if it is a boolean, or one of a few words. */
export function definitionOf(type: ValueType, isSecret: boolean): keyof typeof definitions | undefined {
  if (type.type === 'integer') return 'integer';
  if (type.type === 'list') return isSecret ? 'variables' : 'texts';
  if (type.type === 'boolean' || type.choices !== undefined) return undefined;
  return isSecret ? 'variable' : 'text';
}
