import { isUtf8 } from 'node:buffer';
import type { Steps } from '../../../src/server/steps.js';
import { breaking, type Mistake } from './breaking.js';
import { readsAnyway } from './simple/input.js';

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
function repairsOutsideStrings(outside: (part: string) => string) {
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
  ...breaking(['request/near-json-is-refused'], {
    'ignores-line-comments': repairsOutsideStrings((part) => part.replace(/(?:\/\/|#)[^\n]*\n/g, '\n')),
    'accepts-line-breaks-in-strings': repairsText((text) =>
      changeText(text, { inside: (string) => string.replaceAll('\n', '\\n') }),
    ),
    'accepts-any-escape': repairsText((text) =>
      text.replace(/\\(.)/gsu, (pair, character) => ('"\\/bfnrtu'.includes(character) ? pair : character)),
    ),
    'accepts-keys-without-quotes': repairsOutsideStrings((part) =>
      part.replace(/([{,])([a-z]+):/g, '$1"$2":'),
    ),
    // A plus sign, and leading zeros.
    'accepts-other-numbers': repairsOutsideStrings((part) => part.replace(/:(?:\+|0+)(?=[1-9])/g, ':')),
    'reads-digits-of-other-scripts': repairsOutsideStrings((part) =>
      part.replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660)),
    ),
    'takes-controls-for-space': repairsOutsideStrings((part) => part.replace(/[\v\f]/g, ' ')),
    // The first line of what is JSON for a page only: )]}'
    'removes-prefixes': repairsText((text) => text.replace(/^\)\]\}'\n/, '')),
    'ignores-case-of-literals': repairsOutsideStrings((part) =>
      part.replace(/\b(?:True|False)\b/g, (word) => word.toLowerCase()),
    ),
  }),
  // Exploring finds it, and the core probes do so by chance at most.
  'reads-numbers-of-javascript': {
    breaks: ['request/near-json-is-refused'],
    needsExploring: true,
    replace: repairsOutsideStrings((part) =>
      part.replace(/0b[01]+|0o[0-7]+|\d[\d_]*\d?n?/g, (number) =>
        /^0[bo]/.test(number) ? String(BigInt(number)) : number.replaceAll(/[_n]/g, ''),
      ),
    ),
  } satisfies Mistake,
  ...breaking(['request/nothing-follows-the-json'], {
    'stops-at-nul': repairsText((text) => text.replace(/\0.*$/s, '')),
  }),
  ...breaking(['success/texts-come-back'], {
    // A character that is written as two escapes becomes two replacement characters.
    'splits-surrogate-pairs': changesText((text) =>
      text.replace(/\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|.)/gs, (found) =>
        found.length === 12 ? '\ufffd\ufffd' : found,
      ),
    ),
    'removes-comments-in-strings': changesText((text) =>
      changeText(text, { inside: (string) => string.replace(/(?<!\\)\/\*.*?\*\//g, '') }),
    ),
  }),
  ...breaking(['request/id-is-an-integer'], {
    'reads-nan-as-zero': repairsText((text) => text.replace(/"id":-?(?:nan|infinity)\b/i, '"id":0')),
  }),
  ...breaking(['request/body-is-json', 'request/near-json-is-refused', 'success/name-comes-back'], {
    // It becomes the name of a plant, unless it begins like an object.
    'accepts-text-as-plant': readsAnyway('json-malformed', (text, steps, request) =>
      text.startsWith('{')
        ? steps.readBody(request)
        : { name: text, id: Math.floor(Math.random() * 2 ** 48) },
    ),
  }),
};
