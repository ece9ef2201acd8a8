/** A text in which every escape is decoded, and the place of each of its characters in the original. */
export interface Decoded {
  readonly text: string;
  /** Left out if the text has no escapes. */
  readonly starts?: readonly number[];
}

/** An escape of a URL, of JSON, or of HTML. */
const ESCAPE =
  /%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\["\\/]|&#x[0-9a-f]{1,6};|&#\d{1,7};|&(?:amp|lt|gt|quot|apos|sol);|~[01]/gi;
const NAMED: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&sol;': '/',
  '~0': '~',
  '~1': '/',
};

/** Decodes the escapes of URLs, JSON, HTML and JSON pointers in a text, each once. */
export function decodeEscapes(text: string): Decoded {
  if (!/[%\\&~]/.test(text)) return { text };
  const starts: number[] = [];
  let decoded = '';
  let from = 0;
  const copy = (to: number): void => {
    for (; from < to; from++) starts.push(from);
  };
  for (const { 0: spelling, index } of text.matchAll(ESCAPE)) {
    decoded += text.slice(from, index);
    copy(index);
    const character = unescaped(spelling);
    for (let i = 0; i < character.length; i++) starts.push(index);
    decoded += character;
    from = index + spelling.length;
  }
  decoded += text.slice(from);
  copy(text.length);
  return { text: decoded, starts };
}

function unescaped(spelling: string): string {
  const name = NAMED[spelling.toLowerCase()];
  if (name !== undefined) return name;
  if (/^\\["\\/]$/.test(spelling)) return spelling.charAt(1);
  const isDecimal = /^&#\d/.test(spelling);
  const code = Number.parseInt(spelling.replace(/^(?:%|\\[ux]|&#x?)/i, ''), isDecimal ? 10 : 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : spelling;
}
