import { isSendable } from '../../http/fields.js';
import { visibleInLine } from '../../report/escape.js';
import { operationUrl } from '../../spec/operation.js';
import { invalidOption, reasonOf } from '../../toolkit-error.js';
import { FAMILIES, PHASES, type ProbeValues, type Row } from '../probe.js';
import { requestsOf } from '../row.js';
import { headOf, piecesOf } from '../send/pieces.js';
import { rules } from '../topics/index.js';
import type { Exploration, ExploredFailure } from './exploration.js';

/** The failures that exploring found, as the text of a file. It holds no token. */
export function failuresText({ seed, failures }: Pick<Exploration, 'seed' | 'failures'>): string {
  return `${JSON.stringify({ failuresVersion: 1, seed, failures }, null, 2)}\n`;
}

/**
 * Reads a file of failures. Only exploring writes one, so a row in it is not checked member by member: it must become requests that
 * can be sent.
 *
 * @throws ToolkitError `invalid-option`, with a sentence that says which failure is wrong
 */
export function readFailures(text: string, file: string): readonly ExploredFailure[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalidOption(`${file} is not JSON: ${visibleInLine(reasonOf(cause))}`, { cause });
  }
  const { failuresVersion, failures } = Object(value) as { failuresVersion?: unknown; failures?: unknown };
  if (failuresVersion !== 1 || !Array.isArray(failures))
    throw invalidOption(`${file} must be a file that exploring has written, with the "failuresVersion" 1`);
  return failures.map((failure: unknown, at) => {
    const { rule, foundAfter, row } = Object(failure) as ExploredFailure;
    const problem = problemIn(rule, row);
    if (problem !== undefined) throw invalidOption(`${file}: failure ${at + 1} ${visibleInLine(problem)}`);
    return { rule, foundAfter, row };
  });
}

/** What is wrong with a failure, after its number. */
function problemIn(rule: string, row: Row): string | undefined {
  if (!rules.some(({ id, level }) => id === rule && level !== 'unspecified'))
    return 'must name a rule that demands something';
  try {
    return whyNotSent(row);
  } catch (error) {
    return `cannot be sent: ${reasonOf(error)}`;
  }
}

const EXPECTATIONS: readonly unknown[] = ['created', 'rejected', 'open'];

/** A row that makes requests of these makes them of others too. */
const ANY_VALUES: ProbeValues = {
  token: 'a-token-of-no-provider',
  wrongToken: 'another-token-of-no-provider',
  freshId: () => 1,
  freshIdBetween: (low) => low,
  freshName: () => 'Aloe',
};
const ANY_ROUTE = { url: operationUrl('http://localhost'), headers: [] };

/** Arithmetic with longer numbers takes long. */
const LONG_NUMBER = /<ID[^>]*\d{41}/;
/** Long enough for every limit that is usual, and not for the memory. */
const LONGEST_PADDING = 4 * 2 ** 20;
const MOST_REQUESTS = 1_000;
const LONGER = /<(?:PAD|REPEAT) (\d+)(?: ([^>]+))?>/g;

/** So many bytes of the templates in a text are only there to make them long. */
function paddingIn(text: string): number {
  return Array.from(
    text.matchAll(LONGER),
    ([, count, piece = ' ']) => Number(count) * Buffer.byteLength(piece),
  ).reduce((sum, bytes) => sum + bytes, 0);
}

/** @throws Error if it has another shape than a row */
function whyNotSent(row: Row): string | undefined {
  const { name, title, expectation, phase, requests } = row;
  const [family = ''] = name.split('/');
  const isRow =
    FAMILIES.some((one) => one === family) &&
    typeof title === 'string' &&
    EXPECTATIONS.includes(expectation) &&
    (phase === undefined || PHASES.includes(phase));
  if (!isRow) return 'must have a row with the name, the title, the expectation and the phase of a drawn one';
  // Nothing that a file says may go anywhere else.
  if (requests.some(({ otherOperation }) => otherOperation !== undefined))
    return 'must not be sent to another operation';
  if (requests.length > MOST_REQUESTS) return `must not have more than ${MOST_REQUESTS} requests`;
  const written = JSON.stringify(row);
  if (LONG_NUMBER.test(written) || paddingIn(written) > LONGEST_PADDING)
    return 'must not have a placeholder for so much';
  for (const request of requestsOf(row, ANY_VALUES)) {
    const { headers, query = '', body, chunked = false, transfer = {} } = request;
    const areSendable = headers.every(([field, value]) => isSendable(field, value));
    if (!areSendable || !/^[!-~]*$/.test(query))
      return 'must have header fields and a query that can be sent';
    piecesOf(headOf(ANY_ROUTE, request, 'close'), body, chunked, transfer);
  }
  return undefined;
}
