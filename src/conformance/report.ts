import { openApiDocument } from '../spec/index.js';
import { curlLine, TOKEN_VARIABLE } from './curl.js';
import { type Exchange, type Fields, isAccepted, isRefused } from './exchange.js';
import type { JudgedRule, Verdict } from './judge.js';
import type { CheckSettings } from './options.js';
import { AFTER_WRONG_TOKENS } from './probes/authentication.js';
import type { Level, Rule, Source } from './rule.js';

/**
 * `conforms`; `breaks-rules`; `not-testable`: no plain plant was accepted, so nothing could be judged;
 * `incomplete`: nothing failed, but not every rule could be judged.
 */
export type Conclusion = 'conforms' | 'breaks-rules' | 'not-testable' | 'incomplete';

/** One rule in a report. */
export interface ReportedRule {
  readonly id: string;
  readonly title: string;
  readonly level: Level;
  readonly source: Source;
  readonly verdict: Verdict;
  /** Why there is no judgement; of `blocked` and `error` only. */
  readonly reason?: string;
  /** What breaks it; of `fail` only. */
  readonly failures: readonly ReportedFailure[];
}

/** One exchange that breaks a rule. */
export interface ReportedFailure {
  /** What was sent, as a noun. */
  readonly probe: string;
  readonly expected: string;
  readonly actual: string;
  /** The place of the exchange in `exchanges`. */
  readonly exchange: number;
  /** A line for a shell that shows the failure again. */
  readonly curl: string;
}

/** A body as text, or in base64 where it is no UTF-8. */
export interface ReportedBody {
  readonly encoding: 'utf-8' | 'base64';
  readonly text: string;
}

/** One exchange in a report. */
export interface ReportedExchange {
  readonly probe: string;
  readonly request: {
    readonly method: 'POST';
    readonly url: string;
    readonly headers: Fields;
    readonly body: ReportedBody;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: Fields;
    readonly body: ReportedBody;
    readonly complete: boolean;
  };
  /** Why nothing came back. */
  readonly failure?: { readonly kind: string; readonly message: string };
  readonly startMs: number;
  readonly durationMs: number;
}

/** The result of a check, as data. It holds no token. */
export interface Report {
  /** The version of this form. */
  readonly reportVersion: 1;
  readonly interfaceVersion: string;
  readonly baseUrl: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly conclusion: Conclusion;
  /** The conclusion as a sentence. */
  readonly summary: string;
  /** What a reader has to know besides. */
  readonly notes: readonly string[];
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly rules: readonly ReportedRule[];
  /** Every id that was sent and accepted: these plants are now in the provider. Decimal, for they may be int64. */
  readonly createdIds: readonly string[];
  readonly exchanges: readonly ReportedExchange[];
}

/** What a report is made of. */
export interface Findings {
  readonly settings: CheckSettings;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly judged: readonly JudgedRule[];
  readonly exchanges: readonly Exchange[];
  /** What each probe sends, by its name. */
  readonly titles: ReadonlyMap<string, string>;
}

/** Puts a report together. */
export function reportOf({
  settings,
  startedAt,
  durationMs,
  judged: findings,
  exchanges,
  titles,
}: Findings): Report {
  const redact = (text: string): string => text.replaceAll(settings.token, TOKEN_VARIABLE);
  const refusal = whyNotTestable(exchanges);
  const judged = refusal === undefined ? findings : findings.map(({ rule }) => unjudged(rule));
  const rules = judged.map(
    ({ rule: { id, title, level, source }, verdict, reason, failures }): ReportedRule => ({
      id,
      title,
      level,
      source,
      verdict,
      ...(reason !== undefined && { reason }),
      failures: failures.map(({ exchange, expected, actual }) => ({
        probe: titles.get(exchange.probe) ?? exchange.probe,
        expected,
        actual: redact(actual),
        exchange: exchange.index,
        curl: curlLine(settings.url, exchange.request, settings.token),
      })),
    }),
  );
  const counts = countVerdicts(judged);
  const conclusion = conclude(counts, refusal !== undefined);
  return {
    reportVersion: 1,
    interfaceVersion: openApiDocument.info.version,
    baseUrl: settings.baseUrl,
    startedAt: startedAt.toISOString(),
    durationMs,
    conclusion,
    summary: redact(summarise(conclusion, counts, refusal)),
    notes: notesOn(exchanges),
    counts,
    rules,
    createdIds: exchanges
      .filter(isAccepted)
      .flatMap(({ request: { id } }) => (id === undefined ? [] : [String(id)])),
    exchanges: exchanges.map((exchange) => reportedExchange(exchange, settings, redact)),
  };
}

