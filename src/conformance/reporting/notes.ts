import { counted, listed } from '../../output/wording.js';
import { isRejected, isThrottled } from '../exchange.js';
import type { Facts } from '../facts/facts.js';
import type { CheckResult } from './build-report.js';
import { omissionInFull } from './omission.js';

/** Said of a provider without a port: no command reaches it. */
export const WAS_CALLED =
  'The provider was called as a function. The commands after "reproduce" reach it only if it is also served at that URL.';

/** What a reader of the report must know besides the verdicts. */
export function notesOf({
  exchanges,
  facts,
  settings,
  expectations,
  omissions,
  prism,
}: CheckResult): string[] {
  const notes = omissions.map(omissionInFull);
  if (settings.signal.aborted)
    notes.push('The check was stopped before its end. The report shows what was known by then.');
  const after = exchanges.find(
    ({ probe, role }) => probe === 'plain-plant-after-wrong-tokens' && role === 'judged',
  );
  const isThrottledAsBefore = after !== undefined && isThrottled(after) && facts.limitsItsRate;
  if (after !== undefined && isRejected(after) && !isThrottledAsBefore) {
    notes.push(
      `After the requests with wrong tokens, the right token was rejected with ${after.response?.status}. The provider may lock clients out. No other result depends on this.`,
    );
  }
  notes.push(...proxyInFull(settings), ...cutShortInFull(facts));
  if (settings.fetch !== undefined) notes.push(WAS_CALLED);
  notes.push(...expectations.notes);
  if (typeof prism === 'string') notes.push(`Prism has no opinion: ${prism}`);
  return notes;
}

/** Says which proxy is in between: what it does may look like the provider. */
function proxyInFull({ proxy }: CheckResult['settings']): string[] {
  if (proxy === undefined) return [];
  const { name, failures, lastFailure } = proxy;
  const failed =
    failures === 0
      ? ''
      : ` It gave no connection ${counted(failures, 'time')}; the last time: ${lastFailure}.`;
  return [`The requests went through ${name}, and the times include it.${failed}`];
}

/** Says which probes the provider throttled until there was no more time: a pass does not rest on them. */
function cutShortInFull({ cutShort }: Facts): string[] {
  if (cutShort.size === 0) return [];
  const titles = [...cutShort].map(({ title }) => title);
  return [
    `The provider throttled ${counted(cutShort.size, 'probe')} until there was no more time. Not judged: ${listed(titles)}.`,
  ];
}
