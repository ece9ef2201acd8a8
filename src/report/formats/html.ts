import { createHash } from 'node:crypto';
import { type Case, casesOf, type Group, type Report, type Section, type Verdict } from '../frame.js';
import { capitalised, counted, seconds } from '../wording.js';
import { anchorsOf, Markup, markup, verdictMark } from './html-markup.js';
import { script, style } from './html-page.js';
import { problemsSection } from './html-problems.js';
import { kindOfCases, problemsOf } from './problems.js';
import { excuseOf, headlines, moods, originOf, type VerdictCount, verdictCounts } from './wording.js';

/**
 * The report as one HTML file. It loads nothing, and can be read without JavaScript. What a provider sent is text in
 * it. If that ever failed, a content security policy would let nothing run or load but the content of this file.
 */
export function html(report: Report): string {
  const { subject, conclusion, sections, remarks } = report;
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${subject}: ${headlines[conclusion]}</title>
<style>${new Markup(style)}</style>
</head>
<body>
${header(report)}
<main>
${problemsSection(report)}
${sections.map((section, at) => (section.isReference ? undefined : furtherSection(section, at)))}
${casesSection(report)}
${sections.map((section, at) => (section.isReference ? furtherSection(section, at) : undefined))}
</main>
${remarks.length > 0 && markup`<footer>${remarks.map((remark) => markup`<p class="fine">${remark}</p>`)}</footer>`}
<script>${new Markup(script)}</script>
</body>
</html>
`;
  return page.text;
}

const POLICY = [
  "default-src 'none'",
  `style-src '${digest(style)}'`,
  `script-src '${digest(script)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** The conclusion, what was judged and when, and how often each verdict occurs. */
function header(report: Report): Markup {
  const { subject, conclusion, warning, summary, notes } = report;
  return markup`<header class="summary ${moods[conclusion]}">
<p class="eyebrow"><code>${subject}</code></p>
<h1>${capitalised(headlines[conclusion])}</h1>
${warning !== undefined && markup`<p class="note"><strong>Warning:</strong> ${warning}</p>`}
<p class="lead">${summary}</p>
${notes.map((note) => markup`<p class="note"><strong>Note:</strong> ${note}</p>`)}
${bar(report)}
<ul class="counts" aria-label="Verdicts">${verdictsOf(report).map(
    ({ verdict, count, isExcused, words }) =>
      markup`<li><strong>${count}</strong> ${isExcused ? words : verdictMark(verdict)}</li>`,
  )}</ul>
${facts(report)}
</header>`;
}

function facts({ kind, interfaceVersion, toolVersion, startedAt, durationMs }: Report): Markup {
  const when = startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
  return markup`<dl class="facts">
<div><dt>Interface</dt><dd>${interfaceVersion}</dd></div>
<div><dt>Command</dt><dd>${kind}, version ${toolVersion}</dd></div>
<div><dt>Time</dt><dd><time datetime="${startedAt}">${when}</time>, ${seconds(durationMs)}</dd></div>
</dl>`;
}

function verdictsOf(report: Report): VerdictCount[] {
  return verdictCounts(report).filter(({ count }) => count > 0);
}

/**
 * The shares of what was judged: what was only observed takes no room. The list after it says the same. It is SVG since the
 * policy forbids style="".
 */
function bar(report: Report): Markup | undefined {
  let x = 0;
  const judged = verdictsOf(report).filter(({ verdict }) => verdict !== 'observed');
  const parts = judged.map(({ verdict, count }) => {
    const part = markup`<rect class="${verdict}" x="${x}" y="0" width="${count}" height="1"/>`;
    x += count;
    return part;
  });
  if (parts.length === 0) return undefined;
  return markup`<svg class="bar" viewBox="0 0 ${x} 1" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}

function furtherSection({ title, text, items, isReference }: Section, at: number): Markup {
  const list = items.length > 0 && markup`<ul>${items.map((item) => markup`<li>${item}</li>`)}</ul>`;
  const heading = markup`<h2 id="section-${at + 1}-title">${title}</h2>`;
  const content = markup`${text !== undefined && markup`<p>${text}</p>`}
${list}`;
  return markup`<section class="further-section" aria-labelledby="section-${at + 1}-title">
${
  isReference
    ? markup`<details class="part"><summary>${heading}</summary>${content}</details>`
    : markup`${heading}
${content}`
}
</section>`;
}

/** Every case with its verdict, by group, and a form that filters them: folded, since most pass. */
function casesSection(report: Report): Markup | undefined {
  const cases = casesOf(report);
  if (cases.length === 0) return undefined;
  const anchors = anchorsOf(cases);
  const kind = kindOfCases(cases);
  const { problems, excused } = problemsOf(report);
  const numbers = new Map([...problems, ...excused].map((finding, at) => [finding, at + 1]));
  const numberAt = (at: number): number | undefined => {
    const finding = report.findings[at];
    return finding && numbers.get(finding);
  };
  return markup`<section id="cases" aria-labelledby="cases-title">
<details class="part"><summary><h2 id="cases-title">${counted(cases.length, kind)}</h2></summary>
${filterForm(report, cases, kind)}
${report.groups.map(
  (group, at) => markup`<section class="group" data-group aria-labelledby="group-${at + 1}">
<h3 id="group-${at + 1}">${group.title}</h3>
${group.detail !== undefined && markup`<p class="fine">${group.detail}</p>`}
<ul class="cases">${group.cases.map((one) => caseItem(one, group, anchors.get(one.id) ?? '', numberAt))}</ul>
</section>`,
)}</details>
</section>`;
}

/** It does nothing without the script, so the script shows it. */
function filterForm({ counts }: Report, { length }: readonly Case[], kind: string): Markup {
  const verdicts = (Object.entries(counts) as [Verdict, number][]).filter(([, count]) => count > 0);
  return markup`<form class="filter" data-filter data-kind="${kind}" role="search" aria-label="Filter the ${kind}s" hidden>
<div class="chips" role="group" aria-label="Verdicts to show">${verdicts.map(
    ([verdict, count]) =>
      markup`<button type="button" data-show="${verdict}" aria-pressed="false">${verdictMark(verdict)} ${count}</button>`,
  )}</div>
<label>Find <input type="search" data-find placeholder="token, 400, int64 …"></label>
<p role="status" class="fine" data-shown>${counted(length, kind)}</p>
</form>`;
}

function caseItem(
  one: Case,
  group: Group,
  anchor: string,
  numberAt: (finding: number) => number | undefined,
): Markup {
  const { id, title, verdict, detail, evidence, notes = [] } = one;
  const excuse = excuseOf(one);
  const problems = [...new Set(evidence.map(({ finding }) => numberAt(finding)))];
  const origin = [
    ...(id === title ? [] : [markup`<code>${id}</code>`]),
    ...originOf(one, group).map((part) => markup`${part}`),
    ...problems.map((number) => number && markup`<a href="#problem-${number}">problem ${number}</a>`),
  ];
  return markup`<li class="case" id="${anchor}" data-verdict="${verdict}">
${verdictMark(verdict)}
<div><p>${title}</p>
${detail !== undefined && markup`<p class="detail">${capitalised(detail)}</p>`}
${excuse !== undefined && markup`<p class="known">${capitalised(excuse)}</p>`}
${notes.map((note) => markup`<p class="detail">${note}</p>`)}
${origin.length > 0 && markup`<p class="fine">${origin.map((part, at) => markup`${at > 0 && ' · '}${part}`)}</p>`}</div>
</li>
`;
}
