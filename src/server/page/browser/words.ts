import type { Row, Verdict } from './wire.js';

/** A verdict as a sign and words. */
export const verdicts: Readonly<Record<Verdict, { readonly sign: string; readonly words: string }>> = {
  conforms: { sign: '✓', words: 'conforms' },
  response: { sign: '✗', words: 'wrong response' },
  accepted: { sign: '✗', words: 'accepted a wrong request' },
  request: { sign: '!', words: 'wrong request' },
  'asked-for': { sign: '◇', words: 'failure as asked for' },
  'not-judged': { sign: '–', words: 'not judged' },
};

/** What the list says about an exchange. */
export function verdictText({ verdict, problem, failure, rejection }: Row): string {
  const { words } = verdicts[verdict];
  const why = failure === undefined ? '' : ` (${failure})`;
  // A request that is wrong has its problem, which is the reason.
  const rejected = rejection === undefined ? words : `${words}, rejected: ${rejection}`;
  return visibleInLine((problem ?? rejected) + why);
}

/** `16:48:54.123` */
export function timeText(at: number): string {
  const date = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  const milliseconds = String(date.getMilliseconds()).padStart(3, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${milliseconds}`;
}

/** `1.2 ms` */
export function durationText(microseconds: number): string {
  return `${(microseconds / 1_000).toFixed(1)} ms`;
}

/** `5,000` */
export function countText(count: number): string {
  return count.toLocaleString('en');
}

/** `1 request`, `5,000 requests` */
export function counted(count: number, thing: string): string {
  return `${countText(count)} ${thing}${count === 1 ? '' : 's'}`;
}

/** `1.2 MB` */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Characters that are invisible, or change the direction of other text. */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Cs}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu;

/** A text in which everything can be seen. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const digits = (character.codePointAt(0) ?? 0).toString(16);
    return `\\u${digits.padStart(4, '0')}`;
  });
}

/** The same for a text on one line. */
export function visibleInLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ');
}
