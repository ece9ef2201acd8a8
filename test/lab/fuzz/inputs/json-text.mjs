// @ts-check
import { damaged } from './mutate.mjs';
import { one, some, upTo } from './pick.mjs';

/** @typedef {import('../run.mjs').Random} Random */

/** The words of a text. @param {readonly string[]} texts */
const words = (...texts) => texts.flatMap((text) => text.split(' '));

const NUMBERS = words(
  '0 -0 1 -1 7 1.0 -0.0 0e0 1e2 1E+2 120e-1 1e-9 0.1 123.456e-3 999999999999999 9999999999999999',
  '9007199254740991 9007199254740992 9007199254740993 -9007199254740993 9007199254740993.0',
  '9223372036854775807 9223372036854775808 -9223372036854775808 12345678901234567890 1e18 1e19',
  '1e400 -1e400 1e-400 1e99999999999 0e99999999999 1.0000000000000000000001 0.30000000000000004',
  '123456789012345.6 1e308 5e-324 1.5e300',
);
const NOT_NUMBERS = words('00 01 - +1 .5 1. 1e 1e+ 0x1 NaN Infinity --1 1_0 １');
const CHARACTERS = [
  ...[' ', '\u2028', '\ufeff', '\u007f', '\u00a0'],
  ...words('a b 0 / é 🌱 : { } [ ] , -'),
  ...words(String.raw`\n \" \\ \/ \b \u0000 \u0061 \u00e9 \ud83c\udf31 \ud800 \udf31`),
];
const BROKEN_CHARACTERS = ['\n', '\0', '\t', ...words(String.raw`\x \u12 \ " ' \U0061`)];
const KEYS = ['', ...words(String.raw`a \u0061 b a/b a~b __proto__ constructor 1 0 é name id tag`)];
const SPACES = ['', '', '', '', ' ', '\n', '\r\n', '\t', '  '];
const BROKEN_SPACES = ['\u00a0', '\f', '\ufeff', '/**/', '//\n', '\0', '\u2028'];
const LITERALS = ['null', 'true', 'false'];
const BROKEN_LITERALS = ['', ...words(`nul True undefined 'a' nullnull [,] {,} [1,] {"a"} {a:1} {"a":}`)];
const INSERTED = [
  ...'{}[]:,"\\/\'0123456789-+.eEnulltruefals \t\n\0\x7f\u00a0\ufeffé🌱',
  ...['\\u', '":"', '},{'],
];

/**
 * A JSON text. It has duplicate keys, every notation of numbers and strings, and free white space.
 *
 * @param {Random} random
 * @param {number} flaws how often a part is not JSON, from 0 to 1
 */
function jsonText(random, flaws = 0) {
  const either = (/** @type {readonly string[]} */ good, /** @type {readonly string[]} */ bad) =>
    one(flaws > 0 && random() < flaws ? bad : good, random);
  const space = () => (random() < 0.7 ? '' : either(SPACES, BROKEN_SPACES));
  const string = () => `"${some(5, random, () => either(CHARACTERS, BROKEN_CHARACTERS)).join('')}"`;
  const number = () =>
    random() < 0.3
      ? String(Math.trunc((random() - 0.5) * 10 ** upTo(19, random)))
      : either(NUMBERS, NOT_NUMBERS);
  const key = () => (random() < 0.9 ? `"${one(KEYS, random)}"` : string());
  /** @type {(depth: number) => string} */
  const value = (depth) => {
    const kind = random() * (depth > 0 ? 1 : 0.6);
    if (kind < 0.2) return number();
    if (kind < 0.45) return string();
    if (kind < 0.6) return either(LITERALS, BROKEN_LITERALS);
    if (kind < 0.78) return `[${space()}${some(4, random, () => padded(depth)).join(',')}${space()}]`;
    const member = () => `${space()}${key()}${space()}:${padded(depth)}`;
    return `{${space()}${some(4, random, member).join(',')}${space()}}`;
  };
  const padded = (/** @type {number} */ depth) => `${space()}${value(depth - 1)}${space()}`;
  const text = padded(1 + upTo(4, random));
  return random() < 0.01 ? nested(text, random) : text;
}

/**
 * A value within about as many brackets as are accepted.
 *
 * @param {string} text
 * @param {Random} random
 */
function nested(text, random) {
  const levels = 490 + upTo(20, random);
  const [open, close] = random() < 0.5 ? ['[', ']'] : ['{"a":', '}'];
  return open.repeat(levels) + text + close.repeat(random() < 0.9 ? levels : levels - 1);
}

/**
 * The bytes of a JSON text: as it is, with flaws, with other characters, or with other bytes.
 *
 * @param {Random} random
 * @returns {Buffer}
 */
export function jsonBytes(random) {
  const kind = random();
  if (kind < 0.4) return Buffer.from(jsonText(random));
  if (kind < 0.55) return Buffer.from(jsonText(random, 0.1));
  if (kind < 0.85) return Buffer.from(edited(jsonText(random), random));
  return damaged(Buffer.from(jsonText(random)), random);
}

/**
 * A text with some characters inserted, removed or replaced.
 *
 * @param {string} text
 * @param {Random} random
 */
function edited(text, random) {
  let changed = text;
  for (let times = 1 + upTo(2, random); times > 0; times--) {
    const at = upTo(changed.length, random);
    const put = random() < 0.7 ? one(INSERTED, random) : '';
    changed = changed.slice(0, at) + put + changed.slice(at + (random() < 0.5 ? 1 : 0));
  }
  return changed;
}
