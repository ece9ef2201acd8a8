/**
 * A JSON number that no `number` and no int64-sized `bigint` holds exactly: `1e400`, an integer of 20 digits,
 * `1.0000000000000000000001`. It keeps its text, so that nothing is rounded on the way to a message.
 */
export class JsonNumber {
  /**
   * @param text the number as it was written
   * @param isInteger whether its value, however it is written, is an integer (`1e400` is)
   */
  constructor(
    readonly text: string,
    readonly isInteger: boolean,
  ) {}

  toString(): string {
    return this.text;
  }
}

/** int64 has at most 19 digits: a longer integer is out of every range that matters, and costly to build. */
const MAX_INTEGER_DIGITS = 19;
/** A double gives back every decimal of so many digits, whatever its exponent in the range below. */
const EXACT_FRACTION_DIGITS = 15;
const EXACT_FRACTION_EXPONENT = 290;

/**
 * The exact value of a number token of RFC 8259, section 6: a `number` where a double is exact, a `bigint` for
 * integers of up to 19 digits, else a {@link JsonNumber}. `1.0` and `1e3` are integers; `-0` is 0.
 */
export function exactNumber(token: string): number | bigint | JsonNumber {
  const negative = token.startsWith('-');
  const mark = token.search(/[eE]/);
  const mantissa = token.slice(negative ? 1 : 0, mark === -1 ? undefined : mark);
  const dot = mantissa.indexOf('.');
  const fractionDigits = dot === -1 ? 0 : mantissa.length - dot - 1;
  const [digits, trailingZeros] = significant(mantissa.replace('.', ''));
  if (digits === '') return 0;

  // The value is digits × 10^scale. An exponent too long for a double makes this ±Infinity, which compares right.
  const scale = (mark === -1 ? 0 : Number(token.slice(mark + 1))) - fractionDigits + trailingZeros;
  if (scale < 0) {
    const exact = digits.length <= EXACT_FRACTION_DIGITS && scale >= -EXACT_FRACTION_EXPONENT;
    return exact ? Number(token) : new JsonNumber(token, false);
  }
  if (digits.length + scale > MAX_INTEGER_DIGITS) return new JsonNumber(token, true);
  const magnitude = BigInt(digits + '0'.repeat(scale));
  return narrow(negative ? -magnitude : magnitude);
}

/** An integer as a `number` where that is exact, else as a `bigint`: one value has one representation. */
export function narrow(integer: number | bigint): number | bigint {
  if (typeof integer === 'number') return Number.isSafeInteger(integer) ? integer : BigInt(integer);
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}

/** The digits without leading and trailing zeros, and how many trailing zeros there were. Linear on purpose. */
function significant(digits: string): [string, number] {
  let start = 0;
  let end = digits.length;
  while (start < end && digits[start] === '0') start++;
  while (end > start && digits[end - 1] === '0') end--;
  return [digits.slice(start, end), digits.length - end];
}
