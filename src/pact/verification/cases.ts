import { definedOnly } from '../../defined-only.js';
import type { Fields } from '../../http/fields.js';
import { excerpt, reportedBody } from '../../output/body.js';
import type { Redactor } from '../../output/redaction.js';
import type { ReportedBody, ReportedExchange } from '../../report/exchange.js';
import type { Case, Evidence, Finding, Group } from '../../report/frame.js';
import type { Violation } from '../../validation/violation.js';
import { caseIds, groupTitle } from '../case-ids.js';
import type { JudgedInteraction, JudgedPact } from './judge.js';
import type { Mismatch } from './native-result.js';
import type { VerifySettings } from './options.js';
import type { VerifiedInteraction, VerifiedPact } from './report.js';

/** Collects the parts of a report, one pact after the other. */
export class CaseBuilder {
  readonly exchanges: ReportedExchange[] = [];
  readonly findings: Finding[] = [];
  readonly groups: Group[] = [];
  readonly pacts: VerifiedPact[] = [];
  private readonly idOf = caseIds();

  /**
   * @param redactor takes secrets out of a text that was sent or received, or that quotes one
   * @param start the start of the run, by the clock of `performance`
   */
  constructor(
    private readonly settings: VerifySettings,
    private readonly redactor: Redactor,
    private readonly start: number,
  ) {}

  add({ where, consumer, interactions: judged }: JudgedPact): void {
    const interactions = judged.map((one) => this.interaction(one));
    const party = consumer ?? 'consumers';
    this.pacts.push(definedOnly({ where, consumer, interactions }));
    this.groups.push({
      title: groupTitle({ consumer: party, provider: this.settings.provider }),
      detail: where,
      cases: interactions.map((one, at) =>
        this.case(one, judged[at] as JudgedInteraction, where, this.idOf(one, party)),
      ),
    });
  }

  private interaction(judged: JudgedInteraction): VerifiedInteraction {
    const { description, states, verdict, pending, reason, hint } = judged;
    return definedOnly({
      description,
      states,
      verdict,
      pending,
      mismatches: judged.mismatches.map(({ actual, message, ...rest }) =>
        definedOnly({
          ...rest,
          actual: actual && this.redactor.message(actual),
          message: this.redactor.message(message),
        }),
      ),
      violations: judged.violations.map((violation) => ({
        ...violation,
        actual: this.redactor.message(violation.actual),
        message: this.redactor.message(violation.message),
      })),
      reason: reason && this.redactor.message(reason),
      hint,
      exchange: this.exchange(judged),
    });
  }

  private case(
    interaction: VerifiedInteraction,
    { index, exchange }: JudgedInteraction,
    where: string,
    id: string,
  ): Case {
    const { verdict, pending, reason } = interaction;
    const marks = index === undefined ? 'broker' : 'pact';
    const isFailure = verdict === 'fail';
    return definedOnly({
      id,
      title: id,
      verdict,
      detail: reason,
      place: index === undefined ? undefined : { file: where, pointer: `/interactions/${index}` },
      excuse:
        isFailure && pending
          ? ({ kind: 'pending', reason: `the ${marks} marks it as pending` } as const)
          : undefined,
      notes: isFailure ? this.received(interaction.exchange) : undefined,
      durationMs: exchange && Math.round(exchange.durationMs),
      evidence: isFailure ? this.evidence(interaction, id) : [],
    });
  }

  /** The evidence of a failing interaction. Adds its finding. */
  private evidence({ mismatches, violations, hint, exchange }: VerifiedInteraction, id: string): Evidence[] {
    const title =
      mismatches[0] === undefined
        ? `The response does not conform to the interface: ${violations[0]?.message ?? 'Pact does not say why'}.`
        : `The response does not match the pact: ${mismatches[0].message}.`;
    const finding = this.findings.length;
    this.findings.push(
      definedOnly({
        id: `interaction-${finding + 1}`,
        title,
        isLikelyCause: false,
        fix: hint,
        cases: [id],
      }),
    );
    const differences = [...mismatches.map(differenceOf), ...violations.map(violationOf)];
    if (differences.length === 0) differences.push({ where: 'pact', actual: title });
    return differences.map((difference, at) =>
      definedOnly({
        // Only the first one names the request: it is the same for all.
        sent: at === 0 ? this.sent(exchange) : undefined,
        ...difference,
        finding,
        exchanges: exchange === undefined ? undefined : [exchange],
      }),
    );
  }

  private sent(at = -1): string | undefined {
    const request = this.exchanges[at]?.request;
    return request && `${request.method} ${request.url} ${bodyInWords(request.body)}`;
  }

  private received(at = -1): string[] | undefined {
    const exchange = this.exchanges[at];
    const { response } = exchange ?? {};
    return exchange && (response ? [`Response: ${response.status} ${bodyInWords(response.body)}`] : []);
  }

  /** Adds the exchange of an interaction, and returns its index. */
  private exchange({ description, exchange, sentAt = this.start }: JudgedInteraction): number | undefined {
    if (exchange === undefined) return undefined;
    const { request, response, failure, durationMs } = exchange;
    const message = ({ headers, body }: { readonly headers: Fields; readonly body: Uint8Array }) => ({
      headers: this.redactor.fields(headers),
      body: reportedBody(body, this.redactor.message),
    });
    const { method, target } = request;
    const reported: ReportedExchange = definedOnly({
      name: description,
      role: 'judged',
      request: { method, url: this.settings.baseUrl + this.redactor.message(target), ...message(request) },
      response: response && {
        status: response.status,
        ...message(response),
        complete: response.complete,
      },
      failure:
        failure === undefined ? undefined : { kind: 'no-response', message: this.redactor.message(failure) },
      startMs: Math.round(sentAt - this.start),
      durationMs: Math.round(durationMs),
    });
    return this.exchanges.push(reported) - 1;
  }
}

function bodyInWords({ encoding, text }: ReportedBody): string {
  return encoding === 'base64' ? '(the body is not UTF-8)' : excerpt(text);
}

function differenceOf({ part, path, expected, actual, message }: Mismatch): Omit<Evidence, 'finding'> {
  const where = `pact: ${part}${path === undefined ? '' : ` ${path}`}`;
  // For headers and bodies, a matching rule decides, and only the message names it.
  return part === 'status' && expected !== undefined && actual !== undefined
    ? { where, expected: `the status ${expected}`, actual: `the status ${actual}` }
    : { where, actual: message };
}

function violationOf({ part, pointer, expected, actual }: Violation): Omit<Evidence, 'finding'> {
  return { where: `interface: ${part}${pointer === '' ? '' : ` ${pointer}`}`, expected, actual };
}
