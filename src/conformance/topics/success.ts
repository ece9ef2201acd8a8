import { listed } from '../../report/wording.js';
import { type JsonValue, keysIn } from '../../validation/json-value.js';
import { differenceOf } from '../../validation/returned-plant.js';
import { describe, type Violation } from '../../validation/violation.js';
import { contentOf } from '../body.js';
import {
  type Exchange,
  framingProblem,
  isAccepted,
  isNewPlant,
  isOverloaded,
  isRejected,
  isSuccess,
  isUnprocessed,
  isValidPlant,
  type Judgement,
  jsonIn,
  judgeSuccess,
  knowsNoSuchHttp,
  mayBeLonger,
  objectIn,
  plantIn,
  responseInWords,
  wrappingIn,
} from '../exchange.js';
import { isLikeDuplicate, OF_IDS, OF_NAMES } from '../judge/duplicates.js';
import type { Facts } from '../judge/facts.js';
import { isPlainName, isPlainTag } from '../oracle.js';
import { mayBeAccepted, sendsValidPlants } from '../row.js';
import {
  accepts,
  type Context,
  created,
  type Demand,
  describes,
  endInWords,
  factOfMediaType,
  factOfRequest,
  judgeAcceptance,
  PLANT,
  RESPONSE_200,
  type Topic,
} from '../rule.js';
import { FRESH_NAME } from '../template.js';
import { WITH_TAG, WITHOUT_TAG } from '../values/plain-plants.js';

const describes200 = describes(mayBeAccepted, {
  hurts: 'clients',
  nothingToJudge: 'no creation returned 200',
});
const describesValid = describes(sendsValidPlants, {
  hurts: 'clients',
  nothingToJudge: 'there was no response to a valid plant',
});

/** A missing body is a violation of this kind too, and one that cannot be decoded: nothing is not JSON. */
function isAboutJson({ part, pointer, keyword }: Violation): boolean {
  return part === 'body' && pointer === '' && ['json', 'required', 'content-encoding'].includes(keyword);
}

const LONGEST_KEY = 60;

function keyInWords(key: string): string {
  const isLong = key.length > LONGEST_KEY;
  return isLong ? `${JSON.stringify(key.slice(0, LONGEST_KEY).toWellFormed())}…` : JSON.stringify(key);
}

const MOST_FIELDS = 3;

/** The fields of a response that no Plant has. */
function furtherFields(exchange: Exchange): string {
  const keys = Object.keys(objectIn(exchange) ?? {}).filter((key) => key !== 'name' && key !== 'tag');
  if (keys.length === 0 || keys.length > MOST_FIELDS || keys.some((key) => !/^\w{1,30}$/.test(key)))
    return 'fields that a Plant does not have';
  const which = keys.length === 1 ? 'which is no field' : 'which are no fields';
  return `${listed(keys.map((key) => `"${key}"`))}, ${which} of a Plant`;
}

/**
 * Whether the response may be the one to a duplicate id, which is not shown. If the id only may exist, because it is the
 * same in every check, a true duplicate must have got the same status.
 */
function mayBeDuplicate({ request, response }: Exchange, facts: Facts): boolean {
  if (request.idMayExist !== true) return false;
  const [, ...duplicates] = facts.of(OF_IDS.once);
  return request.id !== undefined || duplicates.some((one) => one.response?.status === response?.status);
}

/** Some are words with a meaning in a programming language. */
const PLAIN_NAMES = created(`
  name-of-one-letter  a plant whose name is one letter            {"name":"A","id":<ID>}
  name-of-30-letters  a plant whose name has 30 letters           {"name":"<NAME><NAME2><NAME3>","id":<ID>}
  name-null           a plant whose name is the word null         {"name":"null","id":<ID>}
  name-true           a plant whose name is the word true         {"name":"true","id":<ID>}
  name-NaN            a plant whose name is the word NaN          {"name":"NaN","id":<ID>}
  name-constructor    a plant whose name is the word constructor  {"name":"constructor","id":<ID>}`);

const TAG_NULL = created(
  'tag-null  a plant whose tag is the word null  {"name":"<NAME>","id":<ID>,"tag":"null"}',
);

