import { fieldsFrom } from '../../http/fields.js';
import type { NewPlant } from '../../spec/types.js';
import { readJsonText, type WritableJson, writeJson } from '../../validation/json.js';
import { exactNumber, type JsonValue, narrow } from '../../validation/json-value.js';
import type { IncomingRequest, OutgoingResponse } from '../exchange.js';
import type { Steps } from '../steps.js';
import type { Faults } from './names.js';
import { rejects } from './validation.js';

/** Responds to a creation with another body. Its numbers are exact. */
export function rendersBody(members: (plant: NewPlant, request: IncomingRequest) => WritableJson) {
  return ({ render }: Steps): Partial<Steps> => ({
    render: (plant, request) => ({ ...render(plant, request), body: writeJson(members(plant, request)) }),
  });
}

/** The same response with another media type. */
export function withMediaType(response: OutgoingResponse, mediaType: string): OutgoingResponse {
  return { ...response, headers: [...withoutMediaType(response), 'content-type', mediaType] };
}

/** A redirect to a login page in place of a response. */
export function redirectToLogin(response: OutgoingResponse): OutgoingResponse {
  return { status: 302, headers: [...withoutMediaType(response), 'location', '/login'], body: '' };
}

function withoutMediaType({ headers }: OutgoingResponse): string[] {
  return fieldsFrom(headers)
    .filter(([name]) => name !== 'content-type')
    .flat();
}

