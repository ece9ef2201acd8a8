import { type Code, code } from './recipe.js';

/** Reads JSON without rounding integers: `parseJson` and `isInt64`. */
export const EXACT_JSON = code`
const MARK = crypto.randomUUID();

/** Like JSON.parse, but an integer of 16 or more digits becomes a BigInt. */
function parseJson(text) {
  JSON.parse(text); // Throws if it is not JSON.
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    /^-?\d{16,}$/.test(token) ? \`"\${MARK}\${token}"\` : token,
  );
  return JSON.parse(marked, (key, value) =>
    typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  );
}

function isInt64(id) {
  return typeof id === 'bigint' ? BigInt.asIntN(64, id) === id : Number.isSafeInteger(id);
}`;

/** Says what is wrong with a body: `problemOf`. The range of the id is left to `isInt64`. */
export const PROBLEM_OF = code`
/** What is wrong with a body. undefined if it is a NewPlant. */
function problemOf(body) {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'the body must be a JSON object';
  const { name, id, tag } = body;
  if (typeof name !== 'string') return '"name" must be a string';
  if (!Number.isInteger(id) && typeof id !== 'bigint') return '"id" must be an integer';
  if (tag !== undefined && typeof tag !== 'string') return '"tag" must be a string';
}`;

/** Findings that a check of the body fixes. */
export function byBody(check: Code): Readonly<Record<string, Code>> {
  return {
    'types-are-not-checked': check,
    'unhandled-exception': check,
    'fractions-are-accepted': check,
    'null-counts-as-missing': check,
    'request/body-is-required': check,
    'request/body-is-json': check,
    'request/body-is-an-object': check,
    'request/name-is-required': check,
    'request/id-is-required': check,
  };
}

/** Findings that exact integers fix. */
export function byExactIds(read: Code): Readonly<Record<string, Code>> {
  return { 'id-through-a-double': read, 'request/id-is-within-int64': read };
}
