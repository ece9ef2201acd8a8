import { counted, listed } from '../../output/wording.js';
import type { Exchange } from '../exchange.js';
import { isSilence } from '../judging/stop.js';

/** Why a request got no response, as a noun. */
function reasonFor({ failure, reusedConnection }: Exchange): string {
  if (failure?.kind === 'timeout') return 'timeout';
  if (failure?.kind === 'malformed') return 'malformed response';
  if (failure?.kind !== 'reset') return 'refused connection';
  return reusedConnection ? 'closed idle connection' : 'reset';
}

/**
 * Says how many requests got no response and were sent again. A slow provider or one that limits its connections may do
 * that, so no rule fails for it, but a reader should know.
 */
export function resentInBrief(exchanges: readonly Exchange[]): string[] {
  const times = new Map<string, number>();
  const resent = exchanges.filter((one) => one.role === 'superseded' && isSilence(one));
  for (const one of resent) times.set(reasonFor(one), (times.get(reasonFor(one)) ?? 0) + 1);
  if (resent.length === 0) return [];
  const reasons = [...times].map(([reason, count]) => counted(count, reason));
  return [
    `${resent.length} of ${counted(exchanges.length, 'request')} got no response and ${resent.length === 1 ? 'was' : 'were'} sent again: ${listed(reasons)}.`,
  ];
}
