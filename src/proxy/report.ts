import type { FailOn, ProxySettings } from './options.js';
import type { Reason } from './reasons.js';
import type { Tally, ViolationKind } from './tally.js';

/** What passed a proxy, and what is said of it. */
export interface ProxyReport {
  readonly proxyVersion: 1;
  readonly upstream: string;
  readonly failOn: FailOn;
  /** When it began: ISO 8601, in UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** How many exchanges there were, those among them that are of `POST …/plants`, and those without an answer. */
  readonly exchanges: number;
  readonly judged: number;
  readonly unanswered: number;
  /** Why there was no answer, the most frequent reason first. */
  readonly failures: readonly Reason[];
  /** Requests that could not be read as HTTP, and why: the proxy answered 400 itself. They are no exchanges. */
  readonly unreadable: readonly Reason[];
  /** How many requests and responses could be judged: one may break off or not come, and a body may be too long. */
  readonly judgedSides: { readonly request: number; readonly response: number };
  /** How many violations the interface has; Prism's are in `kinds` only. */
  readonly violations: { readonly request: number; readonly response: number };
  readonly kinds: readonly ViolationKind[];
  /** Violations of further kinds, where there were too many to keep apart. */
  readonly otherKinds: number;
  /** `nothing-judged`: nothing came through of the side that counts, so that nothing can be said. */
  readonly conclusion: 'conforms' | 'violations' | 'nothing-judged';
}

/** What has been counted so far, as a report. */
export function reportOf({ upstream, failOn }: ProxySettings, tally: Tally, startedAt: Date): ProxyReport {
  const { exchanges, judged, unanswered, failures, unreadable, violations, otherKinds, judgedSides } = tally;
  const counted =
    (failOn === 'request' ? 0 : violations.response) + (failOn === 'response' ? 0 : violations.request);
  return {
    proxyVersion: 1,
    ...{ upstream, failOn, startedAt: startedAt.toISOString() },
    durationMs: Date.now() - startedAt.getTime(),
    ...{ exchanges, judged, unanswered },
    failures: failures.sorted(),
    unreadable: unreadable.sorted(),
    judgedSides: { ...judgedSides },
    violations: { ...violations },
    kinds: tally.sorted(),
    otherKinds,
    conclusion:
      counted > 0 ? 'violations' : isJudgedWholly(judgedSides, failOn) ? 'conforms' : 'nothing-judged',
  };
}

/** Whether of each side that counts something was judged. */
function isJudgedWholly({ request, response }: ProxyReport['judgedSides'], failOn: FailOn): boolean {
  return (failOn === 'request' || response > 0) && (failOn === 'response' || request > 0);
}
