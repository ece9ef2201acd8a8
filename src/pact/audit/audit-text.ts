import picocolors from 'picocolors';
import { visibleInLine } from '../../conformance/reporting/control-characters.js';
import { counted, signs } from '../../conformance/reporting/report-wording.js';
import type { ReporterOptions } from '../../reporters/reporter.js';
import type { AuditedInteraction, PactAudit } from './audit.js';
import type { PactProblem } from './problem.js';

type Colors = ReturnType<typeof picocolors.createColors>;

/**
 * Audits as text for people: of each pact its interactions, what they ask for too much, what of the interface they
 * leave alone, and a summary, which comes last, where a terminal shows it.
 *
 * @returns text that ends with a line break
 * @example
 * import assert from 'node:assert/strict';
 * import { auditPact, auditText } from 'plant-store-contract/pact';
 *
 * const request = { method: 'GET', path: '/plants' };
 * const audit = await auditPact({
 *   consumer: { name: 'shop' },
 *   provider: { name: 'plant store' },
 *   interactions: [{ description: 'a list', request, response: { status: 200 } }],
 * });
 * assert.match(auditText([audit]), /✗ a list\n {4}unknown-operation/);
 */
export function auditText(
  audits: readonly PactAudit[],
  { color = false, quiet = false }: ReporterOptions = {},
): string {
  const colors = picocolors.createColors(color);
  const lines = audits.flatMap((audit) => auditLines(audit, quiet, colors));
  if (audits.length > 1) lines.push(closingLine(audits, colors));
  else lines.pop();
  return `${lines.join('\n')}\n`;
}

function auditLines(audit: PactAudit, quiet: boolean, colors: Colors): string[] {
  const { bold, dim } = colors;
  const { consumer, provider, where, conclusion, summary } = audit;
  const place = where === undefined ? '' : dim(` ${visibleInLine(where)}`);
  const lines = [`${bold(visibleInLine(`${consumer} → ${provider}`))}${place}`, ''];
  const shown = quiet ? audit.interactions.filter(({ problems }) => problems.length > 0) : audit.interactions;
  for (const interaction of shown) lines.push(...interactionLines(interaction, colors));
  if (shown.length > 0) lines.push('');
  if (!quiet && audit.untouched.length > 0) lines.push(...untouchedLines(audit, colors), '');
  if (audit.notAudited.length > 0) lines.push(notAuditedLine(audit, colors), '');
  const color = conclusion === 'within-the-interface' ? colors.green : colors.red;
  lines.push(bold(color(summary)), '');
  return lines;
}

function interactionLines({ description, states, problems }: AuditedInteraction, colors: Colors): string[] {
  const { green, red, dim } = colors;
  const sign = problems.length === 0 ? green(signs.pass) : red(signs.fail);
  const given = states.length === 0 ? '' : dim(` given ${states.map(visibleInLine).join(' and ')}`);
  return [
    `  ${sign} ${visibleInLine(description)}${given}`,
    ...problems.flatMap((problem) => problemLines(problem, colors)),
  ];
}

function problemLines(problem: PactProblem, { bold, dim }: Colors): string[] {
  const { kind, message, pointer, section, comparatorCode } = problem;
  const seen = comparatorCode === undefined ? '' : `; comparator: ${comparatorCode}`;
  return [
    `    ${bold(kind)} ${visibleInLine(message)}`,
    dim(`      ${visibleInLine(pointer)} (interface: ${section}${seen})`),
  ];
}

function untouchedLines({ untouched }: PactAudit, { bold, dim }: Colors): string[] {
  return [
    bold('Not touched by this pact'),
    ...untouched.map(({ id, sentence }) => `  ${signs['not-applicable']} ${sentence} ${dim(id)}`),
  ];
}

function notAuditedLine({ notAudited }: PactAudit, { bold }: Colors): string {
  const types = [...new Set(notAudited)].join(', ');
  return `${bold('Note:')} ${counted(notAudited.length, 'interaction')} of other types than HTTP ${notAudited.length === 1 ? 'was' : 'were'} not audited: ${visibleInLine(types)}`;
}

function closingLine(audits: readonly PactAudit[], { bold, red, green }: Colors): string {
  const more = audits.filter(({ conclusion }) => conclusion === 'asks-for-more').length;
  const all = counted(audits.length, 'pact');
  if (more === 0) return bold(green(`None of ${all} asks for more than the interface promises.`));
  return bold(red(`${more} of ${all} ${more === 1 ? 'asks' : 'ask'} for more than the interface promises.`));
}
