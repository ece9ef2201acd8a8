import type { NewPlant } from '../spec/types.js';
import { fieldsLikeKeysOf, isTolerable, ruleOfText, ruleOfValue } from '../validation/acceptance.js';
import { readJson } from '../validation/json.js';
import {
  isWellFormedThroughout,
  JsonNumber,
  type JsonObject,
  type JsonValue,
} from '../validation/json-value.js';
import { newPlantFields } from '../validation/schema.generated.js';
import { validateNewPlant } from '../validation/schema.js';
import type { Violation } from '../validation/violation.js';

/**
 * What a conforming provider does with a request.
 *
 * - `created`: the request is valid, and a conforming provider accepts it.
 * - `rejected`: the request is invalid, or not authorised.
 * - `open`: the interface does not say.
 */
export type Expectation = 'created' | 'rejected' | 'open';

/** What the interface says about a body, as far as it is beyond doubt. */
export interface Classified {
  readonly expectation: Expectation;
  /** The ids of the rules that it is sent for. */
  readonly rules: readonly string[];
  readonly hasTag?: true;
  /** The id is the same each time. */
  readonly idMayExist?: true;
}

/** The interface leaves such a body open, or the parsers of JSON differ. */
const OPEN: Classified = { expectation: 'open', rules: [] };

/** What `<NAME>` and `<ID>` are filled in with. The shortest and the longest id show whether its length matters. */
const NAME = 'Aloeqzjxkw';
const SHORT_ID = '1';
const LONG_ID = '2147483646';

/** Only a body that is shorter must be accepted. */
const LONGEST_CREATED = 1_000;

const PLACEHOLDER = /<(NAME|ID)\d?(?: ESCAPED)?>/g;

/** Whether every provider accepts a name: it has 1 to 30 ASCII letters. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z]{1,30}$/.test(name);
}

/** Whether every provider accepts a tag: it is a lower-case ASCII word. */
export function isPlainTag(tag: string): boolean {
  return /^[a-z]{1,30}$/.test(tag);
}

/** Classifies a body with `<NAME>` and `<ID>` in it by our own exact reader. */
export function classify(text: string): Classified {
  const long = classifyWith(text, LONG_ID);
  return long.expectation === classifyWith(text, SHORT_ID).expectation ? long : OPEN;
}

const INTEGER_MEMBER = /"\s*:\s*(-?\d+)\s*[,}]/g;

/**
 * The plant that a body means, if that is beyond doubt: it is a NewPlant, its keys are there once, no string has half a
 * surrogate pair, and the digits of its id are written as they come back.
 *
 * @param read the text as JSON, if that is known
 */
export function plantMeantBy(text: string, read = readJson(Buffer.from(text))): NewPlant | undefined {
  if (!read.ok || read.duplicateKeys.length > 0 || validateNewPlant(read.value).length > 0) return undefined;
  if (!isWellFormedThroughout(read.value)) return undefined;
  const { name, id, tag } = read.value as unknown as NewPlant;
  if (!Array.from(text.matchAll(INTEGER_MEMBER), ([, digits]) => digits).includes(String(id)))
    return undefined;
  return { name, id, ...(tag !== undefined && { tag }) };
}

function classifyWith(text: string, id: string): Classified {
  const filled = text.replace(PLACEHOLDER, (_, kind) => (kind === 'NAME' ? NAME : id));
  const read = readJson(Buffer.from(filled));
  if (!read.ok) {
    // Nobody could send half a surrogate pair.
    const isOpen = !filled.isWellFormed() || isTolerable(filled, read.message);
    return isOpen ? OPEN : rejectedFor(ruleOfText(filled, read.message));
  }
  if (read.duplicateKeys.length > 0) return OPEN;
  const [violation] = validateNewPlant(read.value);
  if (violation !== undefined)
    return isRounded(violation, read.value) ? OPEN : rejectedFor(ruleOfValue(violation, read.value));
  return classifyPlant(filled, read.value as JsonObject, id);
}

/** Whether the id is an integer as soon as a double holds it. A parser of JSON may use doubles (RFC 8259, section 6). */
function isRounded({ pointer }: Violation, value: JsonValue): boolean {
  const id = pointer === '/id' ? (value as JsonObject).id : undefined;
  return id instanceof JsonNumber && !id.isInteger && Number.isInteger(Number(id.text));
}

function rejectedFor(rule: string): Classified {
  return { expectation: 'rejected', rules: [rule] };
}

/** A key with a letter that is written as an escape. */
const ESCAPED_KEY = /\\u[\da-f]{4}[^"]*"\s*:/i;

function classifyPlant(text: string, value: JsonObject, sample: string): Classified {
  const plant = plantMeantBy(text);
  if (plant === undefined) return OPEN;
  const { name, id, tag } = plant;
  const hasUnknown = Object.keys(value).some((key) => !newPlantFields.includes(key));
  const hasLikeKey = fieldsLikeKeysOf(value).length > 0;
  const hasPlainName = isPlainName(name) && name.includes(NAME);
  const areTextsPlain = hasPlainName && (tag === undefined || isPlainTag(tag));
  const isPlain = areTextsPlain && !hasUnknown;
  const isFreshId = String(id) === sample;
  return {
    expectation: isPlain && isFreshId && text.length < LONGEST_CREATED ? 'created' : 'open',
    // What is read from a key in another case may change every field, so nothing else is judged. What happens to a text that is
    // not plain says nothing about other members.
    rules: hasLikeKey
      ? areTextsPlain
        ? ['request/keys-are-exact']
        : []
      : [
          ...(isPlain
            ? [
                ESCAPED_KEY.test(text)
                  ? 'request/escaped-keys-are-accepted'
                  : 'request/spelling-of-json-is-ignored',
              ]
            : []),
          ...(hasPlainName ? [] : ['success/texts-come-back']),
          ...(hasUnknown && areTextsPlain ? ['request/unknown-members-change-nothing'] : []),
          ...(tag === undefined ? [] : ['success/tag-comes-back']),
        ],
    ...(tag !== undefined && { hasTag: true }),
    ...(!isFreshId && !String(id).includes(LONG_ID) && { idMayExist: true }),
  };
}
