import { isSendable } from '../../http/fields.js';
import { visibleInLine } from '../../report/escape.js';
import { invalidOption, reasonOf } from '../../toolkit-error.js';
import { fileProblem } from '../../validation/json-file.js';
import { FAMILIES, type ProbeValues, type RequestRow, type Row } from '../probe.js';
import { requestsOf } from '../row.js';
import { piecesOf, type Template } from '../template.js';
import { isTokenEdit } from '../token-edit.js';
import { rules } from '../topics/index.js';
import type { Exploration, ExploredFailure } from './exploration.js';
import { isFailuresFile, isRow } from './failures-file.generated.js';
import { failuresFileSchema, rowSchema } from './failures-file-schema.js';

/** The longest file that is read, in characters. */
const LONGEST = 16 * 1024 * 1024;

/** The failures that exploring found, as the text of a file. It holds no token. */
export function failuresText({ seed, failures }: Pick<Exploration, 'seed' | 'failures'>): string {
  return `${JSON.stringify({ failuresVersion: 1, seed, failures }, null, 2)}\n`;
}

/** Where something is wrong, and what is expected there: `must be a string`. */
type Problem = readonly [pointer: string, message: string] | undefined;

/**
 * Reads a file of failures. Every member is checked, since a file may come from anywhere.
 *
 * @throws ToolkitError `invalid-option`, with a sentence that says what is wrong and where
 */
export function readFailures(text: string, file: string): readonly ExploredFailure[] {
  if (text.length > LONGEST) throw invalidOption(`${file} is longer than ${LONGEST} characters`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalidOption(`${file} is not JSON: ${visibleInLine(reasonOf(cause))}`, { cause });
  }
  const problem = problemInFile(value);
  if (problem !== undefined)
    throw invalidOption(`${file}: ${visibleInLine(problem.filter(Boolean).join(' '))}`);
  const { failures } = value as { readonly failures: readonly ExploredFailure[] };
  return failures.map(({ rule, foundAfter, row }) => ({ rule, foundAfter, row }));
}

function problemInFile(value: unknown): Problem {
  const problem = fileProblem(isFailuresFile, value, failuresFileSchema);
  if (problem !== undefined) return [problem.pointer, problem.message];
  const { failures } = value as { readonly failures: readonly ExploredFailure[] };
  for (const [at, { rule, row }] of failures.entries()) {
    if (!rules.some(({ id, level }) => id === rule && level !== 'unspecified'))
      return [`/failures/${at}/rule`, 'must be the id of a rule that demands something'];
    const inRow = problemInRow(row);
    if (inRow !== undefined) return [`/failures/${at}/row${inRow[0]}`, inRow[1]];
  }
  return undefined;
}

/** What is wrong with a row: its members, or what its texts say. */
function problemInRow(value: unknown): Problem {
  const problem = fileProblem(isRow, value, rowSchema);
  if (problem !== undefined) return [problem.pointer, problem.message];
  const { name, ids, requests } = value as Row;
  const [family = ''] = name.split('/');
  if (!Object.hasOwn(FAMILIES, family) || !name.includes('/'))
    return ['/name', 'must be the name of a generated probe: family/name'];
  if (ids !== undefined && BigInt(ids[0]) > BigInt(ids[1]))
    return ['/ids', 'must be the lowest and the highest id'];
  const padding = requests.flatMap(templatesOf).reduce((sum, [, template]) => sum + paddingOf(template), 0);
  if (padding > LONGEST_PADDING) return ['/requests', `must not be padded beyond ${LONGEST_PADDING} bytes`];
  for (const [at, request] of requests.entries()) {
    const found = problemInRequest(request);
    if (found !== undefined) return [`/requests/${at}${found[0]}`, found[1]];
  }
  try {
    requestsOf(value as Row, ANY_VALUES);
  } catch (error) {
    return ['', `cannot be sent: ${reasonOf(error)}`];
  }
  return undefined;
}

/** A row that makes requests of these makes them of others too. */
const ANY_VALUES: ProbeValues = {
  token: 'a-token-of-no-provider',
  wrongToken: 'another-token-of-no-provider',
  freshId: () => 1,
  freshIdBetween: (low) => low,
  freshName: () => 'Aloe',
};

/** The templates of a request, and where they are. */
function templatesOf({ headers = [], body, plant, query = '' }: RequestRow): (readonly [string, Template])[] {
  const { name = '', id = '', tag = '' } = plant || {};
  return [
    ['/body', body],
    ['/plant/name', name],
    ['/plant/id', id],
    ['/plant/tag', tag],
    ['/query', query],
    ...headers.map(([, value], at) => [`/headers/${at}/1`, value] as const),
  ];
}

function problemInRequest(request: RequestRow): Problem {
  for (const [pointer, template] of templatesOf(request)) {
    const problem = problemInTemplate(template);
    if (problem !== undefined) return [pointer, problem];
  }
  const { headers = [], query = '', transfer } = request;
  if (!/^[!-~]*$/.test(asSent(query)))
    return ['/query', 'must be a query that can be sent: visible characters of ASCII'];
  const fields = headers.map(([field, value]) => [field, asSent(value)] as const);
  const isUnsendable = ([field, value]: readonly [string, string]) => !isSendable(field, value);
  const at = fields.findIndex(isUnsendable);
  if (at !== -1) return [`/headers/${at}`, 'must be a field that can be sent'];
  const inTrailers = transfer?.trailers?.findIndex(isUnsendable) ?? -1;
  return inTrailers === -1
    ? undefined
    : [`/transfer/trailers/${inTrailers}`, 'must be a field that can be sent'];
}

/** Long enough for every limit that is usual, and not for the memory. */
const LONGEST_PADDING = 4 * 2 ** 20;

/** So many bytes of a template are only there to make it long. */
function paddingOf(template: Template): number {
  // Arithmetic with longer numbers takes long: such a template is not read.
  if (LONG_NUMBER.test(template)) return 0;
  return piecesOf(template).reduce((sum, piece) => {
    if (piece.is === 'pad') return sum + piece.to;
    return piece.is === 'repeat' ? sum + piece.times * Buffer.byteLength(piece.text) : sum;
  }, 0);
}

const LONG_NUMBER = /<ID[^>]*\d{41}/;

function problemInTemplate(template: Template): string | undefined {
  if (LONG_NUMBER.test(template)) return 'must not calculate with numbers of more than 40 digits';
  for (const piece of piecesOf(template)) {
    if (piece.is === 'token' && piece.edit !== undefined && !isTokenEdit(piece.edit))
      return `must not have <TOKEN ${piece.edit.slice(0, 50)}>, which is no edit of a token`;
  }
  return undefined;
}

/** What a template puts into a message, as far as it does not depend on the run. */
function asSent(template: Template): string {
  return piecesOf(template)
    .map((piece) => {
      if (piece.is === 'text') return piece.text;
      if (piece.is === 'token') return piece.edit ?? '';
      if (piece.is === 'bytes') return piece.bytes.toString('latin1');
      return piece.is === 'repeat' ? piece.text : '';
    })
    .join('');
}
