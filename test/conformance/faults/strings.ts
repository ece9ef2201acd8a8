import type { Faults } from '../../../src/server/faults/names.js';
import { changesStrings, rendersBody } from '../../../src/server/faults/responses.js';
import { readJsonText } from '../../../src/validation/json.js';
import { exactNumber, type JsonValue } from '../../../src/validation/json-value.js';

/** Responds with a tag that may be missing or of another type. */
function changesTag(change: (tag: string, name: string) => JsonValue | undefined) {
  return rendersBody(({ name, tag }) => (tag === undefined ? { name } : { name, tag: change(tag, name) }));
}

function parsed(text: string): JsonValue {
  const read = readJsonText(text);
  return read.ok ? read.value : text;
}

/** A number without its exponent. */
function withoutExponent(text: string): string {
  const [, digits, exponent] = /^(\d+)e(\d{1,3})$/i.exec(text) ?? [];
  return digits === undefined ? text : withoutLeadingZeros(digits + '0'.repeat(Number(exponent)));
}

function withoutLeadingZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

/** Strings are changed because of what they look like, or rejected because of what they mean. */
export const stringFaults = {
  'drops-tag-equal-to-name': {
    title: 'A tag that is equal to the name is left out of the response.',
    breaks: ['success/tag-comes-back'],
    replace: changesTag((tag, name) => (tag === name ? undefined : tag)),
  },
  'reads-false-tag-as-missing': {
    title: 'The tag "false" is treated as missing.',
    breaks: ['success/tag-comes-back'],
    replace: changesTag((tag) => (tag === 'false' ? undefined : tag)),
  },
  'reads-numeric-tags': {
    title: 'A tag of digits is returned as a number.',
    breaks: ['success/body-is-a-plant', 'success/texts-come-back'],
    replace: changesTag((tag) => (/^\d+$/.test(tag) ? exactNumber(withoutLeadingZeros(tag)) : tag)),
  },
  'reads-exponents-in-strings': {
    title: 'A string that looks like a number with an exponent is returned without it.',
    breaks: ['success/texts-come-back'],
    replace: changesStrings(withoutExponent),
  },
  'parses-bracketed-tags': {
    title: 'A tag in square brackets is returned as a JSON array.',
    breaks: ['success/body-is-a-plant', 'success/texts-come-back'],
    replace: changesTag((tag) => (/^\[.*\]$/.test(tag) ? parsed(tag) : tag)),
  },
  'strips-outer-quotes': {
    title: 'Quotes around a string are removed.',
    breaks: ['success/texts-come-back'],
    replace: changesStrings((text) => text.replace(/^(['"])(.*)\1$/s, '$2')),
  },
  'escapes-formulas': {
    title: 'A string that begins like a formula of a spreadsheet is returned with an apostrophe before it.',
    breaks: ['success/texts-come-back'],
    replace: changesStrings((text) => text.replace(/^[=+@-]/, "'$&")),
  },
  'removes-directions': {
    title: 'Characters that only change the direction of writing are removed.',
    breaks: ['success/texts-come-back'],
    replace: changesStrings((text) => text.replace(/\p{Bidi_Control}/gu, '')),
  },
  'composes-tags': {
    title: 'Tags are returned in Normalization Form C.',
    breaks: ['success/texts-come-back'],
    replace: changesTag((tag) => tag.normalize('NFC')),
  },
  'replaces-dollar-patterns': {
    title: 'A string is used as a replacement, in which "$$" and "$&" mean something else.',
    breaks: ['success/texts-come-back'],
    replace: changesStrings((text) => '#'.replace('#', text)),
  },
  'answers-list': {
    title: 'The response is an array with the plant.',
    breaks: ['success/body-is-a-plant'],
    replace: rendersBody(({ name, tag }) => [{ name, tag }]),
  },
} satisfies Faults;
