import { isDeepStrictEqual } from 'node:util';
import { listed } from '../../output/wording.js';
import { readJson } from '../../validation/json.js';
import { isObject, JsonNumber, type JsonObject, type JsonValue } from '../../validation/json-value.js';
import { type Exchange, isAccepted } from '../exchange.js';
import type { Facts } from '../facts/facts.js';
import { jsonOf } from '../response-body.js';
import type { BrokenRule, Cause } from './cause.js';

type Field = 'name' | 'id' | 'tag';
type Mistake = 'null' | 'not-checked' | 'converted' | 'boolean' | 'fraction';

/** A value of another type in an accepted request, and what the provider did with it. */
interface WrongValue {
  readonly field: Field;
  readonly sent: JsonValue;
  /** Whether the same value came back, another one, or none. The response never has to have the id. */
  readonly fate: 'untouched' | 'changed' | 'unseen';
}

const FIELDS: readonly Field[] = ['name', 'id', 'tag'];

/** Fields whose type is not what it should be. */
export const typeCauses: readonly Cause[] = [
  {
    id: 'types-are-not-checked',
    fix: 'Check the type of each field, and reject every other type.',
    explain: explainedBy('not-checked', (fields) => `The types of fields are not checked: ${fields}.`),
  },
  {
    id: 'types-are-converted',
    fix: "Disable the framework's type conversion, or check the types before the fields are bound.",
    explain: explainedBy('converted', () => 'Values of another type are converted instead of rejected.'),
  },
  {
    id: 'booleans-count-as-integers',
    fix: 'Reject true and false as ids. Check for the type itself: a boolean may be a subtype of the integers.',
    explain: explainedBy('boolean', () => 'Booleans count as integers: true is 1, and false is 0.'),
  },
  {
    id: 'fractions-are-accepted',
    fix: 'Reject a number that is not an integer.',
    explain: explainedBy('fraction', () => 'An id with a fraction is accepted: it is read as any number.'),
  },
  {
    id: 'null-counts-as-missing',
    fix: 'Reject null. A field that is null is not missing.',
    explain: explainedBy('null', (fields) => `null is accepted for ${fields}.`),
  },
];

/** Explains an accepted value of another type by one mistake. All fields with this mistake are in one sentence. */
function explainedBy(mistake: Mistake, sentence: (fields: string) => string) {
  return ({ rule, exchange }: BrokenRule, facts: Facts): string | undefined => {
    if (!rule.startsWith('request/')) return undefined;
    const all = facts.find(wrongValuesIn);
    const isMade = (wrong: WrongValue): boolean => mistakeOf(wrong, all) === mistake;
    const fields = FIELDS.filter((field) => all.some((one) => one.field === field && isMade(one)));
    const wrong = wrongValues(exchange)[0];
    const isExplained =
      wrong === undefined
        ? mistake === 'not-checked' && fields.some((field) => isMissingUnnoticed(field, rule, exchange))
        : isMade(wrong);
    return isExplained ? sentence(listed(fields.map((field) => `"${field}"`))) : undefined;
  };
}

/** Whether a plant without a field was accepted, and has no such field in the response either: nobody looked at it. */
function isMissingUnnoticed(field: Field, rule: string, { request, response }: Exchange): boolean {
  if (rule !== `request/${field}-is-required` || response === undefined) return false;
  const sent = membersOf(readJson(request.body));
  const received = membersOf(jsonOf(response));
  return sent !== undefined && !Object.hasOwn(sent, field) && !Object.hasOwn(received ?? {}, field);
}

function mistakeOf(wrong: WrongValue, all: readonly WrongValue[]): Mistake {
  const ofField = all.filter(({ field }) => field === wrong.field);
  const others = ofField.filter(({ sent }) => sent !== null);
  if (wrong.sent === null) {
    if (others.length === 0) return 'null';
    const mistake = mistakeOf(others[0] as WrongValue, all);
    // A reader that converts other types may still read null as a missing field.
    return mistake === 'converted' && wrong.fate !== 'changed' && wrong.field !== 'id' ? 'null' : mistake;
  }
  if (wrong.fate !== 'unseen') return wrong.fate === 'untouched' ? 'not-checked' : 'converted';
  if (others.every(({ sent }) => typeof sent === 'boolean')) return 'boolean';
  if (others.every(({ sent }) => isNumber(sent))) return 'fraction';
  // No id can be made of an object. If a provider accepts one, it converts nothing.
  if (others.some(({ sent }) => isObject(sent))) return 'not-checked';
  const hasFate = (fate: WrongValue['fate']) => all.some((one) => one.sent !== null && one.fate === fate);
  return hasFate('untouched') && !hasFate('changed') ? 'not-checked' : 'converted';
}

function wrongValuesIn({ exchanges }: Facts): readonly WrongValue[] {
  return exchanges.flatMap(wrongValues);
}

/** The values of another type in a request that should have been rejected, and was accepted. */
function wrongValues(exchange: Exchange): readonly WrongValue[] {
  if (exchange.expectation !== 'rejected' || !isAccepted(exchange) || exchange.response === undefined)
    return [];
  const sent = membersOf(readJson(exchange.request.body));
  const received = membersOf(jsonOf(exchange.response)) ?? {};
  if (sent === undefined) return [];
  return FIELDS.filter((field) => Object.hasOwn(sent, field) && !isOfType(field, sent[field])).map(
    (field) => ({
      field,
      sent: sent[field] ?? null,
      fate: fateOf(field, sent[field] ?? null, received),
    }),
  );
}

function fateOf(field: Field, sent: JsonValue, received: JsonObject): WrongValue['fate'] {
  if (!Object.hasOwn(received, field)) return 'unseen';
  return isDeepStrictEqual(received[field], sent) ? 'untouched' : 'changed';
}

function membersOf(read: ReturnType<typeof readJson>): JsonObject | undefined {
  return read.ok && isObject(read.value) ? read.value : undefined;
}

function isOfType(field: Field, value: JsonValue | undefined): boolean {
  if (field !== 'id') return typeof value === 'string';
  return (
    typeof value === 'bigint' || Number.isInteger(value) || (value instanceof JsonNumber && value.isInteger)
  );
}

function isNumber(value: JsonValue): boolean {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof JsonNumber;
}
