import { checkSendable } from '../http/fields.js';
import { visibleInLine } from '../report/escape.js';
import { operationUrl } from '../spec/operation.js';
import { invalidOption, reasonOf } from '../toolkit-error.js';
import { PHASES, type Probe, probeOf, type Row, requestsOf } from './row.js';
import { headOf, piecesOf } from './send/pieces.js';
import { freshValues } from './template.js';

const NAME = /^drawn\/[a-z0-9-]+$/;
/** The words that a member of a row or of a request may be. */
const WORDS = Object.entries({
  expectation: ['created', 'rejected', 'open'],
  phase: PHASES,
  encoding: ['gzip', 'utf-16le'],
});
/** Arithmetic with longer numbers takes long. */
const LONG_NUMBER = /<ID[^>]*\d{41}/;
/** Long enough for every limit that is usual, and not for the memory: a short row could ask for gigabytes. */
const LONGEST_PADDING = 4 * 2 ** 20;
const LONGER = /<(?:PAD|REPEAT) (\d+)(?: ([^>]+))?>/g;
const MOST_REQUESTS = 1_000;

/**
 * A row that exploring has found, or one like it, with its defaults.
 *
 * @param names those of the rows of the check
 * @param ids those of the rules
 * @throws ToolkitError `invalid-option`, with a sentence that says what is wrong
 */
export function probeLikeDrawn(row: Row, names: ReadonlySet<string>, ids: ReadonlySet<string>): Probe {
  const problem = problemIn(row, names, ids);
  if (problem !== undefined) throw invalidOption(`the row ${problem}`);
  return givenProbe(row);
}

/** What is wrong with a row, after "the row". */
function problemIn(row: Row, names: ReadonlySet<string>, ids: ReadonlySet<string>): string | undefined {
  const { name, title, expectation, control, rules = [], requests, parts } = row;
  if (typeof name !== 'string' || !NAME.test(name)) return 'needs a "name" such as "drawn/1"';
  if (typeof title !== 'string') return 'needs a "title"';
  if (expectation === undefined) return 'needs an "expectation"';
  if (!Array.isArray(requests) || requests.length === 0) return 'needs a list of "requests"';
  // Without its rules, nothing would judge it, and every provider would conform.
  if (!Array.isArray(rules) || !rules.every((id) => ids.has(id)))
    return 'must have a list of ids as "rules"; `plant-store-contract rules` lists them';
  if (control !== undefined && control !== false && !names.has(control))
    return 'must have false or the name of a row as "control"';
  if (parts !== undefined) return 'must not have "parts"';
  for (const part of [row, ...requests].map(Object)) {
    const wrong = WORDS.find(([member, words]) => member in part && !words.includes(part[member]));
    if (wrong !== undefined) return `must have one of these as "${wrong[0]}": ${wrong[1].join(', ')}`;
    if ('otherOperation' in part) return 'must not be sent to another operation';
  }
  if (requests.length > MOST_REQUESTS) return `must not have more than ${MOST_REQUESTS} requests`;
  const text = JSON.stringify(row);
  const isTooMuch = LONG_NUMBER.test(text) || paddingIn(text) > LONGEST_PADDING;
  return isTooMuch ? 'must not have a placeholder for so much' : undefined;
}

/** How many bytes the placeholders that only make a text long ask for. */
function paddingIn(text: string): number {
  return Array.from(
    text.matchAll(LONGER),
    ([, count, piece = ' ']) => Number(count) * Buffer.byteLength(piece),
  ).reduce((sum, bytes) => sum + bytes, 0);
}

const ANY_ROUTE = { url: operationUrl('http://localhost'), headers: [] };

/**
 * A row of a user, with its defaults.
 *
 * @throws ToolkitError `invalid-option` if it cannot make its requests, or they cannot be sent
 */
export function givenProbe(row: Row): Probe {
  try {
    for (const request of row.requests)
      if (typeof Object(request).body !== 'string') throw new Error('a request needs a text as "body"');
    const probe = probeOf(row);
    for (const request of requestsOf(probe, freshValues('any-token'))) {
      const { headers, query = '', body, chunked = false, transfer = {} } = request;
      for (const [field, value] of headers) checkSendable(field, value);
      if (!/^[!-~]*$/.test(query)) throw new Error('the query cannot be sent as it is');
      piecesOf(headOf(ANY_ROUTE, request), body, chunked, transfer);
    }
    return probe;
  } catch (cause) {
    const why = visibleInLine(reasonOf(cause));
    throw invalidOption(`the row ${row.name} cannot make its requests: ${why}`, { cause });
  }
}
