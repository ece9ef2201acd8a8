import { visible } from '../conformance/reporting/control-characters.js';

/** HTML that is written as it is when it is put into a template; everything else is escaped. */
export class Markup {
  /** @param text trusted: nothing that came from a provider, or from whoever ran the check */
  constructor(readonly text: string) {}
}

/** What a template takes: text, which it escapes, markup of other templates, or nothing. */
export type Piece = Markup | string | number | undefined | false | readonly Piece[];

/** A template whose values are text unless they are markup themselves. Attributes have to be in double quotes. */
export function markup(strings: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  const [first = '', ...rest] = strings;
  return new Markup(rest.reduce((before, after, at) => before + written(values[at]) + after, first));
}

function written(value: Piece): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(written).join('');
  return escaped(String(value));
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

function escaped(text: string): string {
  return visible(text).replace(/[&<>"'\r]/g, (character) => REFERENCES[character] ?? '');
}
