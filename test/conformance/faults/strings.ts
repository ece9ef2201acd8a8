import { changesStrings, rendersBody } from '../../../src/server/faults/responses.js';
import { readJsonText } from '../../../src/validation/json.js';
import { exactNumber, type JsonValue } from '../../../src/validation/json-value.js';
import { breaking } from './breaking.js';

/** Responds with a tag that may be missing or of another type. */
function changesTag(change: (tag: string, name: string) => JsonValue | undefined) {
  return rendersBody(({ name, tag }) => (tag === undefined ? { name } : { name, tag: change(tag, name) }));
}

function parsed(text: string): JsonValue {
  const read = readJsonText(text);
  return read.ok ? read.value : text;
}

/** Strings are changed because of what they look like. */
export const stringFaults = {
  ...breaking(['success/tag-comes-back'], {
    'drops-tag-equal-to-name': changesTag((tag, name) => (tag === name ? undefined : tag)),
    'reads-false-tag-as-missing': changesTag((tag) => (tag === 'false' ? undefined : tag)),
  }),
  ...breaking(['success/body-is-a-plant', 'success/texts-come-back'], {
    'reads-numeric-tags': changesTag((tag) =>
      /^\d+$/.test(tag) ? exactNumber(tag.replace(/^0+(?=\d)/, '')) : tag,
    ),
    'parses-bracketed-tags': changesTag((tag) => (/^\[.*\]$/.test(tag) ? parsed(tag) : tag)),
  }),
  ...breaking(['success/texts-come-back'], {
    'reads-exponents-in-strings': changesStrings((text) =>
      /^\d+e\d{1,3}$/i.test(text) ? String(Number(text)) : text,
    ),
    'strips-outer-quotes': changesStrings((text) => text.replace(/^(['"])(.*)\1$/s, '$2')),
    // As a spreadsheet wants it.
    'escapes-formulas': changesStrings((text) => text.replace(/^[=+@-]/, "'$&")),
    'removes-directions': changesStrings((text) => text.replace(/\p{Bidi_Control}/gu, '')),
    'composes-tags': changesTag((tag) => tag.normalize('NFC')),
    // In a replacement, "$$" and "$&" mean something else.
    'replaces-dollar-patterns': changesStrings((text) => '#'.replace('#', text)),
  }),
};