/** Plants whose name and tag every provider accepts, whatever they mean to a program. In the last one they are equal. */
const WORDS = created(`
  strings/name-undefined-and-tag-false     a plant whose name is the word undefined, and whose tag is the word false    {"name":"undefined","id":<ID>,"tag":"false"}
  strings/name-None-and-tag-true           a plant whose name is the word None, and whose tag is the word true          {"name":"None","id":<ID>,"tag":"true"}
  strings/name-Infinity-and-tag-no         a plant whose name is the word Infinity, and whose tag is the word no        {"name":"Infinity","id":<ID>,"tag":"no"}
  strings/name-select-and-tag-constructor  a plant whose name is the word select, and whose tag is the word constructor  {"name":"select","id":<ID>,"tag":"constructor"}
  strings/name-script-and-tag-undefined    a plant whose name is the word script, and whose tag is the word undefined   {"name":"script","id":<ID>,"tag":"undefined"}
  strings/name-toString-and-tag-none       a plant whose name is the word toString, and whose tag is the word none      {"name":"toString","id":<ID>,"tag":"none"}
  strings/name-agave-and-tag-agave         a plant whose name is the word agave, and whose tag is the word agave        {"name":"agave","id":<ID>,"tag":"agave"}`);

const rules: readonly Demand[] = [
  describes200({
    id: 'success/status-is-200',
    title: 'A valid, authorised creation returns 200.',
    fact: ({ exchange }) => `Creating a plant ${endInWords(exchange)} instead of 200.`,
    source: RESPONSE_200,
    why: 'When the request is valid and authorised, the service responds with 200. So another success status is wrong for such a request.',
    usualCause: 'The framework returns 201 or 204 for a creation by default, or the handler does.',
    fix: 'Set the status of a creation to 200.',
    nothingToJudge: 'every valid plant was rejected',
    judge(exchange, { probe }) {
      // Other failures are the subject of `success/valid-plant-is-processed`, except those of the controls.
      const isFailedControl = probe.phase === 'control' && !isRejected(exchange) && !isOverloaded(exchange);
      const isJudged = isAccepted(exchange) || isFailedControl;
      // For a duplicate id, the interface allows every status.
      if (!isNewPlant(exchange) || !isJudged || isUnprocessed(exchange)) return 'nothing-to-judge';
      return exchange.response?.status === 200
        ? undefined
        : { expected: '200', actual: responseInWords(exchange) };
    },
  }),
  accepts({
    id: 'success/tag-is-optional',
    title: 'A plain plant is created with a tag and without one.',
    source: `${PLANT}/required`,
    why: '"tag" is a field of Plant that is not required.',
    usualCause: 'A schema lists "tag" among the required fields, or a validator rejects every tag.',
    fix: 'Require only "name" and "id".',
    control: 'none',
    nothingToJudge: 'there was no response to a plain plant',
    rows: [WITHOUT_TAG, WITH_TAG],
  }),
  accepts({
    id: 'success/plain-names-are-accepted',
    level: 'implied',
    title: 'A name of 1 to 30 ASCII letters is accepted, even the word "null".',
    source: `${PLANT}/properties/name`,
    why: '"name" is a string. The interface does not show its limits, but a store of plants must accept ordinary names, and no name is more ordinary than these. A word with a meaning in a programming language is a string like any other.',
    usualCause:
      'The maximum length of a name is too small, or a word such as "null" is read as a missing value.',
    fix: 'Allow names of at least 30 letters, and decide by the type whether a name is missing.',
    dependsOn: [OF_NAMES.once, OF_NAMES.often],
    judge: judgeName,
    rows: PLAIN_NAMES,
  }),
  accepts({
    id: 'success/plain-tags-are-accepted',
    level: 'implied',
    title: 'A tag that is a lower-case ASCII word is accepted, even the word "null".',
    source: `${PLANT}/properties/tag`,
    why: '"tag" is a string that specifies the type of the plant. The interface shows no list of types, and no tag is more ordinary than one word.',
    usualCause: 'Only the tags on a list are allowed, or the word "null" is read as a missing tag.',
    fix: 'Accept any lower-case word as a tag.',
    rows: TAG_NULL,
  }),
  accepts({
    id: 'success/plain-words-are-accepted',
    level: 'implied',
    title: 'A plain name and a plain tag are accepted, whatever the words mean to a program.',
    source: `${PLANT}/properties`,
    why: 'Both are strings, and both are ordinary: a name of ASCII letters, and a tag that is a lower-case ASCII word. "undefined", "select" or "false" are words like any other. No list of forbidden words is shown, and a client cannot know that a program reads them in another sense.',
    usualCause:
      'A word is read as a missing value, a boolean or a keyword, or a filter takes it for an attack.',
    fix: 'Decide by the type whether a field is missing. Pass strings to the database as parameters, and forbid no words.',
    dependsOn: [OF_NAMES.once, OF_NAMES.often],
    judge: judgeName,
    rows: WORDS,
  }),
  describes200({
    id: 'success/body-comes-whole',
    level: 'implied',
    title: 'The body of a 200 is as long as its Content-Length or its chunks say.',
    fact: 'The body of a 200 is not as long as its Content-Length or its chunks say.',
    source: RESPONSE_200,
    why: 'A 200 has a Plant as its body, and half a Plant is not a Plant. A message that is shorter than its framing says is incomplete (RFC 9112, section 8). Bytes after its end are not part of it.',
    usualCause: 'Content-Length counts characters instead of bytes, or the connection is closed too early.',
    fix: 'Let the HTTP server set Content-Length, or count the bytes of the UTF-8 text.',
    judge(exchange) {
      if (!isSuccess(exchange) || mayBeLonger(exchange)) return 'nothing-to-judge';
      return framingProblem(exchange);
    },
  }),
  describes200({
    id: 'success/media-type-is-json',
    about: 'media type',
    title: 'The media type of a 200 is application/json.',
    fact: factOfMediaType,
    source: `${RESPONSE_200}/content/application~1json`,
    why: 'All bodies are JSON with the media type application/json.',
    usualCause:
      'The body is written as a string, so the framework calls it text/plain or text/html, or nothing sets Content-Type.',
    fix: 'Send Content-Type: application/json.',
    judge: (exchange) => judgeSuccess(exchange, ({ keyword }) => keyword === 'media-type'),
  }),
  describes200({
    id: 'success/body-is-json',
    title: 'The body of a 200 is one JSON value in UTF-8, without a byte-order mark.',
    fact: ({ exchange }) =>
      exchange.response?.received === 0 ? 'A 200 has no body.' : 'The body of a 200 is not JSON.',
    source: `${RESPONSE_200}/content/application~1json`,
    why: 'All bodies are JSON. JSON that is sent between systems is UTF-8 without a byte-order mark (RFC 8259, section 8.1).',
    usualCause:
      'The body is empty, is written without a JSON library, begins with a byte-order mark, or is not in UTF-8.',
    fix: 'Write the Plant with a JSON library, in UTF-8 and without a byte-order mark.',
    judge: (exchange) => judgeSuccess(exchange, isAboutJson),
  }),
  describes200({
    id: 'success/body-is-a-plant',
    about: 'plant',
    title: 'The body of a 200 is a Plant: "name" is a string, and "tag" is a string or missing.',
    fact: ({ exchange, actual }) => {
      const wrapping = wrappingIn(exchange);
      return wrapping === undefined
        ? `The response is not a Plant: ${actual.replace(/^2\d\d: /, '')}.`
        : `The plant is wrapped in ${wrapping}.`;
    },
    source: PLANT,
    why: 'The service responds with status 200 and a Plant body. null is not a string, and a member that is null is not missing.',
    usualCause: 'The plant is wrapped in another object, or a missing tag is written as null.',
    fix: 'Return an object with "name", and with "tag" only if the plant has one.',
    nothingToJudge: 'no creation returned 200 with JSON',
    judge(exchange) {
      if (jsonIn(exchange) === undefined) return 'nothing-to-judge';
      return judgeSuccess(
        exchange,
        ({ part, keyword }) => part === 'body' && keyword !== 'additionalProperties',
      );
    },
  }),
  describes200({
    id: 'success/plant-fields-only',
    about: 'plant',
    title: 'A 200 has only the fields of Plant: no "id" and no other field.',
    fact: ({ exchange }) => `The response has ${furtherFields(exchange)}.`,
    source: `${PLANT}/properties`,
    why: 'The successful response has only the fields of Plant, and "id" is not one of them.',
    usualCause: 'The whole stored record is serialised, or fields are added to the plant.',
    fix: 'Define a type for the response that has only "name" and "tag".',
    nothingToJudge: 'no creation returned 200 with a JSON object',
    judge(exchange) {
      const { response } = exchange;
      if (response === undefined || objectIn(exchange) === undefined) return 'nothing-to-judge';
      const others = contentOf(response).violations.filter(
        ({ keyword }) => keyword === 'additionalProperties',
      );
      const [first] = others;
      if (first === undefined) return undefined;
      const shown = others.map(({ pointer, actual }) => `${keyInWords(keysIn(pointer).join())} (${actual})`);
      return { expected: first.expected, actual: `a ${response.status} with ${listed(shown)}` };
    },
  }),
  describesValid({
    id: 'success/valid-plant-is-processed',
    level: 'implied',
    title: 'A valid plant never gets a 5xx, a redirect, a reset or no response.',
    fact: factOfRequest,
    source: RESPONSE_200,
    why: 'When the request is valid and authorised, the service responds with 200. Constraints on name, tag and id are not shown, so a provider may reject some plants, and a rejection is a 4xx. A 5xx says that the provider failed (RFC 9110, section 15.6), and no response says nothing. Neither tells the client what to change.',
    usualCause: 'The plant causes an exception that is not caught, for example in the database.',
    fix: 'Look for the exception in the log of the provider. Store the plant, or reject it with a 4xx.',
    dependsOn: [OF_IDS.once],
    everyAttempt: true,
    onNoResponse: 'judge',
    judge(exchange, { probe, facts }) {
      // `failure/rare-input-is-answered` judges the others.
      if (probe.rare === true || !isValidPlant(exchange) || isUnprocessed(exchange))
        return 'nothing-to-judge';
      if (isAccepted(exchange) || isRejected(exchange)) return undefined;
      // An overloaded provider says so now and then. Other failures count if they are still there in the last attempt.
      if (!isOverloaded(exchange)) {
        if (exchange.role === 'superseded') return 'nothing-to-judge';
        // Two rules judge these: the first requests of all, and those after an invalid request.
        if (probe.phase === 'control' || (probe.phase === 'recovery' && exchange.step > 0))
          return 'nothing-to-judge';
      }
      if (mayBeDuplicate(exchange, facts) || knowsNoSuchHttp(exchange)) return 'nothing-to-judge';
      const expected = exchange.expectation === 'created' ? '200' : '200, or a 4xx';
      return { expected, actual: responseInWords(exchange) };
    },
  }),
  describes200({
    id: 'success/name-comes-back',
    level: 'implied',
    about: 'plant',
    title: 'The name of the plant comes back as it was sent.',
    fact: 'The name in the response is not the one in the request.',
    source: `${PLANT}/properties/name`,
    why: 'The response is the plant that was created, and "name" is its name. A plant with another name is another plant.',
    usualCause: 'The response is a fixed example, or the name is changed before it is stored.',
    fix: 'Return the name as it was received.',
    nothingToJudge: 'no 200 had a name',
    judge: (exchange, context) => judgeStrings(exchange, context, ['name']),
    rows: [WITHOUT_TAG, WITH_TAG, ...PLAIN_NAMES, ...TAG_NULL, ...WORDS],
  }),
  describes200({
    id: 'success/tag-comes-back',
    level: 'implied',
    about: 'plant',
    title: 'The tag of the plant comes back as it was sent.',
    fact: 'The tag in the response is not the one in the request.',
    source: `${PLANT}/properties/tag`,
    why: 'A 200 has "tag" when the plant has one. The plant was created with this tag, so a response without it or with another tag describes another plant.',
    usualCause: 'The tag is not stored, or it is changed before it is stored.',
    fix: 'Return the tag as it was received.',
    nothingToJudge: 'no plant with a tag returned 200 with a Plant',
    judge: (exchange, context) => judgeStrings(exchange, context, ['tag']),
    rows: [WITH_TAG, ...TAG_NULL, ...WORDS],
  }),
  describes200({
    id: 'success/texts-come-back',
    level: 'implied',
    about: 'plant',
    title: 'Strings come back unchanged in every script, and with markup, quotes or control characters.',
    fact: 'A name or a tag is changed before it comes back.',
    source: `${PLANT}/properties`,
    why: 'The interface does not show which strings are allowed, so a provider may reject any of these. But if it accepts one, that string is the name or the tag of the plant, and the response describes that plant.',
    usualCause:
      'Strings are trimmed, normalised, escaped for HTML, or stored in a charset without some characters.',
    fix: 'Store strings unchanged (in MySQL, as utf8mb4). Escape them where they are displayed, not where they are stored.',
    nothingToJudge: 'no response had a plant with such a string',
    judge(exchange, context) {
      if (stringsOf(exchange, 'other').length > 0 && isRejected(exchange) && !isUnprocessed(exchange))
        return { notApplicable: 'the interface allows the provider to reject such strings, and it does' };
      return judgeStrings(exchange, context, ['name', 'tag'], 'other');
    },
  }),
  describes200({
    id: 'success/absent-tag-stays-absent',
    level: 'implied',
    about: 'plant',
    title: 'A plant that was sent without a tag comes back without one.',
    fact: 'A plant without a tag comes back with a tag.',
    source: `${PLANT}/properties/tag`,
    why: 'A 200 has "tag" when the plant has one, and this plant has none. Every value of "tag", even an empty string, is a tag that the client did not send.',
    usualCause: 'A missing tag is serialised as null or as an empty string.',
    fix: 'Leave the member "tag" out if the plant has no tag.',
    nothingToJudge: 'no plant without a tag returned 200 with a Plant',
    judge(exchange, { facts }) {
      const plant = plantIn(exchange);
      // The response to a duplicate may be the stored plant, which may have a tag.
      if (!isNewPlant(exchange) || exchange.request.plant?.tag !== undefined || plant === undefined)
        return 'nothing-to-judge';
      if (facts.mayBelongToAnother(exchange) || exchange.sent.hasLikeKey) return 'nothing-to-judge';
      return 'tag' in plant ? { expected: 'no "tag"', actual: `"tag" is ${describe(plant.tag)}` } : undefined;
    },
  }),
];

