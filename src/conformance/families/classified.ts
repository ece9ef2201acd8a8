import { isTolerable } from '../../validation/acceptance.js';
import { readJson } from '../../validation/json.js';
import {
  isWellFormedThroughout,
  JsonNumber,
  type JsonObject,
  type JsonValue,
} from '../../validation/json-value.js';
import { newPlantFields } from '../../validation/schema.generated.js';
import { validateNewPlant } from '../../validation/schema.js';
import type { Violation } from '../../validation/violation.js';
import type { Expectation } from '../exchange.js';
import { isPlainName, isPlainTag } from '../oracle.js';
import type { ProbeDraft } from './draft.js';
import type { GeneratedName } from './family.js';
import { type PlantText, requestOf } from './text-drafts.js';

/** What the interface says about a body, as far as it is beyond doubt. */
export interface Classified {
  readonly expectation: Expectation;
  /** The ids of the rules that it is sent for. */
  readonly rules: readonly string[];
  /** The plant that it means, with `<NAME>` and `<ID>`. */
  readonly plant?: PlantText;
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

const PLACEHOLDER = /<(NAME|ID)\d?>/g;

/** Classifies a body with `<NAME>` and `<ID>` in it by our own exact reader. */
export function classify(text: string): Classified {
  const long = classifyWith(text, LONG_ID);
  const isAnyLength =
    !ID_IN_NUMBER.test(text) && Math.abs(text.length - LONGEST_CREATED) > MOST_IDS * LONG_ID.length;
  if (isAnyLength) return long;
  return long.expectation === classifyWith(text, SHORT_ID).expectation ? long : OPEN;
}

/** A draft of one request, sent for what its body shows. */
export function classifiedDraft(name: GeneratedName, title: string, text: string): ProbeDraft {
  const { expectation, rules, plant, idMayExist } = classify(text);
  return {
    name,
    title,
    expectation,
    phase: expectation === 'rejected' ? 'invalid' : 'valid',
    control: plant?.tag === undefined ? 'plain-plant' : 'plain-plant-with-tag',
    rules,
    requests: [requestOf(text, plant, idMayExist && { idMayExist })],
  };
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
  const { name, id, tag, ...others } = value as JsonObject & {
    name: string;
    id: number | bigint;
    tag?: string;
  };
  const isOpenId = !new RegExp(`"\\s*:\\s*${id}\\s*[,}]`).test(text);
  if (isOpenId || !isWellFormedThroughout(value)) return OPEN;
  const hasUnknown = Object.keys(others).some((key) => !newPlantFields.includes(key));
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
    plant: {
      name: unfilled(name),
      id: String(id).replace(sample === LONG_ID ? LONG_ID : /^1$/, '<ID>'),
      ...(tag !== undefined && { tag: unfilled(tag) }),
    },
    ...(!isFreshId && !String(id).includes(LONG_ID) && { idMayExist: true }),
  };
}

/** A string of a body that was filled in with the longest id, with its placeholders again. */
function unfilled(text: string): string {
  return text.replaceAll(NAME, '<NAME>').replaceAll(LONG_ID, '<ID>');
}
