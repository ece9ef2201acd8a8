import { type Case, casesOf, type Group, type Report, type Verdict } from '../frame.js';
import { capitalised, counted } from '../wording.js';
import { type Markup, markup, verdictMark } from './html-markup.js';
import { kindOfCases, problemsOf } from './problems.js';
import { excuseOf, originOf } from './wording.js';

/** Every case with its verdict, by group, and a form that filters them: folded, since most pass. */
export function casesSection(report: Report): Markup | undefined {
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

/** An id for HTML for each case, by the id of the case. It needs no escape in a URL. */
export function anchorsOf(cases: readonly Case[]): ReadonlyMap<string, string> {
  const anchors = new Map<string, string>();
  const used = new Set<string>();
  for (const [at, { id }] of cases.entries()) {
    const name = `case-${id.replace(/[^\w/.-]+/g, '-')}`;
    const anchor = used.has(name) ? `${name}-${at}` : name;
    used.add(anchor);
    anchors.set(id, anchor);
  }
  return anchors;
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
