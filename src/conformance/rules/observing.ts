import { type Exchange, isAccepted, isRefused, jsonOf } from '../exchange.js';
import type { Evidence } from '../judging/evidence.js';
import type { Behaviour, Observation, Source } from '../rule.js';
import { isFromPlants, isObject } from './answers.js';

/** What became of a request: `accepted with 200`, `answered with 409`, `not answered (reset)`. */
function outcomeOf({ response, failure }: Exchange): Behaviour {
  if (response === undefined) {
    const kind = failure?.kind ?? 'no answer';
    return { sentence: `is not answered (${failure?.message ?? kind})`, value: kind };
  }
  const verb = response.status >= 200 && response.status < 300 ? 'accepted' : 'answered';
  return { sentence: `is ${verb} with ${response.status}`, value: String(response.status) };
}

/** What a request of one probe, the last unless said, is answered with. */
export function answers<const Id extends string>(
  id: Id,
  subject: string,
  source: Source,
  why: string,
  probe: string,
  step = -1,
): Observation<Id> {
  return {
    id,
    title: `What does ${withinSentence(subject)} get?`,
    level: 'unspecified',
    source,
    why,
    judges: [probe],
    observe(_exchanges, evidence) {
      const exchange = evidence.of(probe).at(step);
      if (exchange === undefined) return undefined;
      const { sentence, value } = outcomeOf(exchange);
      return { sentence: `${subject} ${sentence}.`, value };
    },
  };
}

/** With a small letter at the beginning, unless it is a name such as GET. */
function withinSentence(subject: string): string {
  return /^[A-Z][a-z]*\b/.test(subject) ? subject.charAt(0).toLowerCase() + subject.slice(1) : subject;
}

/** Something that is told from the exchanges of some probes. */
export function tells<const Id extends string>(rule: Omit<Observation<Id>, 'level'>): Observation<Id> {
  return { ...rule, level: 'unspecified' };
}

/** Which of several texts are refused, by what is told of them. */
export function refusedTexts(
  field: 'name' | 'tag',
  exchanges: readonly Exchange[],
  { probes }: Evidence,
): Behaviour {
  const refused = exchanges.filter((exchange) => !isAccepted(exchange)).map(({ probe }) => probe);
  const titles = refused.map((name) =>
    (probes.get(name)?.title ?? name).replace(`a plant with a ${field} `, ''),
  );
  if (refused.length === 0) return { sentence: `No ${field} is refused.`, value: 'none' };
  const value = refused
    .map((name) => name.replace(`${field}-with-`, ''))
    .sort()
    .join(', ');
  if (refused.length === exchanges.length)
    return { sentence: `A ${field} is refused unless it is plain.`, value };
  return { sentence: `A ${field} is refused ${titles.join(', or ')}.`, value };
}

function failureBodies(exchanges: readonly Exchange[]): Record<string, unknown>[] {
  return exchanges.flatMap((exchange) => {
    if (exchange.response === undefined || !isRefused(exchange) || !isFromPlants(exchange)) return [];
    const read = jsonOf(exchange.response);
    return read.ok && isObject(read.value) ? [read.value] : [];
  });
}

/** What stands in the "error" of failures. */
export function errorCodes(exchanges: readonly Exchange[]): Behaviour | undefined {
  const refusals = exchanges.filter(isRefused);
  const codes = new Set(
    failureBodies(refusals).flatMap(({ error }) => (typeof error === 'number' ? [error] : [])),
  );
  if (codes.size === 0) return undefined;
  const statuses = new Set(refusals.map(({ response }) => response?.status));
  if ([...codes].every((code) => statuses.has(code)))
    return { sentence: 'The "error" of a failure is its status.', value: 'status' };
  const sorted = [...codes].sort((a, b) => a - b).join(', ');
  return codes.size === 1
    ? { sentence: `The "error" of every failure is ${sorted}.`, value: sorted }
    : { sentence: `The "error" of a failure is one of ${sorted}.`, value: sorted };
}

/** What failures have beside the two fields of an Error. */
export function furtherFields(exchanges: readonly Exchange[]): Behaviour | undefined {
  const bodies = failureBodies(exchanges);
  if (bodies.length === 0) return undefined;
  const names = [...new Set(bodies.flatMap((body) => Object.keys(body)))].filter(
    (name) => name !== 'error' && name !== 'message',
  );
  if (names.length === 0)
    return { sentence: 'A failure has no field but "error" and "message".', value: 'none' };
  const list = names.sort().join(', ');
  return { sentence: `Failures have further fields: ${list}.`, value: list };
}
