import { capitalised } from '../report/wording.js';
import { isAccepted, isUnsent, responseInWords } from './exchange.js';
import { LOCKED_OUT } from './judge/facts.js';
import type { Probe } from './row.js';
import type { Run } from './send/run.js';

/** What a check has left out. */
export interface Omission {
  /** The number of requests that were sent, and the number of requests of the whole check. */
  readonly sent: number;
  readonly of: number;
  /** Why, and the one thing to do. Both end without a full stop. */
  readonly why: string;
  readonly advice?: string;
}

/**
 * What a check has left out, why, and what to do about it. `undefined`: nothing.
 *
 * @param core the probes of the check
 * @param of the number of their requests
 */
export function omissionOf(run: Run, core: readonly Probe[], of: number): Omission | undefined {
  if (run.leftOut.size === 0) return undefined;
  // A part of a bundle is none of the requests of the plan: the bundle counts as sent if any part was.
  const unsent = core.filter((probe) => run.sent([probe]).length === 0);
  const sent = of - unsent.reduce((sum, probe) => sum + probe.requests.length, 0);
  return { sent, of, ...whyLeftOut(run, core, sent / of) };
}

/** What the time that is needed is multiplied by, and rounded up to, because a guess must not be too low. */
const MARGIN = 1.15;
const ROUND_MS = 10_000;

/** @param part how much of the check was sent, from 0 to 1 */
function whyLeftOut(run: Run, core: readonly Probe[], part: number): Pick<Omission, 'why' | 'advice'> {
  const { leftOut, sender, clock } = run;
  const reasons = new Set(leftOut.values());
  if (sender.watch.ended === 'rejects') return whyRejected(run, core);
  if (reasons.has(LOCKED_OUT)) return { why: `${LOCKED_OUT}, for a while`, advice: AFTER_WRONG_TOKENS };
  if (sender.limit.endlessPauseMs !== undefined) {
    const why = `then the provider asked to wait ${seconds(sender.limit.endlessPauseMs)} s`;
    return { why, advice: 'Lift its limit for the check' };
  }
  if (!clock.isOver) return { why: [...reasons].join('; ') };
  const needed = seconds(Math.ceil((MARGIN * clock.spentMs) / part / ROUND_MS) * ROUND_MS);
  const more = `give it more time, about ${needed} s: --time-limit ${needed}s`;
  if (sender.limit.isKnown) {
    const why = 'the provider limits how many requests it accepts, and the time limit was over';
    return { why, advice: `Lift its limit for the check, or ${more}` };
  }
  return { why: 'the provider is slow, and the time limit was over', advice: capitalised(more) };
}

const AFTER_WRONG_TOKENS = 'Lift the lockout for the check, or leave wrong tokens out with --skip auth';

/** Why a provider rejects every plain plant: a lockout comes after wrong tokens, and anything else at any time. */
function whyRejected({ exchanges }: Run, core: readonly Probe[]): Pick<Omission, 'why' | 'advice'> {
  const at = exchanges.findLastIndex(isAccepted);
  const wrong = new Set(core.filter(({ phase }) => phase === 'wrong-token').map(({ name }) => name));
  const after = exchanges.slice(at + 1);
  const last = after.findLast(({ response }) => response !== undefined);
  const response = last === undefined ? 'no response' : responseInWords(last);
  return after.some((one) => wrong.has(one.probe) && !isUnsent(one))
    ? { why: `${LOCKED_OUT}: ${response}`, advice: AFTER_WRONG_TOKENS }
    : {
        why: `after request ${at + 1}, every plain plant was rejected: ${response}`,
        advice:
          'If the token has expired, use one that lives longer than the check. Otherwise lift the quota or the ban for the check',
      };
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}