/** A body of JSON in Latin-1. Other characters become escapes, because a lost character would be another fault. */
export function inLatin1({ body }: OutgoingResponse): Uint8Array {
  const escaped = String(body).replace(
    /[\u0100-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return Buffer.from(escaped, 'latin1');
}

/** Stores the plant unchanged and responds with another one. */
export function rendersOther(other: (plant: NewPlant) => NewPlant) {
  return ({ render }: Steps): Partial<Steps> => ({
    render: (plant, request) => render(other(plant), request),
  });
}

/** Changes the response to a creation. */
function changesResponse(change: (response: OutgoingResponse) => OutgoingResponse) {
  return ({ render }: Steps): Partial<Steps> => ({
    render: (plant, request) => change(render(plant, request)),
  });
}

function withoutTag({ name, id }: NewPlant): NewPlant {
  return { name, id };
}

/** The same plant with its strings changed. */
export function withStrings(plant: NewPlant, change: (text: string) => string): NewPlant {
  return plant.tag === undefined
    ? { ...plant, name: change(plant.name) }
    : { ...plant, name: change(plant.name), tag: change(plant.tag) };
}

/** The response to a creation is wrong. */
export const renderingFaults = {
  'answers-201': {
    title: 'The response to a creation is 201.',
    breaks: ['success/status-is-200'],
    replace: changesResponse((response) => ({ ...response, status: 201 })),
  },
  'answers-204': {
    title: 'The response to a creation is 204 without a body.',
    breaks: ['success/status-is-200'],
    replace: changesResponse(() => ({ status: 204, headers: [], body: '' })),
  },
  'leaks-id': {
    title: 'The response contains the id.',
    breaks: ['success/plant-fields-only'],
    replace: rendersBody(({ name, tag, id }) => ({ name, tag, id: narrow(id) })),
  },
  'adds-timestamp': {
    title: 'The response contains the time of creation.',
    breaks: ['success/plant-fields-only'],
    replace: rendersBody(({ name, tag }) => ({ name, tag, createdAt: new Date().toISOString() })),
  },
  'omits-name': {
    title: 'The response has no name.',
    breaks: ['success/body-is-a-plant'],
    replace: rendersBody(({ tag }) => ({ tag })),
  },
  'wraps-plant': {
    title: 'The response contains the plant in a member "plant".',
    breaks: ['success/body-is-a-plant', 'success/plant-fields-only'],
    replace: rendersBody(({ name, tag }) => ({ plant: { name, tag } })),
  },
  'answers-list': {
    title: 'The response is an array with the plant.',
    breaks: ['success/body-is-a-plant'],
    replace: rendersBody(({ name, tag }) => [{ name, tag }]),
  },
  'answers-no-body': {
    title: 'The response to a creation is 200 without a body.',
    breaks: ['success/body-is-json'],
    replace: changesResponse((response) => ({ ...response, body: '' })),
  },
  'renders-null-tag': {
    title: 'A plant without a tag is returned with a tag of null.',
    breaks: ['success/body-is-a-plant', 'success/absent-tag-stays-absent'],
    replace: rendersBody(({ name, tag = null }) => ({ name, tag })),
  },
  'renders-empty-tag': {
    title: 'A plant without a tag is returned with an empty tag.',
    breaks: ['success/absent-tag-stays-absent'],
    replace: rendersOther((plant) => ({ ...plant, tag: plant.tag ?? '' })),
  },
  'drops-tag': {
    title: 'A plant with a tag is returned without it.',
    breaks: ['success/tag-comes-back'],
    replace: rendersOther(withoutTag),
  },
  'swaps-name-and-tag': {
    title: 'A plant with a tag is returned with name and tag exchanged.',
    breaks: ['success/name-comes-back', 'success/tag-comes-back', 'success/texts-come-back'],
    replace: rendersOther(({ id, name, tag }) =>
      tag === undefined ? { id, name } : { id, name: tag, tag: name },
    ),
  },
  'lower-cases-name': {
    title: 'Names are returned in lower case.',
    breaks: ['success/name-comes-back', 'success/texts-come-back'],
    replace: rendersOther((plant) => ({ ...plant, name: plant.name.toLowerCase() })),
  },
  'escapes-html': {
    title: 'Strings are returned with HTML escapes.',
    breaks: ['success/texts-come-back'],
    replace: rendersOther((plant) =>
      withStrings(plant, (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
    ),
  },
  'loses-astral-characters': {
    title: 'Characters above U+FFFF are returned as question marks.',
    breaks: ['success/texts-come-back'],
    replace: rendersOther((plant) =>
      withStrings(plant, (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?')),
    ),
  },
  'trims-texts': {
    title: 'White space at the ends of strings is removed.',
    breaks: ['success/texts-come-back'],
    replace: rendersOther((plant) => withStrings(plant, (text) => text.trim())),
  },
  'answers-text-plain': {
    title: 'The response to a creation is text/plain.',
    breaks: ['success/media-type-is-json'],
    replace: changesResponse((response) => withMediaType(response, 'text/plain')),
  },
  'answers-byte-order-mark': {
    title: 'The response to a creation begins with a byte-order mark.',
    breaks: ['success/body-is-json'],
    replace: changesResponse((response) => ({ ...response, body: `\uFEFF${response.body}` })),
  },
  'answers-latin-1': {
    title: 'The response to a creation is encoded in Latin-1.',
    breaks: ['success/body-is-json'],
    replace: changesResponse((response) => ({ ...response, body: inLatin1(response) })),
  },
} satisfies Faults;

/** Changes every string in the response to a creation. */
function changesStrings(change: (text: string) => string) {
  return rendersOther((plant) => withStrings(plant, change));
}

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

const LONGEST_TAG = 64;
const KEYWORDS = /^(?:select|insert|update|delete|drop|script)$/i;

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
  'truncates-tags': {
    title: `Tags are cut off after ${LONGEST_TAG} characters.`,
    breaks: ['success/texts-come-back'],
    replace: changesTag((tag) => [...tag].slice(0, LONGEST_TAG).join('')),
  },
  'refuses-keywords': {
    title: 'A plant whose name or tag is a keyword of SQL, or the word "script", is rejected.',
    breaks: ['success/plain-words-are-accepted'],
    replace: rejects('name-invalid', ({ name, tag = '' }) =>
      KEYWORDS.test(name) || KEYWORDS.test(tag) ? 'the plant has a forbidden word' : undefined,
    ),
  },
} satisfies Faults;
