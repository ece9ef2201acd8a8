import { checkConformance } from 'plant-store-contract/conformance';
import { reporters } from 'plant-store-contract/reporters';
import { startPlantStore } from 'plant-store-contract/server';

/** Characters of a line, and pixels. */
const COLUMNS = 92;
const [CHARACTER, LINE, MARGIN, BAR] = [7.83, 19, 20, 34];

/** What is different in every run, and what it is in the picture. */
const VARIABLE: readonly (readonly [RegExp, string])[] = [
  [/http:\/\/127\.0\.0\.1:\d+/g, 'http://localhost:3000'],
  [/\b\d{7,}\b/g, '1192877414'],
  [/Aloe[a-z]{6}/g, 'Aloemwukhd'],
  [/ in [\d.]+ s$/gm, ' in 1.0 s'],
  [/; \d+ more\./g, '; 196 more.'],
];

/** The picture of the README, as SVG: a check of the reference server with one fault, in a terminal. */
export async function picture(): Promise<string> {
  await using store = await startPlantStore({ token: 'secret', faults: ['leaks-id'] });
  // On a busy machine the server must not look slow: then a check sends less.
  const patient = { timeLimitMs: 3_600_000, timeoutMs: 30_000, prism: false };
  const report = await checkConformance({ baseUrl: store.url, token: 'secret', ...patient });
  const shown = VARIABLE.reduce((text, [what, by]) => text.replaceAll(what, by), reporters.text(report));
  const [, problem = ''] = /\n(1\. .*?\n)\n/s.exec(shown) ?? [];
  const [conclusion = ''] = /^does not conform.*$/m.exec(shown) ?? [];
  const command = '$ npx plant-store-contract check http://localhost:3000 --token secret';
  return svg([command, '', ...problem.trimEnd().split('\n').flatMap(wrapped), '', conclusion]);
}

/** As a terminal breaks a line. */
function wrapped(line: string): string[] {
  return line.match(new RegExp(`.{1,${COLUMNS}}`, 'g')) ?? [''];
}

function svg(lines: readonly string[]): string {
  const [width, height] = [Math.ceil(COLUMNS * CHARACTER) + 2 * MARGIN, BAR + (lines.length + 1) * LINE];
  const texts = lines.map((line, at) => `<text y="${BAR + (at + 1) * LINE}">${marked(line)}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="The report of a check: one problem, its cause, its fix, and a line that reproduces it">
<style>
rect { fill: #f6f8fa; stroke: #d0d7de; }
circle { fill: #d0d7de; }
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1f2328; white-space: pre; transform: translateX(${MARGIN}px); }
.problem { fill: #ae2418; font-weight: 600; }
.label { fill: #59636e; }
.word { font-weight: 600; }
@media (prefers-color-scheme: dark) {
  rect { fill: #0d1117; stroke: #30363d; }
  circle { fill: #30363d; }
  text { fill: #e6edf3; }
  .problem { fill: #ff9186; }
  .label { fill: #9198a1; }
}
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8"/>
<circle cx="20" cy="18" r="5"/><circle cx="38" cy="18" r="5"/><circle cx="56" cy="18" r="5"/>
${texts.join('\n')}
</svg>
`;
}

/** A line of the report with its parts marked. */
function marked(line: string): string {
  const text = line.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  if (/^(?:\d+\. |does not conform)/.test(text)) return `<tspan class="problem">${text}</tspan>`;
  return text
    .replace(/^( +)(Cause|Fix|Rule):/, '$1<tspan class="word">$2:</tspan>')
    .replace(/^( +(?:sent|expected|got|reproduce) +)/, '<tspan class="label">$1</tspan>')
    .replace(/^\$/, '<tspan class="label">$</tspan>');
}