/** Requires that a plain name is accepted, unless the provider may have it and rejects it like a duplicate. */
function judgeName(exchange: Exchange, { facts }: Context): Judgement {
  // No other plant has a name that is random.
  const mayExist =
    (exchange.request.plant?.name ?? '').search(FRESH_NAME) < 0 && facts.rejected(OF_NAMES.once);
  return mayExist && isRejected(exchange) && isLikeDuplicate(exchange, facts, OF_NAMES)
    ? { notApplicable: 'the provider rejects duplicate names, and this name may exist already' }
    : judgeAcceptance(exchange);
}

const IS_PLAIN = { name: isPlainName, tag: isPlainTag };

/** The strings of a new plant: those that every provider accepts, or the others. */
function stringsOf(exchange: Exchange, which: 'plain' | 'other'): readonly ('name' | 'tag')[] {
  const { plant } = exchange.request;
  if (plant === undefined || !isNewPlant(exchange) || exchange.sent.hasLikeKey) return [];
  return (['name', 'tag'] as const).filter((field) => {
    const sent = plant[field];
    return sent !== undefined && IS_PLAIN[field](sent) === (which === 'plain');
  });
}

/** Requires that strings come back as they were sent, if a plant comes back. All problems of one exchange are one. */
function judgeStrings(
  exchange: Exchange,
  { facts }: Context,
  fields: readonly ('name' | 'tag')[],
  which: 'plain' | 'other' = 'plain',
): Judgement {
  const sent = exchange.request.plant;
  const plant = plantIn(exchange);
  if (sent === undefined || plant === undefined || facts.mayBelongToAnother(exchange))
    return 'nothing-to-judge';
  const judged = stringsOf(exchange, which).filter(
    (field) => fields.includes(field) && (which === 'plain' || isJudged(field, sent.tag, plant.tag, facts)),
  );
  if (judged.length === 0) return 'nothing-to-judge';
  const problems = judged.flatMap((field) => {
    const difference = differenceOf(sent[field] ?? '', plant[field]);
    return difference === undefined ? [] : [{ field, ...difference }];
  });
  if (problems.length === 0) return undefined;
  return {
    expected: problems.map((one) => `"${one.field}" ${one.sent}, as sent`).join('; '),
    actual: problems.map((one) => `"${one.field}" is ${one.received}`).join('; '),
  };
}

/**
 * Whether a string that is not plain is judged. If every tag is missing, `success/tag-comes-back` fails, and an empty tag may count as
 * a missing one: only a tag that is missing because of its characters is lost.
 */
function isJudged(
  field: 'name' | 'tag',
  sent: string | undefined,
  received: JsonValue | undefined,
  facts: Facts,
): boolean {
  if (field === 'name' || received !== undefined) return true;
  const plain = facts.of(WITH_TAG.name).at(-1);
  return sent !== '' && plain !== undefined && plantIn(plain)?.tag !== undefined;
}

/** What the interface demands of creations that succeed. */
export const success: Topic = { rules, drawn: 8 };
