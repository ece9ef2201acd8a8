import type { Behaviour } from '../../../report/profile.js';
import { capitalised, listed } from '../../../report/wording.js';
import { type Exchange, isAccepted, isUnprocessed } from '../../exchange.js';
import type { Facts } from '../../judge/facts.js';
import type { Observation, Source } from '../../rule.js';
import { ERROR, REQUEST_BODY, RESOURCES } from '../../rules/define.js';
import { failure } from '../failure.js';
import { headers } from '../headers.js';
import { sequences } from '../sequences.js';
import { tokens } from '../tokens.js';
import { type Gap, mayExist, observationsOf, type RuleId, recording } from '../topic.js';
import { transport } from '../transport.js';

/** Defines a rule that records what the exchanges of some probes show. */
function observes(rule: Omit<Observation<RuleId>, 'level'>): Observation<RuleId> {
  return { ...rule, level: 'unspecified' };
}

/** Defines a rule that records the response to one request of its probe. */
function observesResponse(id: string, subject: string, gap: Gap): Observation<RuleId> {
  return recording({ id, subject, gap });
}

/** Which strings of several probes are rejected. A name is not, if it may only exist already. */
function rejectedStrings(field: 'name' | 'tag', all: readonly Exchange[], facts: Facts): Behaviour {
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

/** Which of the tried lengths of a name, or of a tag, are accepted. */
function acceptedLengths(field: 'name' | 'tag', all: readonly Exchange[]): Behaviour | undefined {
  const processed = all.filter((exchange) => !isUnprocessed(exchange));
  if (processed.length === 0) return undefined;
  const lengthsOf = (some: readonly Exchange[]): readonly number[] =>
    some.map(({ request }) => request.plant?.[field]?.length ?? 0).sort((a, b) => a - b);
  const inWords = (lengths: readonly number[]): string =>
    listed(lengths.map((length) => length.toLocaleString('en')));
  const accepted = lengthsOf(processed.filter(isAccepted));
  const rejected = lengthsOf(processed.filter((exchange) => !isAccepted(exchange)));
  return {
    sentence: capitalised(
      listed([
        ...(accepted.length > 0 ? [`${field}s of ${inWords(accepted)} letters are accepted`] : []),
        ...(rejected.length > 0 ? [`${field}s of ${inWords(rejected)} letters are not accepted`] : []),
      ]),
    ).concat('.'),
    value: accepted.join(', ') || 'none',
  };
}

const CONTENT = { section: 'Endpoints', pointer: `${REQUEST_BODY}/content` };
const CONSTRAINTS = { section: RESOURCES, rule: 2, pointer: '/components/schemas/NewPlant' };
const ERRORS = { section: 'Errors', rule: 2, pointer: ERROR };

/** Says where the interface leaves something open, and in which words. */
function gap(source: Source, why: string): Gap {
  return { source, why };
}

const FAILURES = gap(
  ERRORS,
  'The conditions that produce a 400, and any other error statuses, are not shown.',
);
const IDS = gap(CONSTRAINTS, 'Further constraints on id (ranges, uniqueness) are not shown.');
const FIXED_IDS: Gap = { ...IDS, fixed: 'id' };
const STRINGS = gap(CONSTRAINTS, 'Further constraints on name and tag are not shown.');
const FIELDS = gap(
  CONSTRAINTS,
  'A NewPlant has three fields. The interface does not say what happens to other fields.',
);
const JSON_PARSERS = gap(CONTENT, 'The body is JSON. JSON parsers differ here, and RFC 8259 allows them to.');
const NESTING = gap(CONTENT, 'RFC 8259, section 9, allows a JSON parser to limit the depth of nesting.');

const failures = [
  observesResponse('malformed-json', 'Malformed JSON', FAILURES),
  observesResponse('missing-field', 'A plant without a name', FAILURES),
  observesResponse('wrong-type', 'A name that is a number', FAILURES),
  observesResponse('empty-body', 'A request without a body', FAILURES),
  ...observationsOf(failure),
];

const ids = [
  ...observationsOf(sequences),
  observesResponse('id-zero', 'The id 0', FIXED_IDS),
  observesResponse('id-negative', 'A negative id', IDS),
  observesResponse('id-near-lower-end', 'An id just above -2^63', IDS),
  observesResponse('id-at-upper-end', 'The id 2^63 - 1', FIXED_IDS),
  observesResponse('id-at-lower-end', 'The id -2^63', FIXED_IDS),
  observesResponse('id-with-zero-fraction', 'An id written as 7.0', JSON_PARSERS),
];

const strings = [
  observesResponse('empty-name', 'An empty name', { ...STRINGS, fixed: 'name' }),
  observesResponse('empty-tag', 'An empty tag', STRINGS),
  observes({
    id: 'unspecified/names-refused',
    title: 'Which names are rejected?',
    dependsOn: ['repeated-name'],
    observe: (exchanges, facts) => rejectedStrings('name', exchanges, facts),
    ...STRINGS,
  }),
  observes({
    id: 'unspecified/tags-refused',
    title: 'Which tags are rejected?',
    observe: (exchanges, facts) => rejectedStrings('tag', exchanges, facts),
    ...STRINGS,
  }),
  observes({
    id: 'unspecified/name-lengths',
    title: 'Which lengths of a name are accepted?',
    observe: (exchanges) => acceptedLengths('name', exchanges),
    ...STRINGS,
  }),
  observes({
    id: 'unspecified/tag-lengths',
    title: 'Which lengths of a tag are accepted?',
    observe: (exchanges) => acceptedLengths('tag', exchanges),
    ...STRINGS,
  }),
  observesResponse('lone-surrogate', 'A name with half a surrogate pair', JSON_PARSERS),
];

const bodies = [
  observesResponse('unknown-field', 'An unknown field', FIELDS),
  observesResponse('nested-arrays', 'An unknown field with 400 nested arrays', NESTING),
  observesResponse('deep-nesting', 'An unknown field with 20,000 nested arrays', NESTING),
  observesResponse('repeated-key', 'A duplicate key', JSON_PARSERS),
  observesResponse('byte-order-mark', 'A byte-order mark before the JSON', JSON_PARSERS),
  observesResponse('malformed-utf-8', 'A name in malformed UTF-8', JSON_PARSERS),
  observesResponse('not-a-number', 'NaN in an unknown field', JSON_PARSERS),
];

/** What the interface does not show or does not mention. It is recorded and never demanded. */
export const unspecifiedRules = [
  ...failures,
  ...observationsOf(tokens),
  ...ids,
  ...strings,
  ...bodies,
  ...observationsOf(headers),
  ...observationsOf(transport),
];
