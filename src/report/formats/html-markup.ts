import { logText } from '../escape.js';
import type { Case, Verdict } from '../frame.js';
import { signs, verdictInWords } from './wording.js';

/** HTML that a template takes as it is; a template escapes everything else. */
export class Markup {
  /** @param text trusted: nothing that came from a provider, or from the user of the command */
  constructor(readonly text: string) {}
}

/** What a template takes: text, which it escapes, markup of other templates, or nothing. */
type Piece = Markup | string | number | undefined | false | readonly Piece[];

/** A template whose values are text unless they are markup themselves. Attributes must be in double quotes. */
export function markup(strings: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  const [first = '', ...rest] = strings;
  return new Markup(rest.reduce((before, after, at) => before + written(values[at]) + after, first));
}

/** A verdict as a word with its sign. Colour adds nothing to them. */
export function verdictMark(verdict: Verdict): Markup {
  return markup`<span class="verdict ${verdict}"><span class="sign" aria-hidden="true">${signs[verdict]}</span> ${verdictInWords(verdict)}</span>`;
}

/** An id for HTML for each case, by the id of the case. It needs no escape in a URL. */
export function anchorsOf(cases: readonly Case[]): ReadonlyMap<string, string> {
  const anchors = new Map<string, string>();
  const used = new Set<string>();
  for (const [at, { id }] of cases.entries()) {
    const name = `case-${id.replace(/[^\w/.-]+/g, '-')}`;
    const anchor = used.has(name) ? `${name}-${at}` : name;
    used.add(anchor);
    anchors.set(id, anchor);
  }
  return anchors;
}

function written(value: Piece): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(written).join('');
  return withReferences(logText(String(value)));
}

/** A text for HTML or XML, where `visible` has replaced what XML forbids. */
export function withReferences(text: string): string {
  return text.replace(/[&<>"'\r]/g, (character) => REFERENCES[character] ?? '');
}

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // A parser would make a line feed of it.
  '\r': '&#13;',
};
