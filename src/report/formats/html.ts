import { createHash } from 'node:crypto';
import { logText, withReferences } from '../escape.js';
import type { Report, Verdict } from '../frame.js';
import { capitalised, seconds } from '../wording.js';
import { type Blocks, bodyOf, Written } from './blocks.js';
import { style } from './html-page.js';
import { headlineOf, moods, signs, verdictCounts, verdictInWords } from './wording.js';

/**
 * The report as one HTML file. It loads nothing and runs nothing. What a provider sent is text in it. If that ever failed, a
 * content security policy would let nothing run or load.
 */
export function html(report: Report): string {
  const { subject } = report;
  const remarks = [...report.remarks, ...(report.details ?? [])];
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${subject}: ${headlineOf(report)}</title>
<style>${new Written(style)}</style>
</head>
<body>
${header(report)}
<main>
${bodyOf(report, blocks)}
</main>
${remarks.length > 0 && markup`<footer>${remarks.map((remark) => markup`<p class="fine">${remark}</p>`)}</footer>`}
</body>
</html>
`.text;
}

const STYLE = createHash('sha256').update(style).digest('base64');
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE}'; base-uri 'none'; form-action 'none'`;

/** The conclusion, what was judged and when, and how often each verdict occurs. */
function header(report: Report): Written {
  const { subject, conclusion, summary, notes, kind, interfaceVersion, toolVersion } = report;
  const when = report.startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
  const counts = verdictCounts(report).filter(({ count }) => count > 0);
  return markup`<header class="summary ${moods[conclusion]}">
<p class="eyebrow"><code>${subject}</code></p>
<h1>${capitalised(headlineOf(report))}</h1>
<p class="lead">${summary}</p>
${notes.map((note) => markup`<p class="note"><strong>Note:</strong> ${note}</p>`)}
<ul class="counts" aria-label="Verdicts">${counts.map(
    ({ verdict, count, isExcused, words }) =>
      markup`<li><strong>${count}</strong> ${isExcused ? words : verdictMark(verdict)}</li>`,
  )}</ul>
<dl class="facts">
<div><dt>Interface</dt><dd>${interfaceVersion}</dd></div>
<div><dt>Command</dt><dd>${kind}, version ${toolVersion}</dd></div>
<div><dt>Time</dt><dd><time datetime="${report.startedAt}">${when}</time>, ${seconds(report.durationMs)}</dd></div>
</dl>
</header>`;
}

const blocks: Blocks = {
  strong: (text) => markup`<strong>${text}</strong>`,
  known: (text) => markup`<span class="known">${text}</span>`,
  verdict: verdictMark,
  heading: (level, text) => markup`<h${level}>${text}</h${level}>\n`,
  paragraph: (line, tone) => markup`<p class="${tone ?? 'said'}">${line}</p>\n`,
  list: (style, items) =>
    markup`<ul class="${style}">${items.map((item) => markup`<li>${item}</li>\n`)}</ul>\n`,
  facts: (rows) =>
    markup`<dl class="evidence">${rows.map(
      ({ label, text }) =>
        markup`<div class="${label}"><dt>${capitalised(label)}</dt><dd>${text}</dd></div>\n`,
    )}</dl>\n`,
  // A click selects it all. It may scroll, so it can be focused.
  code: (what, { lines }) =>
    markup`<pre tabindex="0" aria-label="${capitalised(what)}">${lines.join('\n')}</pre>\n`,
  fold: (title, isPart, content) => markup`<details${isPart && new Written(' class="part"')}><summary>${
    isPart ? markup`<h2>${title}</h2>` : title
  }</summary>
${content}</details>\n`,
  problem: (
    number,
    title,
    impact,
    content,
  ) => markup`<article class="problem" id="problem-${number}" aria-labelledby="problem-${number}-title">
<h3 id="problem-${number}-title"><span class="number">${number}.</span> <span>${title}${
    impact !== undefined && markup` <span class="impact">(${impact})</span>`
  }</span></h3>
${content}</article>\n`,
  cases: (rows) =>
    markup`<ul class="cases">${rows.map(
      ({ verdict, title, details, origin }) => markup`<li class="case">${verdictMark(verdict)}
<div><p>${title}</p>
${details.map((detail) => markup`<p class="more">${detail}</p>`)}
<p class="fine">${origin}</p></div>
</li>\n`,
    )}</ul>\n`,
};

/** A verdict as a word with its sign. Colour adds nothing to them. */
function verdictMark(verdict: Verdict): Written {
  return markup`<span class="verdict ${verdict}"><span class="sign" aria-hidden="true">${signs[verdict]}</span> ${verdictInWords(verdict)}</span>`;
}

/** What a template takes: text, which it escapes, markup of other templates, or nothing. */
type Value = Written | string | number | undefined | false | readonly Value[];

/** A template whose values are text unless they are markup themselves. Attributes must be in double quotes. */
function markup(strings: TemplateStringsArray, ...values: readonly Value[]): Written {
  const [first = '', ...rest] = strings;
  return new Written(rest.reduce((before, after, at) => before + escaped(values[at]) + after, first));
}

function escaped(value: Value): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Written) return value.text;
  if (typeof value === 'object') return value.map(escaped).join('');
  return withReferences(logText(String(value)));
}
