import { validateHeaderName, validateHeaderValue } from 'node:http';
import { invalidOption } from './toolkit-error.js';

/** Header fields in order, names as written. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** Pairs of a flat list: `rawHeaders` and `rawTrailers` of Node. */
export function fieldsFrom(flat: readonly string[]): Fields {
  return Array.from(
    { length: flat.length / 2 },
    (_, i) => [flat[2 * i] as string, flat[2 * i + 1] as string] as const,
  );
}

/** @throws ToolkitError `invalid-option` where a field that an option names would not go out as it is */
export function checkSendable(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw invalidOption(`the header ${JSON.stringify(name)} or its value cannot be sent as it is`);
  }
}

/** What nobody may read of header fields: credentials, well-formed or not, whole and in their parts. */
export function secretsOf(fields: Fields): string[] {
  return fields.flatMap(([name, value]) =>
    /^(?:proxy-)?authorization$/i.test(name)
      ? [value, ...value.split(/[ \t,]+/).filter((part) => !SCHEME.test(part))].filter((text) => text !== '')
      : [],
  );
}

const SCHEME = /^(?:bearer|basic|digest|negotiate|token)?$/i;
