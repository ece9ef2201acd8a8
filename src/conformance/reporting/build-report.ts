import { openApiDocument } from '../../spec/index.js';
import { type Exchange, isAccepted, isRefused } from '../exchange.js';
import type { ActiveExpectations } from '../expected-failures.js';
import type { Evidence } from '../judging/evidence.js';
import type { Failure, JudgedRule } from '../judging/judge.js';
import type { PrismOpinion } from '../judging/prism-opinion.js';
import type { CheckSettings } from '../options.js';
import { AFTER_WRONG_TOKENS } from '../probes/authentication.js';
import { concludeFrom } from './conclusion.js';
import { curlLines } from './curl.js';
import { findingsIn } from './findings.js';
import { redactionOf } from './redaction.js';
import type { Report, ReportedFailure } from './report.js';
import { WAS_CALLED } from './report-wording.js';
import { reportedExchange } from './reported-exchange.js';

/** What a report is made of. */
export interface Findings {
  readonly settings: CheckSettings;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly evidence: Evidence;
  readonly judged: readonly JudgedRule[];
  /** Why nothing can be said of the provider, where that is so. */
  readonly notTestable: string | undefined;
  readonly exchanges: readonly Exchange[];
  /** Failures whose probe was sent once more, and whether it failed again. */
  readonly again: ReadonlyMap<Failure, boolean>;
  readonly expectations: ActiveExpectations;
  /** Prism's opinion, or why there is none; left out where it was not asked. */
  readonly prism: PrismOpinion | string | undefined;
}

/** Puts a report together. */
export function buildReport(found: Findings): Report {
  const { settings, evidence, exchanges, expectations, notTestable } = found;
  const redaction = redactionOf(exchanges, settings.token, settings.headers);
  const judged = notTestable === undefined ? found.judged : found.judged.map(unjudged);
  const findings = findingsIn(judged, evidence);
  const findingOf = new Map(
    findings.flatMap(({ failures }, at) => failures.map(({ failure }) => [failure, at] as const)),
  );
  const { conclusion, summary, counts } = concludeFrom(judged, exchanges, expectations.active, notTestable);
  const { version: interfaceVersion } = openApiDocument.info;
  const implementation = settings.implementation && { implementation: settings.implementation };
  const report: Report = {
    reportVersion: 1,
    interfaceVersion,
    ...implementation,
    baseUrl: settings.baseUrl,
    startedAt: found.startedAt.toISOString(),
    durationMs: found.durationMs,
    conclusion,
    summary,
    notes: [
      ...notesOn(exchanges, settings.signal.aborted),
      ...(settings.fetch === undefined ? [] : [WAS_CALLED]),
      ...expectations.notes,
      ...(typeof found.prism === 'string' ? [`Prism has no opinion: ${found.prism}`] : []),
    ],
    counts,
    rules: judged.map(({ rule, verdict, reason, behaviour, failures }) => {
      const { id, title, level, source } = rule;
      const known = expectations.active.get(id);
      const isUnsteady = failures.some((failure) => found.again.get(failure) === false);
      return {
        ...{ id, title, level, source, verdict },
        ...(reason !== undefined && { reason }),
        ...(behaviour !== undefined && { behaviour }),
        failures: failures
          .map((failure) => ({
            ...reportedFailure(failure, found, isUnsteady),
            finding: findingOf.get(failure) ?? 0,
          }))
          .sort((a, b) => CERTAINTY.indexOf(a.again) - CERTAINTY.indexOf(b.again)),
        ...(known !== undefined && { expectedFailure: withoutRule(known) }),
      };
    }),
    findings: findings.map(({ id, cause, repair, failures }) => ({
      ...{ id, cause, repair },
      rules: [...new Set(failures.map(({ rule }) => rule))],
    })),
    profile: {
      profileVersion: 1,
      interfaceVersion,
      ...implementation,
      behaviours: judged.flatMap(({ rule, behaviour }) =>
        behaviour === undefined ? [] : [{ rule: rule.id, ...behaviour }],
      ),
    },
    ...(typeof found.prism === 'object' && { prism: found.prism }),
    createdIds: exchanges.filter(isAccepted).flatMap(sentId),
    exchanges: exchanges.map((exchange) => reportedExchange(exchange, settings, redaction.text)),
  };
  return redaction.all(report);
}

/** What shows again stands before what may not. */
const CERTAINTY: readonly ReportedFailure['again'][] = ['yes', 'not-tried', 'now-and-then'];

function withoutRule<T extends { readonly rule: string }>({ rule, ...rest }: T): Omit<T, 'rule'> {
  return rest;
}

/** Where no plain plant is accepted, nothing that came back says anything about a rule. */
function unjudged({ rule }: JudgedRule): JudgedRule {
  return { rule, verdict: 'blocked', failures: [], reason: 'the provider could not be tested' };
}

function reportedFailure(
  failure: Failure,
  { settings, evidence, again }: Findings,
  isUnsteady: boolean,
): Omit<ReportedFailure, 'finding'> {
  const { exchange, expected, actual } = failure;
  const probe = evidence.probes.get(exchange.probe);
  const sequence = exchange.role === 'judged' ? evidence.of(exchange.probe) : [exchange];
  const upToHere = sequence.filter(({ step }) => probe?.together === true || step <= exchange.step);
  const shown = again.get(failure);
  const comesAndGoes = probe?.together === true || shown === false || (shown === undefined && isUnsteady);
  return {
    probe: exchange.probe,
    title: probe?.title ?? exchange.probe,
    expected,
    actual,
    exchange: exchange.index,
    exchanges: upToHere.map(({ index }) => index),
    again: comesAndGoes ? 'now-and-then' : shown === true ? 'yes' : 'not-tried',
    curl: comesAndGoes
      ? []
      : curlLines(
          upToHere.map(({ request }) => request),
          settings,
          probe,
        ),
  };
}

/** The id of an accepted request, as its body has it. */
function sentId({ request }: Exchange): string[] {
  if (request.plant !== undefined) return [String(request.plant.id)];
  const written = /"id"\s*:\s*"?(-?[\d.eE+]+)/.exec(Buffer.from(request.body).toString())?.[1];
  const id = written ?? request.id;
  return id === undefined ? [] : [String(id)];
}

function notesOn(exchanges: readonly Exchange[], isStopped: boolean): string[] {
  const notes: string[] = [];
  if (isStopped) notes.push('The check was stopped before it had ended: this is what was known by then.');
  const after = exchanges.find(({ probe, role }) => probe === AFTER_WRONG_TOKENS && role === 'judged');
  if (after?.response !== undefined && !isAccepted(after)) {
    const how = isRefused(after) ? `was refused with ${after.response.status}` : 'was not accepted';
    notes.push(
      `After the probes with wrong tokens the right one ${how}: the provider may lock clients out. Nothing else rests on this.`,
    );
  }
  return notes;
}
