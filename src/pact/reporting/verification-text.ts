import picocolors from 'picocolors';
import { visibleInLine } from '../../conformance/reporting/control-characters.js';
import type { ReportedBody } from '../../conformance/reporting/report.js';
import { signs } from '../../conformance/reporting/report-wording.js';
import type { ReporterOptions } from '../../reporters/reporter.js';
import type {
  InteractionVerdict,
  Verification,
  VerificationConclusion,
  VerifiedInteraction,
} from '../verification/verification.js';
import { countOf } from '../verification/verification.js';

type Colors = ReturnType<typeof picocolors.createColors>;
type Color = 'green' | 'red' | 'yellow';

const COLORS: Readonly<Record<InteractionVerdict, Color>> = { pass: 'green', fail: 'red', blocked: 'yellow' };

const HEADLINES: Readonly<Record<VerificationConclusion, readonly [Color, string]>> = {
  verified: ['green', 'verified'],
  fails: ['red', 'not verified'],
  'not-testable': ['yellow', 'could not be tested'],
  incomplete: ['yellow', 'could not be verified wholly'],
};

const LONGEST_BODY = 300;

/** A verification for people: what failed is written out under its interaction. */
export function verificationText(
  verification: Verification,
  { color = false, quiet = false }: ReporterOptions = {},
): string {
  const colors = picocolors.createColors(color);
  const { bold, dim } = colors;
  const { provider, baseUrl, pacts, notes, conclusion, summary, durationMs } = verification;
  const lines = [`${bold(provider)} at ${baseUrl}`, ''];
  for (const { where, consumer = 'consumers', interactions } of pacts) {
    const shown = quiet ? interactions.filter(({ verdict }) => verdict !== 'pass') : interactions;
    if (quiet && shown.length === 0) continue;
    lines.push(`${bold(`${visibleInLine(consumer)} → ${visibleInLine(provider)}`)} ${dim(where)}`);
    // Where nothing could be tested, every interaction is blocked for the one reason that the summary gives.
    if (conclusion !== 'not-testable') for (const one of shown) lines.push(...interactionLines(one, colors));
    lines.push('');
  }
  for (const note of notes) lines.push(`${bold('Note:')} ${visibleInLine(note)}`, '');
  const [headlineColor, headline] = HEADLINES[conclusion];
  const counts = (['pass', 'fail', 'blocked'] as const)
    .map((verdict) => [verdict, countOf(pacts, verdict)] as const)
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${verdict}`);
  lines.push(
    `${bold(colors[headlineColor](headline))}: ${counts.join(', ')} ${dim(`in ${(durationMs / 1000).toFixed(2)} s`)}`,
    visibleInLine(summary),
  );
  return `${lines.join('\n')}\n`;
}

function interactionLines(interaction: VerifiedInteraction, colors: Colors): string[] {
  const { verdict, description, states, pending, exchange } = interaction;
  const given = states.length === 0 ? '' : colors.dim(` given ${states.map(visibleInLine).join(' and ')}`);
  const mark = pending && verdict === 'fail' ? colors.yellow(' pending: counts for nothing') : '';
  const lines = [`  ${colors[COLORS[verdict]](signs[verdict])} ${visibleInLine(description)}${given}${mark}`];
  for (const line of complaintsOf(interaction)) lines.push(`      ${visibleInLine(line)}`);
  if (verdict === 'fail' && exchange !== undefined) {
    lines.push(
      `      ${colors.dim(`sent  ${visibleInLine(`${exchange.request.method} ${exchange.request.url} ${shortened(exchange.request.body)}`)}`)}`,
    );
    if (exchange.response !== undefined)
      lines.push(
        `      ${colors.dim(`got   ${visibleInLine(`${exchange.response.status} ${shortened(exchange.response.body)}`)}`)}`,
      );
  }
  return lines;
}

/** What is said against the answer to an interaction, a sentence each: by Pact, and by the interface. */
export function complaintsOf({ mismatches, violations, reason, hint }: VerifiedInteraction): string[] {
  return [
    ...(reason === undefined ? [] : [reason]),
    ...mismatches.map(
      ({ path, message }) =>
        `pact: ${path === undefined || message.includes(path) ? '' : `${path}: `}${message}`,
    ),
    ...violations.map(
      ({ pointer, message }) => `interface: ${pointer === '' ? '' : `${pointer}: `}${message}`,
    ),
    ...(hint === undefined ? [] : [hint]),
  ];
}

function shortened({ encoding, text }: ReportedBody): string {
  if (encoding === 'base64') return '(a body that is no text)';
  return text.length <= LONGEST_BODY ? text : `${text.slice(0, LONGEST_BODY).toWellFormed()}…`;
}
