import type { NewPlant } from '../spec/types.js';
import { isTolerable } from '../validation/acceptance.js';
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

/** White space, marks, and characters that nobody sees. */
const UNSEEN = /[\s\p{Cf}\p{M}]/gu;

/**
 * The field for which a careless reader takes a key that is not the name of a field: in another case, in wide letters, with
 * white space or an accent, or with U+0000 after it.
 */
export function fieldLike(key: string): string | undefined {
  if (newPlantFields.includes(key)) return undefined;
  const folded = key.replace(/\0.*$/s, '').normalize('NFKD').replace(UNSEEN, '').toLowerCase();
  return newPlantFields.find((field) => field === folded);
}

/** The fields for which a careless reader takes other keys of an object. */
export function fieldsLikeKeysOf(value: JsonObject): readonly string[] {
  return Object.keys(value).flatMap((key) => fieldLike(key) ?? []);
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
 */
export function plantMeantBy(text: string): NewPlant | undefined {
  const read = readJson(Buffer.from(text));
  if (!read.ok || read.duplicateKeys.length > 0 || validateNewPlant(read.value).length > 0) return undefined;
  if (!isWellFormedThroughout(read.value)) return undefined;
  const { name, id, tag } = read.value as unknown as NewPlant;
  if (!Array.from(text.matchAll(INTEGER_MEMBER), ([, digits]) => digits).includes(String(id)))
    return undefined;
  return { name, id, ...(tag !== undefined && { tag }) };
}

function classifyWith(text: string, id: string): Classified {
  const filled = text.replace(PLACEHOLDER, (_, kind) => (kind === 'NAME' ? NAME : id));
  const bytes = Buffer.from(filled);
  const read = readJson(bytes);
  if (!read.ok) {
    // Nobody could send half a surrogate pair.
    const isOpen = !filled.isWellFormed() || isTolerable(bytes, read.message);
    return isOpen ? OPEN : rejectedFor(ruleOfText(filled, read.message));
  }
  if (read.duplicateKeys.length > 0) return OPEN;
  const [violation] = validateNewPlant(read.value);
  if (violation !== undefined)
    return isRounded(violation, read.value) ? OPEN : rejectedFor(ruleOf(violation, read.value));
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

/**
 * The rule for a text that is not JSON, by the reason. No reader takes a text for JSON that has no object in it or is cut off.
 * Some take what is nearly JSON.
 */
function ruleOfText(text: string, why: string): string {
  if (why.startsWith('expected the end of the text')) return 'request/nothing-follows-the-json';
  const isCutOff = why.endsWith('got the end of the text') || why === 'the text ends inside a string';
  return isCutOff || !text.includes('{') ? 'request/body-is-json' : 'request/near-json-is-refused';
}

function ruleOf({ pointer, keyword, expected }: Violation, value: JsonValue): string {
  if (pointer === '') return isRecord(value) ? 'request/array-is-no-record' : 'request/body-is-an-object';
  if (keyword === 'required') {
    const field = expected.includes('"name"') ? 'name' : 'id';
    const hasLikeKey = fieldsLikeKeysOf(value as JsonObject).includes(field);
    return hasLikeKey ? 'request/keys-are-exact' : `request/${field}-is-required`;
  }
  const { id, tag } = value as JsonObject;
  if (pointer === '/tag' && tag === null) return 'request/null-tag-is-refused';
  if (pointer !== '/id') return `request/${pointer.slice(1)}-is-a-string`;
  const isInteger = typeof id === 'bigint' || (id instanceof JsonNumber && id.isInteger);
  return isInteger ? 'request/id-is-within-int64' : 'request/id-is-an-integer';
}

/** Whether some readers would fill the fields of a plant from an array. */
function isRecord(value: JsonValue): boolean {
  if (!Array.isArray(value) || value.length > newPlantFields.length) return false;
  return ['string', 'bigint'].every((type) => value.some((item) => typeof item === type));
}

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
          ...(isPlain ? ['request/spelling-of-json-is-ignored'] : []),
          ...(hasPlainName ? [] : ['success/texts-come-back']),
          ...(hasUnknown && areTextsPlain ? ['request/unknown-members-change-nothing'] : []),
          ...(tag === undefined ? [] : ['success/tag-comes-back']),
        ],
    ...(tag !== undefined && { hasTag: true }),
    ...(!isFreshId && !String(id).includes(LONG_ID) && { idMayExist: true }),
  };
}
