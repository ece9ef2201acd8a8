/**
 * A JSON number that neither a `number` nor an int64-sized `bigint` represents exactly: `1e400`, an integer of 20 digits,
 * `1.0000000000000000000001`. It keeps its text, so nothing is rounded.
 */
export class JsonNumber {
  /**
   * @param text the number as written
   * @param isInteger whether its value is an integer; `1e400` is one
   */
  constructor(
    readonly text: string,
    readonly isInteger: boolean,
  ) {}

  toString(): string {
    return this.text;
  }
}

/** A JSON object as read. All keys are own properties, `__proto__` too. */
export type JsonObject = { [key: string]: JsonValue };

/** A JSON value without rounded numbers. */
export type JsonValue = null | boolean | string | number | bigint | JsonNumber | JsonValue[] | JsonObject;

/**
 * The result of `readJson`: the value, and JSON pointers to the first 10 duplicate keys (the last value of a key counts, as
 * with `JSON.parse`); or
 * the offset in characters at which the text is not JSON, and why.
 */
export type JsonRead =
  | { readonly ok: true; readonly value: JsonValue; readonly duplicateKeys: readonly string[] }
  | { readonly ok: false; readonly offset: number; readonly message: string };

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
  );
}

/** Whether no string in a JSON value, keys included, has half a surrogate pair. */
export function isWellFormedThroughout(value: JsonValue): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormedThroughout);
  return !isObject(value) || Object.entries(value).flat().every(isWellFormedThroughout);
}

/** A JSON pointer (RFC 6901) from the keys that lead to a value. */
export function pointerTo(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The value at a path in a JSON value; `undefined` if there is none. */
export function valueAt(whole: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, key) => Object(value)[key], whole);
}

/** The keys of a JSON pointer (RFC 6901). */
export function keysIn(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** int64 has at most 19 digits. A longer integer is out of every range here, and slow to build. */
const MAX_INTEGER_DIGITS = 19;
/** A double is exact for decimals of this many digits, with exponents in the range below. */
const EXACT_FRACTION_DIGITS = 15;
const EXACT_FRACTION_EXPONENT = 290;

/**
 * The exact value of a number token of RFC 8259, section 6: a `number` if a double is exact, a `bigint` for other
 * integers of up to 19 digits, otherwise a {@link JsonNumber}. `1.0` and `1e3` are integers; `-0` is 0.
 */
export function exactNumber(token: string): number | bigint | JsonNumber {
  // Most numbers. `-0` is 0.
  if (/^-?[0-9]{1,15}$/.test(token)) return Number(token) || 0;
  const negative = token.startsWith('-');
  const mark = token.search(/[eE]/);
  const mantissa = token.slice(negative ? 1 : 0, mark === -1 ? undefined : mark);
  const dot = mantissa.indexOf('.');
  const fractionDigits = dot === -1 ? 0 : mantissa.length - dot - 1;
  const [digits, trailingZeros] = significant(mantissa.replace('.', ''));
  if (digits === '') return 0;

  // The value is digits × 10^scale. An exponent too long for a double gives ±Infinity, which compares correctly.
  const scale = (mark === -1 ? 0 : Number(token.slice(mark + 1))) - fractionDigits + trailingZeros;
  if (scale < 0) {
    const exact = digits.length <= EXACT_FRACTION_DIGITS && scale >= -EXACT_FRACTION_EXPONENT;
    return exact ? Number(token) : new JsonNumber(token, false);
  }
  if (digits.length + scale > MAX_INTEGER_DIGITS) return new JsonNumber(token, true);
  const magnitude = BigInt(digits + '0'.repeat(scale));
  return narrow(negative ? -magnitude : magnitude);
}

/** An integer as a `number` if that is exact, otherwise as a `bigint`: one value has one representation. */
export function narrow(integer: number | bigint): number | bigint {
  if (typeof integer === 'number') return Number.isSafeInteger(integer) ? integer : BigInt(integer);
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}

/** The digits without leading and trailing zeros, and the number of trailing zeros. In linear time, thanks to the lookbehind. */
function significant(digits: string): [string, number] {
  const withoutLeading = digits.replace(/^0+/, '');
  const short = withoutLeading.replace(/(?<!0)0+$/, '');
  return [short, withoutLeading.length - short.length];
}

/** A value as an object; an empty object if it is something else. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}
