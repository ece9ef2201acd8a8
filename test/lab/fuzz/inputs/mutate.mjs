// @ts-check
/** What breaks readers: brackets, ends of strings, numbers, names, deep nesting. */
const PIECES = [
  ...'{}[]"\\,:\0%',
  ...['\r\n', '\ufeff', '\ud800', '\\ud800', '1e999', '-0', '9007199254740993', 'null', 'true'],
  ...['"__proto__":', '{"constructor":1}', '::error::', '(a+)+$'],
  ...['Content-Length: -1\r\n', 'Transfer-Encoding: chunked\r\n'],
  ...['[['.repeat(20_000), 'x'.repeat(100_000)],
];

/**
 * Values that no reader expects.
 *
 * @type {readonly unknown[]}
 */
const VALUES = [
  ...[null, true, -1, 1e300, '', 'x', [], {}, [[]], { constructor: null }],
  ...['\ud800', '__proto__', '^(([a-zA-Z])+)+!$', 'a'.repeat(40)],
];

/**
 * A damaged copy of a text: bytes changed, pieces put in, cut out or doubled, or values of its JSON replaced.
 *
 * @param {string} text
 * @param {() => number} random
 * @returns {Buffer}
 */
export function mutated(text, random) {
  const changed = random() < 0.5 ? withOtherValues(text, random) : text;
  /** @type {Buffer} */
  let bytes = Buffer.from(changed);
  for (let times = 1 + Math.floor(random() * 3); times > 0 && (changed === text || random() < 0.2); times--)
    bytes = damaged(bytes, random);
  return bytes;
}

/**
 * Bytes in which some are missing, doubled, changed, or put in.
 *
 * @param {Buffer} bytes
 * @param {() => number} random
 * @returns {Buffer}
 */
export function damaged(bytes, random) {
  const at = Math.floor(random() * (bytes.length + 1));
  const end = Math.min(bytes.length, at + Math.floor(random() * 40));
  const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
  switch (Math.floor(random() * 5)) {
    case 0:
      return before;
    case 1:
      return Buffer.concat([before, after]);
    case 2:
      return Buffer.concat([before, part, part, after]);
    case 3:
      return Buffer.concat([before, Buffer.from([Math.floor(random() * 256)]), after]);
    default:
      return Buffer.concat([before, Buffer.from(one(PIECES, random)), part, after]);
  }
}

/**
 * @param {string} text
 * @param {() => number} random
 */
function withOtherValues(text, random) {
  try {
    const data = JSON.parse(text);
    /** @type {[Record<string, unknown>, string][]} */
    const places = [];
    const walk = (/** @type {unknown} */ value) => {
      if (typeof value !== 'object' || value === null) return;
      for (const key of Object.keys(value)) {
        places.push([/** @type {Record<string, unknown>} */ (value), key]);
        walk(/** @type {Record<string, unknown>} */ (value)[key]);
      }
    };
    walk(data);
    for (let times = 1 + Math.floor(random() * 3); times > 0; times--) {
      const [object, key] = one(places, random);
      if (random() < 0.2) delete object[key];
      else object[key] = one(VALUES, random);
    }
    return JSON.stringify(data);
  } catch {
    return text;
  }
}

/**
 * One element of a list.
 *
 * @template T
 * @param {readonly T[]} list
 * @param {() => number} random
 * @returns {T}
 */
export function one(list, random) {
  return /** @type {T} */ (list[Math.floor(random() * list.length)]);
}
