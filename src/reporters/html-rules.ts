import type { Verdict } from '../conformance/judging/judge.js';
import type { Report, ReportedRule } from '../conformance/reporting/report.js';
import {
  capitalised,
  expectationOf,
  placeOf,
  rulesByTopic,
} from '../conformance/reporting/report-wording.js';
import { type Markup, markup } from './html-template.js';
import { verdictMark } from './html-verdict.js';

/** Every rule with its verdict, by topic, and what filters them. */
export function rulesSection(report: Report): Markup {
  return markup`<section id="rules" aria-labelledby="rules-title">
<h2 id="rules-title">Rules</h2>
${filterForm(report)}
${[...rulesByTopic(report.rules)].map(
  ([topic, rules]) => markup`<section class="topic" data-topic aria-labelledby="topic-${topic}">
<h3 id="topic-${topic}">${topic}</h3>
<ul class="rules">${rules.map(ruleItem)}</ul>
</section>`,
)}
</section>`;
}

/** It does nothing without the script, which therefore shows it. */
function filterForm({ counts, rules }: Report): Markup {
  const verdicts = (Object.entries(counts) as [Verdict, number][]).filter(([, count]) => count > 0);
  return markup`<form class="filter" data-filter role="search" aria-label="Filter the rules" hidden>
<div class="chips" role="group" aria-label="Verdicts to show">${verdicts.map(
    ([verdict, count]) =>
      markup`<button type="button" data-show="${verdict}" aria-pressed="false">${verdictMark(verdict)} ${count}</button>`,
  )}</div>
<label>Find <input type="search" data-find placeholder="token, 400, int64 …"></label>
<p role="status" class="fine" data-shown>${rules.length} rules</p>
</form>`;
}

function ruleItem(rule: ReportedRule): Markup {
  const { id, title, verdict, level, source, reason, behaviour, failures } = rule;
  const expectation = expectationOf(rule);
  const findings = [...new Set(failures.map(({ finding }) => finding + 1))];
  return markup`<li class="rule" id="rule-${id}" data-verdict="${verdict}">
${verdictMark(verdict)}
<div><p>${title}</p>
${behaviour !== undefined && markup`<p class="seen">${behaviour.sentence}</p>`}
${reason !== undefined && markup`<p class="reason">${capitalised(reason)}</p>`}
${expectation !== undefined && markup`<p class="known">${capitalised(expectation)}</p>`}
<p class="fine"><code>${id}</code> · ${level} · ${placeOf(source)}${findings.map(
    (number) => markup` · <a href="#finding-${number}">finding ${number}</a>`,
  )}</p></div>
</li>
`;
}
