import { counted, listed } from '../../output/wording.js';
import type { Exchange } from '../exchange.js';
import { isSilence } from '../facts/stop.js';
import type { Tokens } from '../sending/tokens.js';

/** Why a request got no response, as a noun. */
function reasonFor({ failure, reusedConnection }: Exchange): string {
  if (failure?.kind === 'timeout') return 'timeout';
  if (failure?.kind === 'malformed') return 'malformed response';
  if (failure?.kind !== 'reset') return 'refused connection';
  return reusedConnection ? 'closed idle connection' : 'reset';
}

/** Says how often a token expired. */
function expiredInBrief({ expirations }: Pick<Tokens, 'expirations'>): string[] {
  if (expirations === 0) return [];
  const times = expirations === 1 ? 'once' : `${expirations} times`;
  return [`The token expired ${times} and was renewed. What was rejected for that was sent again.`];
}

/**
 * Says how many requests got no response and were sent again. A slow provider or one that limits its connections may do
 * that, so no rule fails for it, but a reader should know. The same holds for tokens that expired.
 */
export function resentInBrief(exchanges: readonly Exchange[], tokens: Pick<Tokens, 'expirations'>): string[] {
  return [...silentInBrief(exchanges), ...expiredInBrief(tokens)];
}

function silentInBrief(exchanges: readonly Exchange[]): string[] {
  const times = new Map<string, number>();
  const resent = exchanges.filter((one) => one.role === 'superseded' && isSilence(one));
  for (const one of resent) times.set(reasonFor(one), (times.get(reasonFor(one)) ?? 0) + 1);
  if (resent.length === 0) return [];
  const reasons = [...times].map(([reason, count]) => counted(count, reason));
  return [
    `${resent.length} of ${counted(exchanges.length, 'request')} got no response and ${resent.length === 1 ? 'was' : 'were'} sent again: ${listed(reasons)}.`,
  ];
}
