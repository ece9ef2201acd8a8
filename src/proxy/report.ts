import { reportFrame } from '../report/build.js';
import type { Case, Conclusion, Evidence, Finding, Report, Section } from '../report/frame.js';
import type { Redactor } from '../report/redaction.js';
import { capitalised, counted, listed } from '../report/wording.js';
import { type Side, violationInWords } from '../validation/exchange.js';
import { placeOf, redactedViolation } from '../validation/violation.js';
import type { FailOn, ProxySettings } from './options.js';
import type { CountedReason, TrafficCounts, ViolationKind } from './traffic-counts.js';

/** How much traffic there was. */
export interface Traffic {
  /** All exchanges. */
  readonly exchanges: number;
  /** Those of `POST …/plants`. */
  readonly judged: number;
  readonly withoutResponse: number;
  /** A side may be incomplete, and a body too long. */
  readonly judgedRequests: number;
  readonly judgedResponses: number;
}

/** The report of a proxy: what passed through it, and what does not conform. */
export interface ProxyReport extends Report {
  readonly kind: 'proxy';
  readonly upstream: string;
  readonly failOn: FailOn;
  readonly traffic: Traffic;
  /** How many violations are errors. */
  readonly violations: Readonly<Record<Side, number>>;
  /** How many are warnings. */
  readonly warnings: Readonly<Record<Side, number>>;
  /** The first 200 kinds. */
  readonly violationKinds: readonly ViolationKind[];
  /** Why there was no response, the most frequent reason first. */
  readonly failures: readonly CountedReason[];
  /** Why requests were rejected: most could not be read as exactly one request. They are no exchanges. */
  readonly unreadable: readonly CountedReason[];
}

const SIDES = ['response', 'request'] as const;
const TITLES = { response: 'Every response conforms.', request: 'Every request conforms.' } as const;

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
  const { exchanges, judged, withoutResponse, judgedSides, errors, warnings } = counts;
  const redact = secrets.message;
  const violationKinds = counts.sortedKinds().map((kind) => redactedViolation(kind, redact));
  const failures = counts.failures.sorted().map(({ reason, count }) => ({ reason: redact(reason), count }));
  const unreadable = counts.unreadable.sorted();
  const cases = [
    ...SIDES.map((side) => caseOf(side, counts, violationKinds, failOn)),
    ...violationKinds.flatMap((kind, at) =>
      kind.severity === 'warning' ? [warningOf(kind, at, failOn)] : [],
    ),
  ];
  const isTestable = SIDES.some((side) => isCounted(side, failOn) && judgedSides[side] > 0);
  const frame = reportFrame({
    kind: 'proxy',
    subject: `traffic to ${upstream}`,
    startedAt,
    circumstances: { notTestable: !isTestable },
    groups: [{ title: 'Traffic', detail: upstream, cases }],
    findings: violationKinds.map(findingOf),
    sections: sectionsOf(failures, unreadable),
    remarks: [remarkOn(counts)],
  });
  return {
    ...frame,
    summary: summaryOf(frame.conclusion, counts, failOn),
    upstream,
    failOn,
    traffic: {
      exchanges,
      judged,
      withoutResponse,
      judgedRequests: judgedSides.request,
      judgedResponses: judgedSides.response,
    },
    violations: { ...errors },
    warnings: { ...warnings },
    violationKinds,
    failures,
    unreadable,
  };
}

function isCounted(side: Side, failOn: FailOn): boolean {
  return failOn === 'both' || failOn === side;
}

function caseOf(
  side: Side,
  { errors, judgedSides }: TrafficCounts,
  kinds: readonly ViolationKind[],
  failOn: FailOn,
): Case {
  const unjudged = isCounted(side, failOn) ? 'blocked' : 'not-applicable';
  const verdict = errors[side] > 0 ? 'fail' : judgedSides[side] > 0 ? 'pass' : unjudged;
  return {
    id: TITLES[side],
    title: TITLES[side],
    verdict,
    ...(judgedSides[side] === 0 && { detail: `no ${side} was judged` }),
    ...excused(side, failOn),
    evidence: kinds.flatMap((kind, finding) =>
      kind.side === side && kind.severity === 'error' ? [evidenceOf(kind, finding)] : [],
    ),
  };
}

/** A kind of warnings is a case of its own: that of all messages passes beside it. */
function warningOf(kind: ViolationKind, finding: number, failOn: FailOn): Case {
  return {
    id: warningId(kind),
    title: violationInWords(kind),
    verdict: 'warn',
    severity: 'warning',
    ...excused(kind.side, failOn),
    evidence: [evidenceOf(kind, finding)],
  };
}

/** It names no value that was found, so it is the same in every run. */
function warningId({ side, part, pointer, keyword }: ViolationKind): string {
  return `${side} ${part}${pointer && ` ${pointer}`}: ${keyword}`;
}

function excused(side: Side, failOn: FailOn): Pick<Case, 'excuse'> {
  if (isCounted(side, failOn)) return {};
  return { excuse: { kind: 'not-counted', reason: `only violations in ${failOn}s count` } };
}

function evidenceOf(kind: ViolationKind, finding: number): Evidence {
  const { expected, actual, count } = kind;
  return { where: placeOf(kind), expected, actual, ...(count > 1 && { count }), finding };
}

function findingOf(kind: ViolationKind, index: number): Finding {
  const isWarning = kind.severity === 'warning';
  return {
    id: `violation-${index + 1}`,
    title: violationInWords(kind),
    ...(isWarning && { severity: 'warning' }),
    cases: [isWarning ? warningId(kind) : TITLES[kind.side]],
  };
}

function summaryOf(
  conclusion: Conclusion,
  { errors, warnings, judgedSides }: TrafficCounts,
  failOn: FailOn,
): string {
  if (conclusion === 'not-testable')
    return 'Nothing that counts was judged: no POST …/plants arrived, or none got a response.';
  const sides = SIDES.map((side) => {
    const numbers = [counted(errors[side], 'violation'), counted(warnings[side], 'warning')];
    const found =
      judgedSides[side] === 0
        ? `no ${side} was judged`
        : `${listed(warnings[side] > 0 ? numbers : numbers.slice(0, 1))} in ${side}s`;
    return isCounted(side, failOn) ? found : `${found} (not counted)`;
  });
  return `${capitalised(sides.join(', '))}.`;
}

function remarkOn({ exchanges, judged, withoutResponse, judgedSides }: TrafficCounts): string {
  const forwarded = `The proxy forwarded ${counted(exchanges, 'request')}; ${withoutResponse} got no response.`;
  const { request, response } = judgedSides;
  return `${forwarded} Of ${judged} to POST …/plants, it judged ${counted(request, 'request')} and ${counted(response, 'response')}.`;
}

function sectionsOf(failures: readonly CountedReason[], unreadable: readonly CountedReason[]): Section[] {
  const reasons = (all: readonly CountedReason[]): string[] =>
    all.map(({ reason, count }) => `${count} × ${reason}`);
  const sections: Section[] = [
    { title: 'Requests without a response', items: reasons(failures) },
    {
      title: 'Rejected requests',
      text: 'The proxy did not forward them: it could not read them as exactly one request, or their connection was closed.',
      items: reasons(unreadable),
    },
  ];
  return sections.filter(({ items }) => items.length > 0);
}