/** Where no plain plant is accepted, nothing that came back says anything about a rule. */
function unjudged(rule: Rule): JudgedRule {
  return { rule, verdict: 'blocked', failures: [], reason: 'the provider could not be tested' };
}

function countVerdicts(judged: readonly JudgedRule[]): Record<Verdict, number> {
  const counts = { pass: 0, fail: 0, observed: 0, blocked: 0, 'not-applicable': 0, error: 0 };
  for (const { verdict } of judged) counts[verdict]++;
  return counts;
}

/** A provider that answers every plain plant by a 4xx, a redirect or not at all cannot be tested; a 5xx or another 2xx is judged. */
function whyNotTestable(exchanges: readonly Exchange[]): string | undefined {
  const judgeable = exchanges.some(
    ({ response }) =>
      response !== undefined && (response.status >= 500 || (response.status >= 200 && response.status < 300)),
  );
  if (judgeable) return undefined;
  const last = exchanges.at(-1);
  if (last?.response === undefined) return last?.failure?.message ?? 'no plain plant was sent';
  return `every plain, valid plant is answered with ${last.response.status} with the token given`;
}

function conclude(counts: Readonly<Record<Verdict, number>>, untestable: boolean): Conclusion {
  if (untestable) return 'not-testable';
  if (counts.fail > 0) return 'breaks-rules';
  return counts.blocked > 0 || counts.error > 0 ? 'incomplete' : 'conforms';
}

function summarise(
  conclusion: Conclusion,
  counts: Readonly<Record<Verdict, number>>,
  refusal: string | undefined,
): string {
  switch (conclusion) {
    case 'conforms':
      return `The provider keeps all ${counts.pass} rules.`;
    case 'breaks-rules':
      return `The provider breaks ${counts.fail} of ${counts.pass + counts.fail} rules that could be judged.`;
    case 'not-testable':
      return `The provider could not be tested: ${refusal}.`;
    case 'incomplete':
      return `Nothing failed, but ${counts.blocked + counts.error} rules could not be judged.`;
  }
}

function notesOn(exchanges: readonly Exchange[]): string[] {
  const after = exchanges.find(({ probe }) => probe === AFTER_WRONG_TOKENS);
  if (after === undefined || isAccepted(after)) return [];
  const how = isRefused(after) ? `was refused with ${after.response?.status}` : 'was not accepted';
  return [
    `After the probes with wrong tokens the right one ${how}: the provider may lock clients out. Nothing else rests on this.`,
  ];
}

function reportedExchange(
  exchange: Exchange,
  { url }: CheckSettings,
  redact: (text: string) => string,
): ReportedExchange {
  const { probe, request, response, failure, startMs, durationMs } = exchange;
  const fields = (headers: Fields): Fields => headers.map(([name, value]) => [name, redact(value)] as const);
  return {
    probe,
    request: {
      method: 'POST',
      url: redact(url.href + (request.query ?? '')),
      headers: fields(request.headers),
      body: reportedBody(request.body, redact),
    },
    ...(response !== undefined && {
      response: {
        status: response.status,
        headers: fields(response.headers),
        body: reportedBody(response.body, redact),
        complete: response.complete,
      },
    }),
    ...(failure !== undefined && { failure: { kind: failure.kind, message: failure.message } }),
    startMs: Math.round(startMs),
    durationMs: Math.round(durationMs),
  };
}

function reportedBody(bytes: Uint8Array, redact: (text: string) => string): ReportedBody {
  const buffer = Buffer.from(bytes);
  const text = buffer.toString();
  if (Buffer.from(text).equals(buffer)) return { encoding: 'utf-8', text: redact(text) };
  // A token is ASCII, which Latin-1 keeps apart byte by byte.
  return {
    encoding: 'base64',
    text: Buffer.from(redact(buffer.toString('latin1')), 'latin1').toString('base64'),
  };
}
