import { Rejection } from '../error-codes.js';
import type { Steps } from '../steps.js';
import type { Faults } from './names.js';
import { readsAnyway } from './reading.js';

/** Repairs a text that is not JSON, and reads it again. */
export function repairsText(repair: (text: string) => string) {
  return readsAnyway('json-malformed', (text, steps, request) =>
    steps.readBody({ ...request, body: Buffer.from(repair(text)) }),
  );
}

/** Changes a text before it is read. */
function changesText(change: (text: string) => string) {
  return ({ readBody }: Steps): Partial<Steps> => ({
    readBody(request) {
      const text = Buffer.from(request.body ?? []).toString();
      const changed = change(text);
      return readBody(changed === text ? request : { ...request, body: Buffer.from(changed) });
    },
  });
}

/** Texts that are not JSON are accepted, or JSON is read incorrectly. */
export const jsonTextFaults = {
  'ignores-line-comments': {
    title: 'Comments that begin with // or # are ignored.',
    breaks: ['request/body-is-json'],
    replace: repairsText((text) => text.replace(/(?:\/\/|#)[^"\n]*\n/g, '\n')),
  },
  'accepts-line-breaks-in-strings': {
    title: 'A line break in a string is accepted.',
    breaks: ['request/body-is-json'],
    replace: repairsText((text) => text.replaceAll('\n', '\\n')),
  },
  'accepts-any-escape': {
    title: 'A backslash before any character is accepted.',
    breaks: ['request/body-is-json'],
    replace: repairsText((text) => text.replace(/\\([^"\\/bfnrtu])/g, '$1')),
  },
  'accepts-keys-without-quotes': {
    title: 'Keys without quotes are accepted.',
    breaks: ['request/body-is-json'],
    replace: repairsText((text) => text.replace(/([{,])([a-z]+):/g, '$1"$2":')),
  },
  'accepts-other-numbers': {
    title: 'Numbers with a plus sign or leading zeros are accepted.',
    breaks: ['request/body-is-json'],
    replace: repairsText((text) => text.replace(/:(?:\+|0+)(?=[1-9])/g, ':')),
  },
  'reads-digits-of-other-scripts': {
    title: 'Digits of other scripts are accepted in numbers.',
    breaks: ['request/body-is-json'],
    replace: repairsText((text) =>
      text.replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660)),
    ),
  },
  'skips-unknown-members': {
    title: 'The value of an unknown member is skipped without a check.',
    breaks: ['request/body-is-json'],
    replace: repairsText((text) => text.replace(/,"(?!name"|id"|tag")\w+":.*\}$/s, '}')),
  },
  'takes-controls-for-space': {
    title: 'Every control character counts as white space.',
    breaks: ['request/body-is-json'],
    replace: repairsText((text) => text.replace(/[\v\f]/g, ' ')),
  },
  'removes-prefixes': {
    title: "The prefix )]}' is ignored.",
    breaks: ['request/body-is-json'],
    replace: repairsText((text) => text.replace(/^\)\]\}'\n/, '')),
  },
  'ignores-case-of-literals': {
    title: 'The words True and False are accepted.',
    breaks: ['request/body-is-json'],
    replace: repairsText((text) => text.replace(/:(True|False)\b/g, (word) => word.toLowerCase())),
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
      readBody: (request) =>
        /^\{"tag".*"name"/s.test(Buffer.from(request.body ?? []).toString())
          ? new Rejection('json-malformed', 'the name must come first')
          : readBody(request),
    }),
  },
  'splits-surrogate-pairs': {
    title: 'A character that is written as two escapes becomes two replacement characters.',
    breaks: ['success/texts-come-back'],
    replace: changesText((text) => text.replace(/\\u[dD][89a-fA-F][\da-fA-F]{2}/g, '\ufffd')),
  },
  'removes-comments-in-strings': {
    title: 'Text that looks like a comment is removed from strings.',
    breaks: ['success/texts-come-back'],
    replace: changesText((text) =>
      text.replace(/"(?:[^"\\]|\\.)*"/g, (string) => string.replace(/\/\*.*?\*\//g, '')),
    ),
  },
} satisfies Faults;
