import { readJson } from '../../validation/json.js';
import { type Exchange, isRefused } from '../exchange.js';
import type { Evidence } from '../judging/evidence.js';
import { ID_AT_LOWER_END, ID_AT_UPPER_END, ID_ZERO, PAST_THE_ENDS } from '../probes/ids.js';
import { REPEATED_ID } from '../probes/state.js';
import type { LeftOpen } from '../rule.js';
import { isObject, repetitionIn } from './answers.js';

/**
 * What a rule has to ask for to know {@link whyTakenForRepeated}: how a repeated id is refused, how others are, and
 * which ids are in use.
 */
export const ASKED_ABOUT_REPETITION = [
  ...[REPEATED_ID, 'missing-name', 'id-is-text'],
  ...[ID_ZERO, ID_AT_UPPER_END, ID_AT_LOWER_END],
];

/**
 * Why the refusal of a bad request may be no more than that of a repeated id. A provider that takes `true` for 1, a
 * missing id for 0, or 2^63 for one below it, accepts it once; from then on, in every further run, that id is taken.
 *
 * It is so where the request has no fresh id within int64; where it is refused in the words in which a repeated id is,
 * and no other bad request is; and where the ids are in use that it may have been taken for. (Whether 1 is need not be
 * seen: what is said of a missing id may be said of a repeated one, where both break a constraint of a table. Of `true`
 * it would be said of a text as well.)
 */
export function whyTakenForRepeated(exchange: Exchange, evidence: Evidence): LeftOpen | undefined {
  const isPastTheEnds = PAST_THE_ENDS.includes(exchange.probe);
  if ((exchange.request.id !== undefined && !isPastTheEnds) || !isRefused(exchange)) return undefined;
  const repeated = repetitionIn(evidence);
  if (repeated === undefined || !isRefused(repeated)) return undefined;
  const words = wordsOf(repeated);
  if (wordsOf(exchange) !== words) return undefined;
  const others = evidence.exchanges.filter(({ expectation, request, probe }) => {
    return expectation === 'refused' && request.id !== undefined && !PAST_THE_ENDS.includes(probe);
  });
  const refused = others.filter(isRefused);
  if (refused.length === 0 || refused.some((other) => wordsOf(other) === words)) return undefined;
  const isBoolean = exchange.probe === 'id-is-boolean';
  const stand = isBoolean ? [] : isPastTheEnds ? [ID_AT_UPPER_END, ID_AT_LOWER_END] : [ID_ZERO];
  if (stand.length > 0 && stand.every((probe) => evidence.accepted(probe))) return undefined;
  const id = isPastTheEnds ? 'one within int64' : isBoolean ? '1' : '0';
  const title = evidence.probes.get(exchange.probe)?.title ?? exchange.probe;
  return {
    leftOpen: `${title} was refused as a repeated id is: it may have been taken for ${id}, which is in use; a provider without plants would show it`,
  };
}

/** Status and body of an answer, without what may differ from one plant or one moment to the next. */
function wordsOf({ request, response }: Exchange): string {
  const text = Buffer.from(response?.body ?? []).toString();
  const name = nameIn(request.body);
  const others = name === undefined || name === '' ? text : text.replaceAll(name, '');
  // Ids in quotes and without, times, and what a language makes of the values that are sent in place of ids.
  const words = others
    .replaceAll(/["'`\\[\]{}]/g, '')
    .replaceAll(/[\w-]*\d[\w-]*|\b(?:true|false|null|none|nil|undefined|nan)\b/gi, '#');
  return `${response?.status} ${words}`;
}

function nameIn(body: Uint8Array): string | undefined {
  const read = readJson(body);
  const name = read.ok && isObject(read.value) ? read.value.name : undefined;
  return typeof name === 'string' ? name : undefined;
}
