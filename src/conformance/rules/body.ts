import { type Demand, defineRule } from '../rule.js';
import { judgeAcceptance, judgeRefusal, NOT_SENT } from './refusal.js';
import { ASKED_ABOUT_REPETITION } from './repetition.js';

const BODY = '/paths/~1plants/post/requestBody';
const JSON_CONTENT = `${BODY}/content/application~1json`;
const NEW_PLANT = '/components/schemas/NewPlant/allOf/1';
const PLANT = '/components/schemas/Plant';
const FIELDS = 'Resources and their fields';

type Specific<Id extends string> = Omit<Demand<Id>, 'level' | 'control' | 'nothingToJudge' | 'judge'>;

/** A rule that certain requests are refused. */
function refuses<const Id extends string>(rule: Specific<Id>): Demand<Id> {
  return defineRule({
    ...rule,
    level: 'documented',
    control: 'for-a-pass',
    nothingToJudge: NOT_SENT,
    judge: judgeRefusal,
  });
}

/** A rule that certain ways to send a valid plant are accepted. */
function accepts<const Id extends string>(rule: Specific<Id>): Demand<Id> {
  return defineRule({
    ...rule,
    level: 'implied',
    control: 'for-any-verdict',
    nothingToJudge: NOT_SENT,
    judge: judgeAcceptance,
  });
}

/** What the interface demands of the body of a request, ids aside. */
export const bodyRules = [
  accepts({
    id: 'request/media-type-parameters-are-accepted',
    title: '"application/json; charset=utf-8" is accepted.',
    source: { section: 'Endpoints', pointer: JSON_CONTENT },
    why: 'A media type with parameters is that media type (RFC 9110, section 8.3.1), and UTF-8 is what JSON is in anyway: many clients send this by default.',
    judges: ['media-type-with-charset'],
  }),
  accepts({
    id: 'request/media-type-case-is-ignored',
    title: '"Application/JSON" is accepted.',
    source: { section: 'Endpoints', pointer: JSON_CONTENT },
    why: 'The names of media types are case-insensitive (RFC 9110, section 8.3.1), so this is application/json.',
    judges: ['media-type-in-capitals'],
  }),
  accepts({
    id: 'request/spelling-of-json-is-ignored',
    title: 'White space, the order of members and escapes in the JSON of a plant make no difference.',
    source: { section: FIELDS, pointer: JSON_CONTENT },
    why: 'The body is JSON. White space between its tokens is insignificant, an object is an unordered collection, and a letter may be written as an escape (RFC 8259, sections 2, 4 and 7): these are plain plants.',
    judges: ['json-with-white-space', 'json-in-another-order', 'json-with-escapes'],
  }),
  refuses({
    id: 'request/body-is-required',
    title: 'A request without a body is refused.',
    source: { section: 'Endpoints', pointer: `${BODY}/required` },
    why: 'The request body is required.',
    judges: ['no-body'],
  }),
  refuses({
    id: 'request/body-is-json',
    title: 'A body that is not JSON is refused.',
    source: { section: FIELDS, pointer: JSON_CONTENT },
    why: 'All bodies are JSON. What is not JSON is no NewPlant.',
    judges: [
      ...['malformed-json', 'single-quotes', 'trailing-comma', 'comment-in-json'],
      ...['text-for-json', 'form-body', 'xml-body'],
    ],
  }),
  refuses({
    id: 'request/nothing-follows-the-json',
    title: 'A body in which something follows the JSON of a plant is refused.',
    source: { section: FIELDS, pointer: JSON_CONTENT },
    why: 'All bodies are JSON, and a JSON text is one value with white space around it at most (RFC 8259, section 2). What follows may have been meant as well, and would be lost without a word.',
    judges: ['text-after-json', 'two-json-texts'],
  }),
  refuses({
    id: 'request/body-is-an-object',
    title: 'JSON that is no object is refused.',
    source: { section: 'Endpoints', rule: 3, pointer: `${PLANT}/type` },
    why: 'The request body is an object with the members of a NewPlant.',
    judges: ['body-is-null', 'body-is-boolean', 'body-is-text', 'body-is-number', 'body-is-array'],
  }),
  refuses({
    id: 'request/name-is-required',
    title: 'A plant without a name is refused.',
    source: { section: FIELDS, pointer: `${PLANT}/required/0` },
    why: '"name" is required in NewPlant.',
    judges: ['missing-name', 'empty-object'],
  }),
  refuses({
    id: 'request/id-is-required',
    title: 'A plant without an id is refused.',
    source: { section: FIELDS, pointer: `${NEW_PLANT}/required/0` },
    why: '"id" is required in NewPlant.',
    asks: ASKED_ABOUT_REPETITION,
    judges: ['missing-id', 'empty-object'],
  }),
  refuses({
    id: 'request/name-is-a-string',
    title: 'A name that is no string is refused.',
    source: { section: FIELDS, pointer: `${PLANT}/properties/name/type` },
    why: '"name" is a string.',
    judges: ['name-is-null', 'name-is-number', 'name-is-boolean', 'name-is-array', 'name-is-object'],
  }),
  refuses({
    id: 'request/tag-is-a-string',
    title: 'A tag that is there and no string is refused.',
    source: { section: FIELDS, pointer: `${PLANT}/properties/tag/type` },
    why: '"tag" is a string, or it is not there. null is neither.',
    judges: ['tag-is-null', 'tag-is-number', 'tag-is-boolean', 'tag-is-array', 'tag-is-object'],
  }),
  refuses({
    id: 'request/id-is-an-integer',
    title: 'An id that is no integer is refused.',
    source: { section: FIELDS, pointer: `${NEW_PLANT}/properties/id/type` },
    why: '"id" is an integer. Digits in quotes are a string.',
    asks: ASKED_ABOUT_REPETITION,
    judges: [
      ...['id-is-text', 'id-is-empty-text', 'id-is-null', 'id-is-boolean'],
      ...['id-is-fraction', 'id-is-array', 'id-is-object'],
    ],
  }),
];
