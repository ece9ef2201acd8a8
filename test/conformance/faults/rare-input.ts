import { renamesKeys } from '../../../src/server/faults/input.js';
import type { Faults } from '../../../src/server/faults/names.js';
import { repairsOutsideStrings } from './json-texts.js';

/** Control characters that are no white space in JSON: from U+0001 on, without those that have a short escape for it. */
const CONTROLS = characters([0x01, 0x08], [0x0b, 0x0b], [0x0e, 0x1f], [0x7f, 0x7f]);
const CONTROLS_BETWEEN_TOKENS = new RegExp(`[${CONTROLS}]+(?=[\\s{}\\[\\],:"\\d]|$)`, 'g');

function characters(...ranges: readonly (readonly [first: number, last: number])[]): string {
  return ranges.map(([first, last]) => `${String.fromCharCode(first)}-${String.fromCharCode(last)}`).join('');
}

/** Mistakes that show only for rare input. Exploring finds them, and the core probes do so by chance at most. */
export const rareInputFaults = {
  'ignores-invisible-characters-in-keys': {
    title: 'Soft hyphens, zero-width spaces and byte-order marks in keys are ignored.',
    breaks: ['request/keys-are-exact'],
    needsExploring: true,
    replace: renamesKeys((key) => key.replaceAll(/[\u00ad\u200b\ufeff]/g, '')),
  },
  'reads-numbers-of-javascript': {
    title: 'Numbers such as 0b1, 0o7, 1_000 and 1n are accepted.',
    breaks: ['request/near-json-is-refused'],
    needsExploring: true,
    replace: repairsOutsideStrings((part) =>
      part.replace(/0b[01]+|0o[0-7]+|\d[\d_]*\d?n?/g, (number) =>
        /^0[bo]/.test(number) ? String(BigInt(number)) : number.replaceAll(/[_n]/g, ''),
      ),
    ),
  },
  'skips-control-characters': {
    title: 'Control characters between the tokens of JSON are skipped.',
    breaks: ['request/near-json-is-refused', 'request/nothing-follows-the-json'],
    needsExploring: true,
    replace: repairsOutsideStrings((part) => part.replace(CONTROLS_BETWEEN_TOKENS, '')),
  },
} satisfies Faults;
