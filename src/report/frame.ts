import type { ReportedExchange } from './exchange.js';

/** The command that a report comes from. */
export type ReportKind = 'check' | 'verify' | 'audit' | 'proxy' | 'validate';

/**
 * The result of a case.
 *
 * - `pass`
 * - `fail`
 * - `warn`: it fails, but only a client that breaks the interface itself notices
 * - `observed`: an unspecified behaviour, recorded
 * - `blocked`: something that the verdict depends on failed
 * - `not-applicable`: the interface allows the provider to behave so that there is nothing to judge
 * - `error`: our own error, never counted against the provider
 */
export type Verdict = (typeof verdicts)[number];

/** The verdicts, in the order in which a report counts them. */
export const verdicts = ['pass', 'fail', 'warn', 'observed', 'blocked', 'not-applicable', 'error'] as const;

/**
 * What a report comes to, in one vocabulary for all commands.
 *
 * - `conforms`
 * - `does-not-conform`: a case fails that nothing excuses
 * - `expected-failures`: only cases fail that are expected to fail
 * - `outdated-expectations`: a case passes that is expected to fail
 * - `breaks-house-rules`: it keeps the interface as far as that was judged, but not what its user asks for beyond it
 * - `not-testable`: nothing could be judged
 * - `incomplete`: nothing fails, but not every case could be judged
 */
export type Conclusion =
  | 'conforms'
  | 'does-not-conform'
  | 'expected-failures'
  | 'outdated-expectations'
  | 'breaks-house-rules'
  | 'not-testable'
  | 'incomplete';

/** How many cases have each verdict. */
export type Counts = Readonly<Record<Verdict, number>>;

/** One way in which a case fails. */
export interface Evidence {
  /** What was sent, as a noun: "a plain plant without a tag". */
  readonly sent?: string;
  /** Which part of a message it is about: "response body /id". */
  readonly where?: string;
  readonly expected?: string;
  readonly actual: string;
  /** How often it was seen, if more often than once. */
  readonly count?: number;
  /** The finding that it belongs to: an index into `findings`. */
  readonly finding: number;
  /** The exchanges that show it, in order: indexes into `exchanges` of the report. The last one fails. */
  readonly exchanges?: readonly number[];
  /** Whether it failed when it was sent again. Left out if sending again makes no sense. */
  readonly repeated?: 'steady' | 'intermittent' | 'not-tried';
  /** A command for bash or zsh that reproduces it. */
  readonly reproduce?: string;
}

/**
 * Why a verdict does not count.
 *
 * - `expected`: it is on the list of expected failures. If the case passes, the list is outdated.
 * - `pending`: the pact is new, and the provider has never kept it. It need not have a verdict either.
 * - `not-counted`: the user asked not to count it
 */
export interface Excuse {
  readonly kind: 'expected' | 'pending' | 'not-counted';
  /** A sentence without its full stop. */
  readonly reason: string;
  /** The last day on which it counts, as `YYYY-MM-DD`. */
  readonly until?: string;
}

/** Where a case is in a file. */
export interface Place {
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /** JSON pointer (RFC 6901). */
  readonly pointer?: string;
}

/** One thing that was judged: a rule, an interaction of a pact, a message. */
export interface Case {
  /** Unique in its report, the same in every run, and readable: JUnit knows a test case by it. It may be the title. */
  readonly id: string;
  readonly title: string;
  readonly verdict: Verdict;
  /** What was observed, or why there is no verdict. */
  readonly detail?: string;
  /** What happened if it fails, as a sentence. A finding has that of its worst case. */
  readonly fact?: string;
  /** How much the interface says about it: "documented". `house` if its user asks for it, and not the interface. */
  readonly level?: string;
  /** `warning` if a failure of it is one. Then the conclusion does not depend on it. */
  readonly severity?: 'warning';
  /** Where the interface says it: "openapi.yaml#/components/schemas/Error". */
  readonly source?: string;
  readonly place?: Place;
  readonly excuse?: Excuse;
  /** What a reader must know as well; sentences. */
  readonly notes?: readonly string[];
  /** Milliseconds. */
  readonly durationMs?: number;
  /** The ways in which it fails. Empty unless the verdict is `fail` or `warn`. */
  readonly evidence: readonly Evidence[];
}

