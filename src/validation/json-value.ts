import type { JsonNumber } from './json-number.js';

/** A JSON object as read: keys are ordinary own properties, `__proto__` included. */
export type JsonObject = { [key: string]: JsonValue };

/** A JSON value in which no number has been rounded. */
export type JsonValue = null | boolean | string | number | bigint | JsonNumber | JsonValue[] | JsonObject;

/**
 * What `readJson` found: the value and the JSON pointers of keys that occur again in their object (the
 * last one counts, as with `JSON.parse`), or the offset in bytes at which the text stops being JSON, and why.
 */
export type JsonRead =
  | { readonly ok: true; readonly value: JsonValue; readonly duplicateKeys: readonly string[] }
  | { readonly ok: false; readonly offset: number; readonly message: string };
