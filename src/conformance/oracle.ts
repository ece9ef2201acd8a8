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
import type { Expectation } from './exchange.js';

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

/** An id that has digits or another id beside it, or a sign, a fraction or an exponent. */
const ID_IN_NUMBER = /[\d.eE+>-]<ID|<ID\d?>[\d.eE+<-]/;
/** Only a body that is shorter must be accepted. */
const LONGEST_CREATED = 1_000;
const MOST_IDS = 10;

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
  const isAnyLength =
    !ID_IN_NUMBER.test(text) && Math.abs(text.length - LONGEST_CREATED) > MOST_IDS * LONG_ID.length;
  if (isAnyLength) return long;
  return long.expectation === classifyWith(text, SHORT_ID).expectation ? long : OPEN;
}

/** A body as a NewPlant: its keys are there once, and no string has half a surrogate pair. Its id may be written as 7.0. */
export function newPlantIn(body: Uint8Array): NewPlant | undefined {
  const read = readJson(body);
  if (!read.ok || read.duplicateKeys.length > 0 || validateNewPlant(read.value).length > 0) return undefined;
  return isWellFormedThroughout(read.value) ? (read.value as unknown as NewPlant) : undefined;
}

/**
 * The plant that a body means, if that is beyond doubt: it is a NewPlant, its keys are there once, and the digits of its id
 * are written as they come back.
 */
export function plantMeantBy(text: string): NewPlant | undefined {
  const plant = newPlantIn(Buffer.from(text));
  if (plant === undefined) return undefined;
  const { name, id, tag } = plant;
  if (!new RegExp(`"\\s*:\\s*${id}\\s*[,}]`).test(text)) return undefined;
  return { name, id, ...(tag !== undefined && { tag }) };
}

function classifyWith(text: string, id: string): Classified {
  const filled = text.replace(PLACEHOLDER, (_, kind) => (kind === 'NAME' ? NAME : id));
  const bytes = Buffer.from(filled);
  const read = readJson(bytes);
  if (!read.ok) {
    // Nobody could send half a surrogate pair.
    const isOpen = !filled.isWellFormed() || isTolerable(bytes, read.message);
    return isOpen ? OPEN : rejectedFor(ruleOfText(read.message));
  }
  if (read.duplicateKeys.length > 0) return OPEN;
  const [violation] = validateNewPlant(read.value);
  if (violation !== undefined) return rejectedFor(ruleOf(violation, read.value));
  return classifyPlant(filled, read.value as JsonObject, id);
}

function rejectedFor(rule: string): Classified {
  return { expectation: 'rejected', rules: [rule] };
}

function ruleOfText(message: string): string {
  return message.startsWith('expected the end of the text')
    ? 'request/nothing-follows-the-json'
    : 'request/body-is-json';
}

function ruleOf({ pointer, keyword, expected }: Violation, value: JsonValue): string {
  if (pointer === '') return 'request/body-is-an-object';
  if (keyword === 'required')
    return expected.includes('"name"') ? 'request/name-is-required' : 'request/id-is-required';
  if (pointer !== '/id') return `request/${pointer.slice(1)}-is-a-string`;
  const { id } = value as JsonObject;
  const isInteger = typeof id === 'bigint' || (id instanceof JsonNumber && id.isInteger);
  return isInteger ? 'request/id-is-within-int64' : 'request/id-is-an-integer';
}

function classifyPlant(text: string, value: JsonObject, sample: string): Classified {
  const plant = plantMeantBy(text);
  if (plant === undefined) return OPEN;
  const { name, id, tag } = plant;
  const hasUnknown = Object.keys(value).some((key) => !newPlantFields.includes(key));
  const hasPlainName = isPlainName(name) && name.includes(NAME);
  const isPlain = hasPlainName && (tag === undefined || isPlainTag(tag)) && !hasUnknown;
  const isFreshId = String(id) === sample;
  return {
    expectation: isPlain && isFreshId && text.length < LONGEST_CREATED ? 'created' : 'open',
    rules: [
      ...(isPlain ? ['request/spelling-of-json-is-ignored'] : []),
      ...(hasPlainName ? [] : ['success/texts-come-back']),
      ...(hasUnknown ? ['request/unknown-members-change-nothing'] : []),
      ...(tag === undefined ? [] : ['success/tag-comes-back']),
    ],
    ...(tag !== undefined && { hasTag: true }),
    ...(!isFreshId && !String(id).includes(LONG_ID) && { idMayExist: true }),
  };
}
