import { code } from './recipe.js';

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
