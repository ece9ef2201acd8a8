import { isUtf8 } from 'node:buffer';
import { Rejection } from '../../../src/server/error-codes.js';
import { readsAnyway } from '../../../src/server/faults/input.js';
import type { Faults } from '../../../src/server/faults/names.js';
import type { Steps } from '../../../src/server/steps.js';
import { isObject } from '../../../src/validation/json-value.js';

const STRING = /("[^"\\]*(?:\\.[^"\\]*)*")/s;

/** Changes a text of JSON outside its strings, or in them. */
function changeText(
  text: string,
  {
    outside = same,
    inside = same,
  }: { outside?: (part: string) => string; inside?: (string: string) => string },
): string {
  const parts = text.split(STRING);
  return parts.map((part, index) => (index % 2 === 0 ? outside(part) : inside(part))).join('');
}

function same(text: string): string {
  return text;
}

/** Repairs a text that is not JSON, and reads it again. */
function repairsText(repair: (text: string) => string) {
  return readsAnyway('json-malformed', (text, steps, request) =>
    steps.readBody({ ...request, body: Buffer.from(repair(text)) }),
  );
}

/** Repairs it outside its strings only, which are the data of the client. */
export function repairsOutsideStrings(outside: (part: string) => string) {
  return repairsText((text) => changeText(text, { outside }));
}

/** Changes a text before it is read. */
function changesText(change: (text: string) => string) {
  return ({ readBody }: Steps): Partial<Steps> => ({
    readBody(request) {
      const { body = new Uint8Array() } = request;
      const text = Buffer.from(body).toString();
      const changed = change(text);
      const isChanged = changed !== text && isUtf8(body);
      return readBody(isChanged ? { ...request, body: Buffer.from(changed) } : request);
    },
  });
}

/** Texts that are not JSON are accepted, or JSON is read incorrectly. */
export const jsonTextFaults = {
  'ignores-line-comments': {
    title: 'Comments that begin with // or # are ignored.',
    breaks: ['request/near-json-is-refused'],
    replace: repairsOutsideStrings((part) => part.replace(/(?:\/\/|#)[^\n]*\n/g, '\n')),
  },
  'accepts-line-breaks-in-strings': {
    title: 'A line break in a string is accepted.',
    breaks: ['request/near-json-is-refused'],
    replace: repairsText((text) => changeText(text, { inside: (string) => string.replaceAll('\n', '\\n') })),
  },
  'accepts-any-escape': {
    title: 'A backslash before any character is accepted.',
    breaks: ['request/near-json-is-refused'],
    replace: repairsText((text) =>
      text.replace(/\\(.)/gsu, (pair, character) => ('"\\/bfnrtu'.includes(character) ? pair : character)),
    ),
  },
  'accepts-keys-without-quotes': {
    title: 'Keys without quotes are accepted.',
    breaks: ['request/near-json-is-refused'],
    replace: repairsOutsideStrings((part) => part.replace(/([{,])([a-z]+):/g, '$1"$2":')),
  },
  'accepts-other-numbers': {
    title: 'Numbers with a plus sign or leading zeros are accepted.',
    breaks: ['request/near-json-is-refused'],
    replace: repairsOutsideStrings((part) => part.replace(/:(?:\+|0+)(?=[1-9])/g, ':')),
  },
  'reads-digits-of-other-scripts': {
    title: 'Digits of other scripts are accepted in numbers.',
    breaks: ['request/near-json-is-refused'],
    replace: repairsOutsideStrings((part) =>
      part.replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660)),
    ),
  },
  'skips-unknown-members': {
    title: 'The value of an unknown member is skipped without a check.',
    breaks: ['request/near-json-is-refused'],
    replace: repairsText((text) =>
      text.replace(/,"(?!(?:name|id|tag)")\w+":.*?(?=,"(?:name|id|tag)":|\}$)/gs, ''),
    ),
  },
  'takes-controls-for-space': {
    title: 'The characters U+000B and U+000C count as white space.',
    breaks: ['request/near-json-is-refused'],
    replace: repairsOutsideStrings((part) => part.replace(/[\v\f]/g, ' ')),
  },
  'removes-prefixes': {
    title: "The prefix )]}' is ignored.",
    breaks: ['request/near-json-is-refused'],
    replace: repairsText((text) => text.replace(/^\)\]\}'\n/, '')),
  },
  'ignores-case-of-literals': {
    title: 'The words True and False are accepted.',
    breaks: ['request/near-json-is-refused'],
    replace: repairsOutsideStrings((part) =>
      part.replace(/\b(?:True|False)\b/g, (word) => word.toLowerCase()),
    ),
  },
  'stops-at-nul': {
    title: 'The body ends at the character U+0000.',
    breaks: ['request/nothing-follows-the-json'],
    replace: repairsText((text) => text.replace(/\0.*$/s, '')),
  },
  'needs-the-name-before-the-tag': {
    title: 'A plant is rejected if its tag comes before its name.',
    breaks: ['request/spelling-of-json-is-ignored'],
    replace: ({ readBody }) => ({
      readBody(request) {
        const value = readBody(request);
        const keys = isObject(value) ? Object.keys(value) : [];
        return keys.includes('tag') && keys.indexOf('tag') < keys.indexOf('name')
          ? new Rejection('json-malformed', 'the name must come first')
          : value;
      },
    }),
  },
  'splits-surrogate-pairs': {
    title: 'A character that is written as two escapes becomes two replacement characters.',
    breaks: ['success/texts-come-back'],
    replace: changesText((text) =>
      text.replace(/\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|.)/gs, (found) =>
        found.length === 12 ? '\ufffd\ufffd' : found,
      ),
    ),
  },
  'removes-comments-in-strings': {
    title: 'Text that looks like a comment is removed from strings.',
    breaks: ['success/texts-come-back'],
    replace: changesText((text) =>
      changeText(text, { inside: (string) => string.replace(/(?<!\\)\/\*.*?\*\//g, '') }),
    ),
  },
  'reads-nan-as-zero': {
    title: 'NaN and infinity are read as 0 in an id.',
    breaks: ['request/id-is-an-integer'],
    replace: repairsText((text) => text.replace(/"id":-?(?:nan|infinity)\b/i, '"id":0')),
  },
  'accepts-text-as-plant': {
    title: 'A body that is not JSON, and does not begin with "{", creates a plant with the body as its name.',
    breaks: ['request/body-is-json', 'request/near-json-is-refused', 'success/name-comes-back'],
    replace: readsAnyway('json-malformed', (text, steps, request) =>
      text.startsWith('{')
        ? steps.readBody(request)
        : { name: text, id: Math.floor(Math.random() * 2 ** 48) },
    ),
  },
} satisfies Faults;
