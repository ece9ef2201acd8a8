import { readJson } from '../../validation/json.js';
import { type Exchange, isAccepted, isRefused } from '../exchange.js';
import type { Evidence } from '../judging/evidence.js';
import { ID_ZERO } from '../probes/ids.js';
import { REPEATED_ID } from '../probes/state.js';
import type { LeftOpen } from '../rule.js';
import { isObject, repetitionIn } from './answers.js';

/** What a rule has to ask for to know {@link whyTakenForRepeated}. */
export const ASKED_ABOUT_REPETITION = [REPEATED_ID, ID_ZERO];

/**
 * Why the refusal of a bad request may be no more than that of a repeated id. A provider that takes `true` for 1, or a
 * missing id for 0, accepts it once; from then on, in every further run, that id is taken.
 *
 * It is so where the request has no fresh id; where it is refused in the words in which a repeated id is, and no other
 * bad request is; and where 0 is refused as well. (Whether 1 is need not be seen: what is said of a missing id may be
 * said of a repeated one, where both break a constraint of a table. Of `true` it would be said of a text as well.)
 */
export function whyTakenForRepeated(exchange: Exchange, evidence: Evidence): LeftOpen | undefined {
  if (exchange.request.id !== undefined || !isRefused(exchange)) return undefined;
  const repeated = repetitionIn(evidence);
  if (repeated === undefined || !isRefused(repeated)) return undefined;
  const words = wordsOf(repeated);
  if (wordsOf(exchange) !== words) return undefined;
  const others = evidence.exchanges.filter(({ expectation, request }) => {
    return expectation === 'refused' && request.id !== undefined && request.mayBeTaken !== true;
  });
  if (others.filter(isRefused).some((other) => wordsOf(other) === words)) return undefined;
  const id = exchange.probe === 'id-is-boolean' ? 1 : 0;
  if (id === 0 && evidence.of(ID_ZERO).some(isAccepted)) return undefined;
  const title = evidence.probes.get(exchange.probe)?.title ?? exchange.probe;
  return {
    leftOpen: `${title} was refused as a repeated id is: it may have been taken for the id ${id}, which is in use; a provider without plants would show it`,
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
