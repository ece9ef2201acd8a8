import type { ForwardedExchange } from '../http/exchange.js';
import { reportFrame } from '../report/build.js';
import { excerpt } from '../report/exchange.js';
import type { Case, Conclusion, Report } from '../report/frame.js';
import type { Redactor } from '../report/redaction.js';
import { capitalised, counted } from '../report/wording.js';
import { pathOf } from '../spec/operation.js';
import { type JudgedExchange, type Side, violationInWords } from '../validation/exchange.js';
import { redactedViolation } from '../validation/violation.js';
import type { FailOn, ProxySettings } from './options.js';
import { evidenceOf, findingsOf, type ViolationKind, ViolationKinds } from './violation-kinds.js';

/** How much traffic there was. */
export interface Traffic {
  /** All that was forwarded. */
  readonly exchanges: number;
  readonly withoutResponse: number;
  /** Those of `POST …/plants`. A side may be incomplete, and a body too long. */
  readonly judgedRequests: number;
  readonly judgedResponses: number;
}

/** The report of a proxy: what passed through it, and what does not conform. */
export interface ProxyReport extends Report {
  readonly kind: 'proxy';
  readonly upstream: string;
  readonly failOn: FailOn;
  readonly traffic: Traffic;
  /** The first 200 kinds. */
  readonly violationKinds: readonly ViolationKind[];
}

/** A proxy keeps no more reasons than these. It counts the others together. */
const MOST_REASONS = 50;
const OTHERS = 'other reasons';

/** An exchange on one line: what was sent, and the response. */
function exampleOf({ request, response }: ForwardedExchange): string {
  const sent = `${request.method} ${pathOf(request.target)} ${bodyOf(request.body)}`.trim();
  return response === undefined
    ? sent
    : `${sent}, response ${response.status} ${bodyOf(response.body)}`.trim();
}

function bodyOf(body: Uint8Array): string {
  return excerpt(Buffer.from(body.subarray(0, 4 * LONGEST_EXAMPLE)).toString(), LONGEST_EXAMPLE);
}

/** How much of a body shows what it is. */
const LONGEST_EXAMPLE = 160;

/** Counts the traffic. It keeps no exchange, so its memory does not grow with the traffic. */
export class TrafficCounts {
  exchanges = 0;
  withoutResponse = 0;
  readonly judged: Record<Side, number> = { request: 0, response: 0 };
  readonly kinds = new ViolationKinds();
  private readonly reasons = new Map<string, number>();

  /** @param failure why the exchange has no response, if it has none */
  ended(failure: string | undefined): void {
    this.exchanges++;
    if (failure === undefined) return;
    this.withoutResponse++;
    this.failed(failure);
  }

  failed(reason: string, count = 1): void {
    const key = this.reasons.has(reason) || this.reasons.size < MOST_REASONS ? reason : OTHERS;
    this.reasons.set(key, (this.reasons.get(key) ?? 0) + count);
  }

  /** Counts what was found in an exchange. */
  add({ violations, sides, exchange }: JudgedExchange): void {
    for (const side of sides) this.judged[side]++;
    for (const violation of violations) this.kinds.add(violation, () => exampleOf(exchange));
  }

  /** Why requests got no response of the upstream, the most frequent reason first. */
  failures(): string[] {
    const sorted = [...this.reasons].sort(([, a], [, b]) => b - a);
    return sorted.map(([reason, count]) => `${count} × ${reason}`);
  }
}

const NO_RESPONSE = 'Requests without a response of the upstream';
const SIDES = ['response', 'request'] as const;

/**
 * The report on the traffic so far.
 *
 * @param secrets those of all traffic: what was found first may quote the token of a request that came later
 */
