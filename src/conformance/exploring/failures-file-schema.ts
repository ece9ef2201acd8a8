import type { Transfer } from '../exchange.js';
import { PHASES, type PlantTemplate, type RequestRow, type Row } from '../probe.js';

// Ajv compiles these schemas ahead of time: `npm run generate` writes failures-file.generated.ts. A `description` says what an
// error expects.

/** A schema for each member of a type. One that is missing, or too many, does not compile. */
type Members<T> = Readonly<Record<keyof T, object>>;

const string = { type: 'string' };
const integer = {
  type: 'integer',
  minimum: -(2 ** 53 - 1),
  maximum: 2 ** 53 - 1,
  description: 'a whole number',
};
const integers = { type: 'array', items: integer };
const boolean = { type: 'boolean' };
const digits = { type: 'string', pattern: '^-?[0-9]{1,40}$', description: 'digits in a string' };
const expectation = { enum: ['created', 'rejected', 'open'] };
const fields = {
  type: 'array',
  items: {
    type: 'array',
    minItems: 2,
    maxItems: 2,
    items: string,
    description: 'a list of a name and a value, which are strings',
  },
};

function object<T>(properties: Members<T>, required: readonly (keyof T)[] = []): object {
  return { type: 'object', properties, required, additionalProperties: false };
}

const transfer = object<Transfer>({
  headCuts: integers,
  bodyCuts: integers,
  cutAfterHead: boolean,
  chunks: integers,
  chunkExtension: {
    type: 'string',
    pattern: '^[\\t\\x20-\\x7e]*$',
    description: 'characters of ASCII in one line',
  },
  trailers: fields,
  endsTogether: boolean,
  awaitContinue: boolean,
  http10: boolean,
});

/** A request to another operation is no row of a file: nothing that a file says may go anywhere else. */
const request = object<Omit<RequestRow, 'otherOperation'>>(
  {
    headers: fields,
    body: string,
    encoding: { enum: ['gzip', 'utf-16le'] },
    plant: {
      if: { type: 'object' },
      // biome-ignore lint/suspicious/noThenProperty: it is the keyword of JSON Schema
      then: object<PlantTemplate>({ name: string, id: string, tag: string }, ['name', 'id']),
      else: { const: false, description: 'false, or an object' },
    },
    expectation,
    idMayExist: boolean,
    query: string,
    isUnusual: boolean,
    chunked: boolean,
    withoutUserAgent: boolean,
    transfer,
  },
  ['body'],
);

/** A row as a file has it. */
export const rowSchema = object<Omit<Row, 'parts' | 'ifRejected'>>(
  {
    name: string,
    title: string,
    expectation,
    rules: { type: 'array', items: string },
    phase: { enum: PHASES },
    control: {
      enum: ['plain-plant', 'plain-plant-with-tag', 'id-near-upper-end', 'id-near-lower-end', false],
    },
    together: boolean,
    alone: boolean,
    oneConnection: boolean,
    rare: boolean,
    ids: {
      type: 'array',
      minItems: 2,
      maxItems: 2,
      items: digits,
      description: 'the lowest and the highest id',
    },
    requests: { type: 'array', maxItems: 1000, items: request },
  },
  ['name', 'title', 'expectation', 'requests'],
);

/** A file of failures. What its rows have, `rowSchema` says. */
export const failuresFileSchema = {
  type: 'object',
  required: ['failuresVersion', 'failures'],
  properties: {
    failuresVersion: { const: 1, description: '1, as in a file that exploring has written' },
    failures: {
      type: 'array',
      items: {
        type: 'object',
        required: ['rule', 'row', 'foundAfter'],
        properties: { rule: string, row: { type: 'object' }, foundAfter: integer },
      },
    },
  },
};
