import { excerpt } from '../../../report/body.js';
import type { Behaviour } from '../../../report/profile.js';
import { type Exchange, isAccepted, isRejected, isUnprocessed } from '../../exchange.js';
import type { Facts } from '../../facts/facts.js';
import type { Observation } from '../../rule.js';
import { failureBodies } from '../../rules/responses.js';
import { isLikeDuplicate } from '../state/duplicates.js';

/** Where the interface leaves something open, and in which words. */
export interface Gap extends Pick<Observation<string>, 'source' | 'why'> {
  /** What the request has that is the same in every check, so that the provider may have it already. */
  readonly fixed?: 'id' | 'name';
}

/** The probes that send duplicates. */
const DUPLICATES = { id: 'repeated-id', name: 'repeated-name' } as const;

/** Defines a rule that records what the exchanges of some probes show. */
export function observes<const Id extends string>(rule: Omit<Observation<Id>, 'level'>): Observation<Id> {
  return { ...rule, level: 'unspecified' };
}

/**
 * Defines a rule that records the response to one request of its probe.
 *
 * @param id without `unspecified/`
 * @param subject what is sent, as the subject of a sentence
 * @param gap where the interface leaves it open, and in which words
 * @param step the step of its request. Default: the last one
 */
export function observesResponse<const Id extends string>(
  id: Id,
  subject: string,
  { fixed, ...gap }: Gap,
  step = -1,
): Observation<`unspecified/${Id}`> {
  return observes({
    id: `unspecified/${id}`,
    title: `What does ${withinSentence(subject)} return?`,
    ...gap,
    ...(fixed !== undefined && { dependsOn: [DUPLICATES[fixed]] }),
    observe(exchanges, facts) {
      const exchange = exchanges.at(step);
      if (exchange === undefined) return undefined;
      const { response, failure } = exchange;
      if (response !== undefined)
        return {
          sentence: `${subject} returns ${response.status}.`,
          value: String(response.status),
          ...errorOf(exchange),
          ...(fixed !== undefined && mayExist(exchange, facts, fixed) && { caveat: caveatOf(fixed) }),
        };
      const value = failure?.kind ?? 'no-response';
      return { sentence: `${subject} gets no response (${failure?.message ?? value}).`, value };
    },
  });
}

/** Whether a provider rejects a request as it rejects a duplicate. */
function mayExist(exchange: Exchange, facts: Facts, fixed: 'id' | 'name'): boolean {
  return isRejected(exchange) && isLikeDuplicate(exchange, facts, DUPLICATES[fixed]);
}

function caveatOf(fixed: 'id' | 'name'): string {
  return `The ${fixed} may exist from an earlier check: the response is like that to a duplicate ${fixed}.`;
}

/** The "error" of a rejection. */
function errorOf(exchange: Exchange): Pick<Behaviour, 'error'> {
  const [body] = failureBodies([exchange]);
  return Number.isSafeInteger(body?.error) ? { error: body?.error as number } : {};
}

/** Begins with a small letter, unless it begins with a name such as GET. */
function withinSentence(subject: string): string {
  return /^[A-Z][a-z]*\b/.test(subject) ? subject.charAt(0).toLowerCase() + subject.slice(1) : subject;
}

/** Which strings of several probes are rejected. A name is not, if it may only exist already. */
export function rejectedStrings(field: 'name' | 'tag', all: readonly Exchange[], facts: Facts): Behaviour {
  const unclear = all.filter((exchange) => field === 'name' && mayExist(exchange, facts, 'name'));
  const clear = all.filter((exchange) => !unclear.includes(exchange));
  const kinds = unclear.map(({ probe }) => kindOf(probe, field)).sort();
  return {
    ...observedStrings(field, clear, facts),
    ...(kinds.length > 0 && {
      caveat: `These names may exist from an earlier check, because the responses are like that to a duplicate name: ${kinds.join(', ')}.`,
    }),
  };
}

function kindOf(probe: string, field: 'name' | 'tag'): string {
  return probe.replace(`${field}-with-`, '');
}

function observedStrings(field: 'name' | 'tag', all: readonly Exchange[], { probes }: Facts): Behaviour {
  const exchanges = all.filter((exchange) => !isUnprocessed(exchange));
  const rejected = exchanges.filter((exchange) => !isAccepted(exchange)).map(({ probe }) => probe);
  if (rejected.length === 0) return { sentence: `No ${field} is rejected.`, value: 'none' };
  const value = rejected
    .map((probe) => kindOf(probe, field))
    .sort()
    .join(', ');
  if (rejected.length === exchanges.length)
    return { sentence: `Every ${field} that is not plain is rejected.`, value };
  const kinds = rejected.map((name) =>
    (probes.get(name)?.title ?? name).replace(`a plant with a ${field} `, ''),
  );
  return { sentence: `A ${field} is rejected ${kinds.join(', or ')}.`, value };
}

/** More codes than this, for fewer than twice as many failures, are numbers of incidents and not of reasons. */
const FEW_CODES = 15;

/** The values of "error" in failures. */
export function errorCodes(exchanges: readonly Exchange[]): Behaviour | undefined {
  const rejections = exchanges.filter(isRejected);
  const all = failureBodies(rejections).flatMap(({ error }) => (typeof error === 'number' ? [error] : []));
  const codes = new Set(all);
  if (codes.size === 0) return undefined;
  if (codes.size > FEW_CODES && codes.size > all.length / 2)
    return { sentence: 'The "error" of each failure is another integer.', value: 'another each time' };
  const statuses = new Set(rejections.map(({ response }) => response?.status));
  if ([...codes].every((code) => statuses.has(code)))
    return { sentence: 'The "error" of a failure is its status.', value: 'status' };
  const value = [...codes].sort((a, b) => a - b).join(', ');
  return codes.size === 1
    ? { sentence: `The "error" of every failure is ${value}.`, value }
    : { sentence: `The "error" of a failure is one of ${value}.`, value };
}

/** So many fields are named, and so much of each name. */
const MOST_NAMES = 20;
const LONGEST_NAME = 60;

/** The fields of failures besides the two fields of an Error. */
export function furtherFields(exchanges: readonly Exchange[]): Behaviour | undefined {
  const bodies = failureBodies(exchanges);
  if (bodies.length === 0) return undefined;
  const names = [...new Set(bodies.flatMap((body) => Object.keys(body)))].filter(
    (name) => name !== 'error' && name !== 'message',
  );
  if (names.length === 0)
    return { sentence: 'Failures have no fields but "error" and "message".', value: 'none' };
  const more = names.length - MOST_NAMES;
  const shown = names
    .sort()
    .slice(0, MOST_NAMES)
    .map((name) => excerpt(name, LONGEST_NAME));
  const value = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
  return { sentence: `Failures have further fields: ${value}.`, value };
}