export function reportOf(
  { upstream, failOn }: ProxySettings,
  counts: TrafficCounts,
  secrets: Redactor,
  startedAt: Date,
): ProxyReport {
  const { exchanges, withoutResponse, judged } = counts;
  const redact = secrets.message;
  const kinds = counts.kinds.sorted();
  const examples = kinds.map((kind) => redact(counts.kinds.exampleOf(kind) ?? ''));
  const violationKinds = kinds.map((kind) => redactedViolation(kind, redact));
  const failures = counts.failures().map(redact);
  const conforming = SIDES.filter((side) => errorsIn(violationKinds, side) === 0);
  const cases = [
    ...conforming.map((side) => caseOfSide(side, judged[side] > 0, failOn)),
    ...violationKinds.map((kind, finding) => caseOfKind(kind, finding, examples[finding] ?? '', failOn)),
  ];
  const isTestable = SIDES.some((side) => isCounted(side, failOn) && judged[side] > 0);
  const frame = reportFrame({
    kind: 'proxy',
    subject: `traffic to ${upstream}`,
    startedAt,
    circumstances: { notTestable: !isTestable },
    groups: [{ title: 'Traffic', detail: upstream, cases }],
    findings: findingsOf(violationKinds, cases),
    sections: failures.length === 0 ? [] : [{ title: NO_RESPONSE, items: failures }],
    remarks: [
      `The proxy forwarded ${counted(exchanges, 'request')}; ${withoutResponse} got no response. ` +
        `Of POST …/plants, it judged ${counted(judged.request, 'request')} and ${counted(judged.response, 'response')}.`,
    ],
  });
  return {
    ...frame,
    summary: summaryOf(frame.conclusion, judged, violationKinds, failOn),
    upstream,
    failOn,
    traffic: {
      exchanges,
      withoutResponse,
      judgedRequests: judged.request,
      judgedResponses: judged.response,
    },
    violationKinds,
  };
}

function isCounted(side: Side, failOn: FailOn): boolean {
  return failOn === 'both' || failOn === side;
}

function errorsIn(kinds: readonly ViolationKind[], side: Side): number {
  const errors = kinds.filter((kind) => kind.side === side && kind.severity === 'error');
  return errors.reduce((sum, { count }) => sum + count, 0);
}

/** A side without errors. */
function caseOfSide(side: Side, isJudged: boolean, failOn: FailOn): Case {
  const title = `Every ${side} conforms.`;
  const unjudged = isCounted(side, failOn) ? 'blocked' : 'not-applicable';
  return {
    id: title,
    title,
    verdict: isJudged ? 'pass' : unjudged,
    ...(!isJudged && { detail: `no ${side} was judged` }),
    ...excused(side, failOn),
    evidence: [],
  };
}

function caseOfKind(kind: ViolationKind, finding: number, example: string, failOn: FailOn): Case {
  const { side, severity, part, pointer, keyword, count } = kind;
  const isWarning = severity === 'warning';
  return {
    // It names no value that was found, so it is the same in every run.
    id: `${side} ${part}${pointer && ` ${pointer}`}: ${isWarning ? 'warning, ' : ''}${keyword}`,
    title: violationInWords(kind),
    verdict: isWarning ? 'warn' : 'fail',
    ...(isWarning && { severity }),
    ...excused(side, failOn),
    evidence: [
      {
        ...(example !== '' && { sent: example }),
        ...evidenceOf(kind, finding),
        ...(count > 1 && { count }),
      },
    ],
  };
}

function excused(side: Side, failOn: FailOn): Pick<Case, 'excuse'> {
  if (isCounted(side, failOn)) return {};
  return { excuse: { kind: 'not-counted', reason: `only violations in ${failOn}s count` } };
}

function summaryOf(
  conclusion: Conclusion,
  judged: TrafficCounts['judged'],
  kinds: readonly ViolationKind[],
  failOn: FailOn,
): string {
  if (conclusion === 'not-testable')
    return 'Nothing that counts was judged: no POST …/plants arrived, or none got a response.';
  const sides = SIDES.map((side) => {
    const errors = counted(errorsIn(kinds, side), 'violation');
    const found = judged[side] === 0 ? `no ${side} was judged` : `${errors} in ${side}s`;
    return isCounted(side, failOn) ? found : `${found} (not counted)`;
  });
  return `${capitalised(sides.join(', '))}.`;
}
