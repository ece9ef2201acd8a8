import { NOW_AND_THEN } from '../conformance/reporting/failure-text.js';
import type {
  Report,
  ReportedFailure,
  ReportedFinding,
  ReportedRule,
} from '../conformance/reporting/report.js';
import { capitalised, counted, expectationOf, placeOf } from '../conformance/reporting/report-wording.js';
import { exchangeLinks, exchangeParts, exchangeTitle } from './html-exchanges.js';
import { type Markup, markup } from './html-template.js';
import { verdictMark } from './html-verdict.js';

/** Failures of one rule that are written out under a finding; the rest are listed. */
const SHOWN_FAILURES = 2;
/** Requests of one failure that are written out; of longer sequences, the last. */
const SHOWN_EXCHANGES = 6;

/** What is broken, by its likely cause; nothing where nothing is. */
export function findingsSection(report: Report): Markup | undefined {
  const { findings } = report;
  if (findings.length === 0) return undefined;
  return markup`<section id="findings" aria-labelledby="findings-title">
<h2 id="findings-title">What is broken</h2>
${findings.map((finding, at) => findingArticle(finding, at, report))}
</section>`;
}

function findingArticle({ cause, repair, rules }: ReportedFinding, at: number, report: Report): Markup {
  const broken = report.rules.filter(({ id }) => rules.includes(id));
  return markup`<article class="finding" id="finding-${at + 1}">
<h3><span class="number">${at + 1}</span> ${cause}</h3>
<p class="repair"><strong>To mend it:</strong> ${repair}</p>
${broken.map((rule, place) => brokenRule(rule, { at, isFirst: place === 0, report }))}
</article>`;
}

interface Place {
  readonly at: number;
  readonly isFirst: boolean;
  readonly report: Report;
}

function brokenRule(rule: ReportedRule, { at, isFirst, report }: Place): Markup {
  const { id, title, level, source } = rule;
  const failures = rule.failures.filter(({ finding }) => finding === at);
  const rest = failures.slice(SHOWN_FAILURES);
  const known = expectationOf(rule);
  return markup`<section class="broken">
<h4>${verdictMark('fail', 'broken')} ${title}</h4>
<p class="fine"><a href="#rule-${id}"><code>${id}</code></a> · ${level} · interface: ${placeOf(source)} · <code>${source.pointer}</code></p>
${known !== undefined && markup`<p class="known">${capitalised(known)}</p>`}
${failures
  .slice(0, SHOWN_FAILURES)
  .map((failure, place) => failureBlock(failure, isFirst && place === 0, report))}
${rest.length > 0 && furtherFailures(rest)}
</section>`;
}

function failureBlock(
  { title, expected, actual, exchanges, again, curl }: ReportedFailure,
  isOpen: boolean,
  report: Report,
): Markup {
  const shown = exchanges.length > SHOWN_EXCHANGES ? exchanges.slice(-1) : exchanges;
  const earlier = exchanges.filter((number) => !shown.includes(number));
  // Of requests that meet, the last need not be the one that breaks the rule.
  const opened = isOpen && again !== 'now-and-then' ? shown.at(-1) : undefined;
  return markup`<div class="failure">
<dl class="told">
<div><dt>Sent</dt><dd>${title}</dd></div>
<div><dt>Expected</dt><dd>${expected}</dd></div>
<div class="got"><dt>Got</dt><dd>${actual}</dd></div>
</dl>
${earlier.length > 0 && markup`<p class="fine">After ${exchangeLinks(earlier)}</p>`}
${shown.map((number) => {
  const exchange = report.exchanges[number];
  return (
    exchange !== undefined &&
    markup`<details${number === opened && markup` open`}><summary>${exchangeTitle(exchange, number)}</summary>${exchangeParts(exchange)}</details>`
  );
})}
${again === 'now-and-then' && markup`<p class="fine">${capitalised(NOW_AND_THEN)}.</p>`}
${curl.length > 0 && curlFigure(curl)}
</div>`;
}

/** The button does nothing without the script, which therefore shows it. */
function curlFigure(lines: readonly string[]): Markup {
  return markup`<figure class="curl">
<figcaption>See it again <button type="button" data-copy hidden>Copy</button></figcaption>
<pre tabindex="0" aria-label="Lines for a shell">${lines.join('\n')}</pre>
</figure>`;
}

function furtherFailures(failures: readonly ReportedFailure[]): Markup {
  return markup`<details class="further"><summary>And so with ${counted(failures.length, 'further request')}</summary>
<ul>${failures.map(
    ({ title, actual, exchanges }) =>
      markup`<li>${title}: ${actual} (${exchangeLinks(exchanges.slice(-1))})</li>`,
  )}</ul></details>`;
}
