import type { JsonValue } from '../../validation/json-value.js';
import { isObject } from '../../validation/json-value.js';

/** A sentence of a broker for the reader of a verification, and when it applies. */
export interface Notice {
  /** `before_verification`, `after_verification:success_true_published_false`, … */
  readonly when: string;
  readonly text: string;
}

/** What came of the verification of a pact. */
export interface NoticeOutcome {
  /** `undefined` if it could not be verified. */
  readonly success: boolean | undefined;
  readonly published: boolean;
}

/** The notices in `verificationProperties` of a pact. */
export function noticesIn(list: JsonValue | undefined): Notice[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).flatMap(({ when, text }) => {
    const line = typeof text === 'string' ? onOneLine(text) : '';
    return line === '' ? [] : [{ when: String(when), text: line }];
  });
}

/** The texts of the notices that apply. */
export function noticesFor(notices: readonly Notice[], { success, published }: NoticeOutcome): string[] {
  const after =
    success === undefined
      ? []
      : ['after_verification', `after_verification:success_${success}_published_${published}`];
  const applying = ['before_verification', ...after];
  return notices.filter(({ when }) => applying.includes(when)).map(({ text }) => text);
}

/** The lines of a text as one line; its list is separated by semicolons. */
function onOneLine(text: string): string {
  const lines = text
    .split(/[\r\n]+|\\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isItem = (line = ''): boolean => line.startsWith('* ');
  return lines.reduce((before, line, at) => {
    if (at === 0) return line;
    const separator = isItem(line) && isItem(lines[at - 1]) ? '; ' : ' ';
    return before + separator + (isItem(line) ? line.slice(2) : line);
  }, '');
}
