/**
 * A line of the table: how many times as fast as its yardstick something is.
 *
 * @param {string} what
 * @param {import('./pairs.mjs').Pair[]} pairs
 * @param {number} [atLeast] the target
 */
export function timesAsFast(what, pairs, atLeast) {
  const ratios = pairs.map(({ yardstick, subject }) => yardstick / subject);
  const rate = (of) => `${whole(1000 / median(pairs.map(of)))}/s`;
  return row(
    what,
    ratios,
    atLeast && { text: `≥ ${atLeast.toFixed(2)}`, met: median(ratios) >= atLeast },
    rate,
  );
}

/** A line of the table: how many times as long as its yardstick something takes. */
export function timesAsLong(what, pairs, atMost) {
  const ratios = pairs.map(({ yardstick, subject }) => subject / yardstick);
  const time = (of) => duration(median(pairs.map(of)));
  return row(what, ratios, atMost && { text: `≤ ${atMost.toFixed(2)}`, met: median(ratios) <= atMost }, time);
}

/** A line of the table with a target in seconds. The ratio shows how fast the machine is. */
export function withinSeconds(what, pairs, seconds) {
  const ratios = pairs.map(({ yardstick, subject }) => subject / yardstick);
  const time = (of) => duration(median(pairs.map(of)));
  const met = median(pairs.map(({ subject }) => subject)) <= seconds * 1000;
  return row(what, ratios, { text: `≤ ${seconds.toFixed(1)} s`, met }, time);
}

/** A line of the table: how many times as many bytes of memory are in use after as before. */
export function timesAsMuch(what, { before, after }, atMost) {
  const ratio = after / before;
  const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  return told({
    what,
    ratio: decimals(ratio),
    range: '',
    target: atMost === undefined ? '' : `≤ ${atMost.toFixed(2)}`,
    met: atMost === undefined ? '' : ratio <= atMost ? 'yes' : 'no',
    absolute: `${megabytes(after)} : ${megabytes(before)}`,
  });
}

function row(what, ratios, target, absolute) {
  const sorted = ratios.toSorted((a, b) => a - b);
  return told({
    what,
    ratio: decimals(median(ratios)),
    range: `${decimals(sorted[0])}–${decimals(sorted.at(-1))}`,
    target: target?.text ?? '',
    met: target === undefined ? '' : target.met ? 'yes' : 'no',
    absolute: `${absolute(({ subject }) => subject)} : ${absolute(({ yardstick }) => yardstick)}`,
  });
}

/** Says at once what was measured: the table comes minutes later. */
export function told(row) {
  process.stderr.write(`  ${row.what}: ${row.ratio} ${row.absolute}\n`);
  return row;
}

const HEADINGS = {
  what: 'measured',
  ratio: 'median ratio',
  range: 'min–max',
  target: 'target',
  met: 'met',
  absolute: 'itself : yardstick',
};

/** The rows as a Markdown table. */
export function table(rows) {
  const lines = [HEADINGS, ...rows].map((cells) => Object.keys(HEADINGS).map((column) => cells[column]));
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const [head, ...body] = lines.map(
    (line) => `| ${line.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return `${[head, rule, ...body].join('\n')}\n`;
}

/** The middle one of an odd number of values. */
export function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/** Two decimals would make 0.896 look as if it met 0.90. */
function decimals(ratio) {
  return ratio.toFixed(ratio < 10 ? 3 : 1);
}

function duration(milliseconds) {
  if (milliseconds >= 1) return `${milliseconds.toFixed(1)} ms`;
  return `${whole(milliseconds * 1e6)} ns`;
}

function whole(value) {
  return Math.round(value).toLocaleString('en-US');
}
