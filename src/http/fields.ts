import { invalidOption } from '../toolkit-error.js';

/** Header fields in order, names as written. */
export type Fields = readonly (readonly [name: string, value: string])[];

/**
 * Header fields in any of the usual shapes, names in any letter case: a record, pairs in order, a fetch `Headers`, or
 * names and values in turn, as `rawHeaders` of Node gives them.
 */
export type HeaderFields =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | Iterable<readonly [name: string, value: string]>
  | readonly string[];

/**
 * All values of one header field, in order: the one header lookup of this package.
 *
 * @param name in lower case
 */
export function headerValues(headers: HeaderFields, name: string): readonly string[] {
  const found: string[] = [];
  if (isFlat(headers)) {
    for (let i = 0; i + 1 < headers.length; i += 2) {
      const key = headers[i] as string;
      if (key.length === name.length && key.toLowerCase() === name) found.push(headers[i + 1] as string);
    }
    return found;
  }
  for (const [key, value] of isIterable(headers) ? headers : Object.entries(headers)) {
    if (key.length !== name.length || key.toLowerCase() !== name || value === undefined) continue;
    if (typeof value === 'string') found.push(value);
    else found.push(...value);
  }
  return found;
}

/** Header fields that can be read more than once: an iterator cannot. */
export function rereadable(headers: HeaderFields): HeaderFields {
  return isIterable(headers) && !isFlat(headers) ? [...headers] : headers;
}

/** The names of all fields, as written; a name may occur twice. */
export function headerNames(headers: HeaderFields): string[] {
  if (isFlat(headers)) return headers.filter((_, index) => index % 2 === 0);
  return isIterable(headers) ? Array.from(headers, ([name]) => name) : Object.keys(headers);
}

/** Whether all names are in lower case, as HTTP/2 has them; not if there are none. */
export function areInLowerCase(fields: Fields): boolean {
  return fields.length > 0 && fields.every(([name]) => name === name.toLowerCase());
}

function isFlat(headers: HeaderFields): headers is readonly string[] {
  return Array.isArray(headers) && typeof headers[0] === 'string';
}

function isIterable(headers: HeaderFields): headers is Iterable<readonly [string, string]> {
  return Symbol.iterator in headers;
}

/** Pairs of a flat list: `rawHeaders` and `rawTrailers` of Node. */
export function fieldsFrom(flat: readonly string[]): Fields {
  const fields: [string, string][] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) fields.push([flat[i] as string, flat[i + 1] as string]);
  return fields;
}

/**
 * A field value without spaces and tabs around it, which are not part of it (RFC 9110, section 5.5). Other white space
 * is. In linear time: without the lookbehind, a long run of spaces would be tried from each of them.
 */
export function withoutOuterSpace(value: string): string {
  return value.replace(/^[ \t]+/, '').replace(/(?<![ \t])[ \t]+$/, '');
}

/** A field name, and the characters of a field value (RFC 9110, section 5). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether a field can be sent unchanged. */
function isSendable(name: string, value: string): boolean {
  return NAME.test(name) && VALUE.test(value);
}

/** @throws ToolkitError `invalid-option` if a field that an option names cannot be sent unchanged */
export function checkSendable(name: string, value: string): void {
  if (!isSendable(name, value))
    throw invalidOption(`the header ${JSON.stringify(name)} or its value cannot be sent as it is`);
}
