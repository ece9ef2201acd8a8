import type { Verdict } from '../conformance/judging/judge.js';
import { signs } from '../conformance/reporting/report-wording.js';
import { type Markup, markup } from './html-template.js';

/** A verdict as a word with its sign: the colour adds nothing to them. */
export function verdictMark(verdict: Verdict, word = verdictWord(verdict)): Markup {
  return markup`<span class="verdict ${verdict}"><span class="sign" aria-hidden="true">${signs[verdict]}</span> ${word}</span>`;
}

/** A verdict as it is read. */
export function verdictWord(verdict: Verdict): string {
  return verdict.replace('-', ' ');
}