/** Cases that belong together: the rules of a topic, the interactions of a pact. */
export interface Group {
  readonly title: string;
  /** The file or URL of a pact, for example. */
  readonly detail?: string;
  readonly cases: readonly Case[];
}

/** Code that fixes a finding in a framework, to paste. */
export interface Recipe {
  /** "Express", "nginx". The responses of the provider show it. */
  readonly framework: string;
  /** What the code does, and where it belongs; sentences. */
  readonly text: string;
  /** The name of its language, as Markdown has it: "js". */
  readonly language: string;
  /** Lines with `\n` between them. No format breaks them. */
  readonly code: string;
}

/**
 * Who is hurt by a problem of a provider.
 *
 * - `clients`: valid requests fail, or get a wrong response
 * - `callers`: callers get in without the right token
 * - `input`: bad input is accepted
 * - `errors`: the response to a bad request has a wrong form
 * - `house`: a house rule is broken
 */
export type Impact = (typeof impacts)[number];

/** Every impact, the worst first: in this order, a report has its problems. */
export const impacts = ['clients', 'callers', 'input', 'errors', 'house'] as const;

/** Failures that belong together: those with one likely cause, or those of one case. */
export interface Finding {
  readonly id: string;
  /** What happened; a sentence. It is no guess. */
  readonly title: string;
  /** Left out for an error. A finding is a warning if all of its cases are. */
  readonly severity?: 'warning';
  /** Who is hurt by it. Left out if no provider was checked. */
  readonly impact?: Impact;
  /** The cause, if what was received shows it; a sentence. */
  readonly cause?: string;
  /** What usually causes it, if nothing shows the cause; a sentence. */
  readonly usualCause?: string;
  /** What to do about it; a sentence. */
  readonly fix?: string;
  /** The fix as code, if the framework of the provider is known. */
  readonly recipe?: Recipe;
  /** The ids of the cases that fail; the one with the simplest evidence first. */
  readonly cases: readonly string[];
}

/** Further information that a command gives: requests without a response, for example. */
export interface Section {
  readonly title: string;
  readonly items: readonly string[];
}

/** What a command found: one frame for all commands. It holds no secret. */
export interface Report {
  /** The version of the frame. */
  readonly reportVersion: 1;
  readonly kind: ReportKind;
  readonly toolVersion: string;
  readonly interfaceVersion: string;
  /** What was judged: "POST http://localhost:3000/plants". */
  readonly subject: string;
  /** ISO 8601, in UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly conclusion: Conclusion;
  /** The conclusion as a sentence. */
  readonly summary: string;
  /** What a reader must know as well; sentences. */
  readonly notes: readonly string[];
  readonly counts: Counts;
  readonly groups: readonly Group[];
  /** Errors first, and of these the one that hurts most. Of two that hurt the same, the simpler one. */
  readonly findings: readonly Finding[];
  readonly sections: readonly Section[];
  /** Sentences about the run: how many requests were sent, for example. */
  readonly remarks: readonly string[];
  /** Sentences for a reader who wants to know everything: `text` has them with `verbose`, and so has HTML. */
  readonly details?: readonly string[];
  /** What was sent and received. Left out if the command keeps no exchanges. */
  readonly exchanges?: readonly ReportedExchange[];
}

/** All cases of a report, in order. */
export function casesOf({ groups }: Pick<Report, 'groups'>): readonly Case[] {
  return groups.flatMap(({ cases }) => cases);
}

/** How a report is written. */
export interface ReporterOptions {
  /** Whether escape sequences colour the text. Default false. Only `text` has colours. */
  readonly color?: boolean | undefined;
  /** Whether `text` has only the problems and the conclusion. Default false. */
  readonly quiet?: boolean | undefined;
  /** Whether `text` also has every case, and more of each problem, even if `quiet` is set. Default false. */
  readonly verbose?: boolean | undefined;
  /** The most characters in a line of `text`; lines for a shell may be longer. Default 80. */
  readonly width?: number | undefined;
}

/** Turns a report of any command into text that ends with a line break. */
export type Reporter = (report: Report, options?: ReporterOptions) => string;
