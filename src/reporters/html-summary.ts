import type { Verdict } from '../conformance/judging/judge.js';
import type { Conclusion, Report } from '../conformance/reporting/report.js';
import { capitalised, headlines, implementationOf } from '../conformance/reporting/report-wording.js';
import { type Markup, markup } from './html-template.js';
import { verdictMark } from './html-verdict.js';

/** The verdict whose sign and colour the headline has. */
const MOODS: Readonly<Record<Conclusion, Verdict>> = {
  conforms: 'pass',
  'known-failures': 'pass',
  'breaks-rules': 'fail',
  'outdated-list': 'fail',
  'not-testable': 'blocked',
  incomplete: 'blocked',
};

/** The head of the page: the conclusion, what was checked and when, and how often each verdict occurs. */
export function summarySection(report: Report): Markup {
  const { baseUrl, conclusion, summary, notes } = report;
  return markup`<header class="summary ${MOODS[conclusion]}">
<p class="eyebrow">Conformance of <code>POST ${baseUrl}/plants</code></p>
<h1>${capitalised(headlines[conclusion])}</h1>
<p class="lead">${summary}</p>
${notes.map((note) => markup`<p class="note"><strong>Note:</strong> ${note}</p>`)}
${bar(report)}
<ul class="counts" aria-label="Verdicts">${verdictsOf(report).map(
    ([verdict, count]) => markup`<li><strong>${count}</strong> ${verdictMark(verdict)}</li>`,
  )}</ul>
${facts(report)}
<nav aria-label="Sections"><ul>
${report.findings.length > 0 && markup`<li><a href="#findings">What is broken</a></li>`}
<li><a href="#rules">Rules</a></li>
${report.profile.behaviours.length > 0 && markup`<li><a href="#profile">Where the interface is silent</a></li>`}
${report.prism !== undefined && markup`<li><a href="#prism">Prism</a></li>`}
<li><a href="#exchanges">Exchanges</a></li>
</ul></nav>
</header>`;
}

function facts(report: Report): Markup {
  const { interfaceVersion, startedAt, durationMs } = report;
  const implementation = implementationOf(report);
  const when = startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
  return markup`<dl class="facts">
${implementation !== undefined && markup`<div><dt>Implementation</dt><dd>${implementation}</dd></div>`}
<div><dt>Interface</dt><dd>${interfaceVersion}</dd></div>
<div><dt>Checked</dt><dd><time datetime="${startedAt}">${when}</time>, in ${(durationMs / 1000).toFixed(2)} s</dd></div>
</dl>`;
}

function verdictsOf({ counts }: Report): [Verdict, number][] {
  return (Object.entries(counts) as [Verdict, number][]).filter(([, count]) => count > 0);
}

/** How the verdicts are shared out; the list after it says the same. It is SVG since the policy forbids style="". */
function bar(report: Report): Markup {
  let x = 0;
  const parts = verdictsOf(report).map(([verdict, count]) => {
    const part = markup`<rect class="${verdict}" x="${x}" y="0" width="${count}" height="1"/>`;
    x += count;
    return part;
  });
  return markup`<svg class="bar" viewBox="0 0 ${x} 1" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}
