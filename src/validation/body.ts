import { isJsonMediaType } from './media-type.js';
import { type Body, readBody } from './message.js';
import { type SchemaName, validateSchema } from './schema.js';
import { quoted, type Violation } from './violation.js';

/** Judges the Content-Type: `application/json`, once, with any parameters (interface: "All bodies are JSON"). */
export function judgeMediaType(values: readonly string[]): Violation[] {
  const [value] = values;
  if (value !== undefined && values.length === 1 && isJsonMediaType(value)) return [];
  const actual = value === undefined ? 'nothing' : values.map(quoted).join(' and ');
  const message =
    value === undefined
      ? 'the Content-Type header is missing; all bodies are application/json'
      : `the Content-Type must be application/json; got ${actual}`;
  const expected = 'application/json';
  return [{ part: 'header', pointer: '/content-type', keyword: 'media-type', message, expected, actual }];
}

/** The violations of a body, and its value if it is JSON. */
export interface JudgedBody {
  readonly violations: Violation[];
  readonly value?: unknown;
}

const EXPECTED = { NewPlant: 'a NewPlant as JSON', Plant: 'a Plant as JSON', Error: 'an Error as JSON' };

/** Judges a body: it is there, it is one JSON text, and it conforms to a schema of the document. */
export function judgeBody(schema: SchemaName, body: Body): JudgedBody {
  const read = readBody(body);
  const expected = EXPECTED[schema];
  if (read === undefined) {
    const message = `the body is missing; it must be ${expected}`;
    return {
      violations: [{ part: 'body', pointer: '', keyword: 'required', message, expected, actual: 'nothing' }],
    };
  }
  if (!read.ok) {
    const message = `the body is not JSON: ${read.message}, at byte ${read.offset}`;
    return {
      violations: [{ part: 'body', pointer: '', keyword: 'json', message, expected, actual: read.message }],
    };
  }
  return { violations: validateSchema(schema, read.value), value: read.value };
}
