// @ts-check
import { isUtf8 } from 'node:buffer';
import { jsonBytes } from '../inputs/json-text.mjs';
import { must } from '../run.mjs';

const MOST_LEVELS = 500;

/**
 * `readJson`, compared with `JSON.parse`; numbers, digit by digit, with the text; and what reads and writes JSON beside it.
 *
 * @type {import('../run.mjs').Reader}
 */
export const json = {
  title: 'JSON',
  async prepare(load) {
    const { readJson } = await load('validation/json.js');
    const { spanAt } = await load('validation/json.js');
    const { writeJson } = await load('validation/json.js');
    return {
      input: jsonBytes,
      check(/** @type {Buffer} */ bytes) {
        const read = readJson(bytes);
        const parsed = parsedBy(bytes);
        if (!read.ok) {
          const { message, offset } = read;
          must(offset >= 0 && offset <= bytes.length, () => `the offset ${offset} is outside`);
          must(/^\P{C}+$/u.test(message), () => `not one line: ${JSON.stringify(message)}`);
          const isTooDeep = parsed !== undefined && levelsIn(bytes.toString()) > MOST_LEVELS;
          must(parsed === undefined || isTooDeep, () => `rejects what JSON.parse accepts: ${message}`);
          return 'rejected';
        }
        must(parsed !== undefined, () => 'accepts what JSON.parse rejects');
        const text = bytes.toString();
        must(levelsIn(text) <= MOST_LEVELS, () => 'accepts too many levels');
        must(
          isSame(read.value, parsed.value),
          () => `not the value of JSON.parse: ${JSON.stringify(parsed)}`,
        );
        const hasDuplicates = withoutStrings(text).split(':').length - 1 !== keysIn(parsed.value);
        must(hasDuplicates === read.duplicateKeys.length > 0, () => `duplicate keys: ${read.duplicateKeys}`);
        if (!hasDuplicates) numbersAgree(text, read.value);
        const written = readJson(Buffer.from(writeJson(read.value)));
        must(written.ok && isSame(written.value, parsed.value), () => 'writeJson changes it');
        spansAgree((path) => spanAt(text, path), text, parsed.value, []);
        return 'accepted';
      },
    };
  },
};

/**
 * What `JSON.parse` returns for bytes; `undefined` if they are no JSON.
 *
 * @param {Buffer} bytes
 * @returns {{ value: unknown } | undefined}
 */
function parsedBy(bytes) {
  if (!isUtf8(bytes)) return undefined;
  try {
    return { value: JSON.parse(bytes.toString()) };
  } catch {
    return undefined;
  }
}

const STRING = /"(?:[^"\\]|\\.)*"/g;

/** @param {string} text */
const withoutStrings = (text) => text.replace(STRING, '"');

/** @param {string} text */
function levelsIn(text) {
  let [levels, most] = [0, 0];
  for (const character of withoutStrings(text)) {
    if (character === '{' || character === '[') most = Math.max(most, ++levels);
    else if (character === '}' || character === ']') levels--;
  }
  return most;
}

/** @type {(value: unknown) => number} */
function keysIn(value) {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum, one) => sum + keysIn(one), own);
}

/**
 * Whether an exact value is the one that `JSON.parse` gives, which rounds numbers.
 *
 * @type {(exact: any, parsed: any) => boolean}
 */
function isSame(exact, parsed) {
  if (typeof parsed === 'number') return Number(isJsonNumber(exact) ? exact.text : exact) === parsed;
  if (typeof parsed !== 'object' || parsed === null) return exact === parsed;
  if (Array.isArray(exact) !== Array.isArray(parsed)) return false;
  const keys = Object.keys(parsed);
  const others = Object.keys(exact);
  return (
    keys.length === others.length &&
    keys.every((key, at) => key === others[at] && isSame(exact[key], parsed[key]))
  );
}

/** @type {(value: any) => boolean} */
const isJsonNumber = (value) => value?.constructor?.name === 'JsonNumber' && typeof value.text === 'string';

const INTEGER_KEY = /^\d+$/;

/**
 * Every number has the value that is written, digit by digit, and integers of a size have one representation.
 *
 * @param {string} text
 * @param {unknown} value
 */
function numbersAgree(text, value) {
  /** @type {unknown[]} */
  const found = [];
  let isInOrder = true;
  const walk = (/** @type {any} */ one) => {
    if (typeof one === 'number' || typeof one === 'bigint' || isJsonNumber(one)) found.push(one);
    else if (typeof one === 'object' && one !== null) {
      // JavaScript moves such keys to the front.
      if (!Array.isArray(one)) isInOrder &&= !Object.keys(one).some((key) => INTEGER_KEY.test(key));
      Object.values(one).forEach(walk);
    }
  };
  walk(value);
  if (!isInOrder) return;
  const tokens = withoutStrings(text).match(/-?\d[\d.eE+-]*/g) ?? [];
  must(tokens.length === found.length, () => `${tokens.length} numbers are written, ${found.length} read`);
  for (const [at, token] of tokens.entries()) {
    const read = /** @type {any} */ (found[at]);
    must(decimal(String(read)) === decimal(token), () => `${token} is read as ${read}`);
    const isSafe = typeof read === 'bigint' && Number.isSafeInteger(Number(read));
    must(!isSafe, () => `${token} is read as a bigint`);
    const isRounded = Number.isInteger(read) && !Number.isSafeInteger(read);
    must(!isRounded, () => `${token} is read as a number`);
  }
}

/**
 * A number in one spelling: its sign, its digits without zeros around them, and its exponent.
 *
 * @param {string} token
 */
function decimal(token) {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  if (short === '') return '0';
  const scale = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - short.length);
  return `${sign}${short}e${scale}`;
}

/**
 * The span of each value is the text of that value.
 *
 * @param {(path: (string | number)[]) => { start: number, end: number } | undefined} spanAt
 * @param {string} whole
 * @param {any} value
 * @param {(string | number)[]} path
 */
function spansAgree(spanAt, whole, value, path) {
  const span = spanAt(path);
  const text = span && whole.slice(span.start, span.end);
  const inSpan = text === undefined ? undefined : parsedBy(Buffer.from(text));
  must(
    inSpan !== undefined && JSON.stringify(inSpan.value) === JSON.stringify(value),
    () => `at /${path.join('/')} is ${text}`,
  );
  if (typeof value !== 'object' || value === null || path.length > 1) return;
  for (const key of Object.keys(value)) spansAgree(spanAt, whole, value[key], [...path, key]);
}
