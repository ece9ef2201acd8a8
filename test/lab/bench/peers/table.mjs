import { score } from './score.mjs';

const HEADINGS = [
  'Tool',
  'Faults found',
  'Found if compared with the reference server',
  'Faulty servers that fail',
  'Correct providers blamed',
  'Requests',
  'Seconds',
  'CPU seconds',
];

/**
 * The result as a Markdown table: a line for each tool, also for those that are missing.
 *
 * @param {readonly { name: string, missing?: string }[]} tools in this order
 * @param {readonly import('./score.mjs').Run[]} runs of all tools
 */
export function tableOf(tools, runs) {
  const rows = tools.map(({ name, missing }) => {
    const own = runs.filter(({ tool }) => tool === name);
    if (own.length > 0) return rowOf(name, own);
    return [name, missing ?? 'not run', ...HEADINGS.slice(2).map(() => '')];
  });
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return `${[line(HEADINGS), line(HEADINGS.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}

function rowOf(name, runs) {
  const result = score(runs);
  const of = (some, all) => `${some.length} of ${all}`;
  return [
    `${name} ${runs[0].version}`,
    of(result.found, result.faults),
    of(result.foundByDifference, result.faults),
    of(result.failing, result.faults),
    of(result.blamed, result.correct),
    String(result.requests ?? ''),
    decimals(result.seconds),
    decimals(result.cpuSeconds),
  ];
}

function decimals(value) {
  return value === undefined ? '' : value.toFixed(1);
}
