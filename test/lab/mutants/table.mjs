import { medianOf, scoreOf, verdictOf } from './score.mjs';

const count = (list, test) => list.filter(test).length;
const seconds = (value) => (value === undefined ? '' : value.toFixed(1));

/**
 * A line for each provider: what the check says about its mutants, and what those that survive change.
 *
 * @param {readonly { provider: { name: string, operators: string }, mutants: readonly (import('./judged.mjs').Judged & { check: object })[] }[]} all
 */
export function tableOfMutants(all) {
  const rows = all.map(({ provider, mutants }) => rowOfMutants(provider.name, provider.operators, mutants));
  const everything = all.flatMap(({ mutants }) => mutants);
  return table(
    [
      ...[
        'Provider',
        'Mutated by',
        'Mutants',
        'Killed (not testable)',
        'Only warned',
        'Survived',
        'Not started',
        'Seconds',
      ],
      ...['Survivors: same', 'texts', 'open', 'limits', 'missed', 'to read'],
    ],
    [...rows, rowOfMutants('All', '', everything)],
  );
}

function rowOfMutants(name, operators, mutants) {
  const said = (verdict) => count(mutants, ({ check }) => verdictOf(check) === verdict);
  const survivors = mutants.filter(({ check }) => verdictOf(check) === 'survived');
  const untestable = count(mutants, ({ check }) => check.conclusion === 'not-testable');
  const of = (effect) => count(survivors, (one) => one.effect === effect);
  return [
    ...[name, operators, mutants.length, `${said('killed')} (${untestable})`],
    ...[said('warned'), survivors.length, said('not started')],
    seconds(medianOf(mutants.map(({ check }) => check.seconds))),
    ...[of('same'), of('texts'), of('open'), of('limits'), of('documented'), of('unread')],
  ];
}

/** A line for each tool. */
export function tableOfTools(tools) {
  return table(
    [
      'Tool',
      'Mutants',
      'Documented ones noticed',
      'Harmless ones blamed',
      'Right providers that fail',
      'Seconds',
    ],
    tools.map(({ name, version, missing, tried, rights }) => {
      if (tried.length === 0) return [name, missing ?? 'not run', '', '', '', ''];
      const score = scoreOf(tried, rights);
      return [
        ...[`${name} ${version}`, score.mutants],
        share(score.noticed, score.real),
        share(score.blamed, score.harmless),
        ...[`${score.rightsBlamed} of ${score.rights}`, seconds(score.seconds)],
      ];
    }),
  );
}

function share(some, all) {
  return all === 0 ? '' : `${some} of ${all}, ${((100 * some) / all).toFixed(1)} %`;
}

function table(headings, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return `${[line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}

/** Mutants with their diffs, and what the probe saw. */
export function listOf(judged) {
  return judged
    .map(({ mutant, probe, check, effect, sentence }) =>
      [
        `${mutant.provider} ${mutant.id} (${mutant.operator}): ${verdictOf(check)}, ${effect}${sentence === undefined ? '' : `. ${sentence}`}`,
        ...mutant.diff.split('\n').map((line) => `  ${line}`),
        ...(check.findings?.length > 0 ? [`  check: ${check.findings.join(', ')}`] : []),
        `  probe: ${probe.differences} of ${probe.sent} differ (${probe.parts.join(', ')}), ${probe.violations} against the interface`,
        ...probe.examples.map(
          (example) =>
            `    ${example.request}\n      right  ${example.right}\n      mutant ${example.mutant}${example.violation === undefined ? '' : `  <- ${example.violation}`}`,
        ),
      ].join('\n'),
    )
    .join('\n\n');
}
