import type { ReportedBody, ReportedExchange } from '../exchange.js';
import { casesOf, type Evidence, type Finding, type Report } from '../frame.js';
import { capitalised, counted, listed } from '../wording.js';
import { anchorsOf, type Markup, markup, verdictMark } from './html-markup.js';
import {
  type FailingCase,
  failingCases,
  kindOfCases,
  otherRequests,
  problemsOf,
  unjudgedReasons,
  withoutSaid,
} from './problems.js';
import {
  evidenceLines,
  excuseOf,
  findingTitle,
  impactInWords,
  recipeOf,
  signs,
  verdictInWords,
} from './wording.js';

/** Evidence of one case that is written out where no impact makes one problem of many failures. */
const SHOWN = 2;
/** Requests of one example that are written out. Of longer sequences, only the last is. */
const SHOWN_REQUESTS = 6;
/** Other requests that fail in the same way, and rules that could not be judged, that are named. */
const NAMED = 50;
/** From so many problems on, a list leads to each of them. Fewer are seen at a glance. */
const LISTED_FROM = 7;

/** The problems, what could not be judged, and the failures that do not count, which are folded. */
export function problemsSection(report: Report): Markup {
  const { problems, excused } = problemsOf(report);
  const context = contextOf(report, [...problems, ...excused]);
  return markup`${
    problems.length > 0 &&
    markup`<section id="problems" aria-labelledby="problems-title">
<h2 id="problems-title">${counted(problems.length, 'problem')}</h2>
${problems.length >= LISTED_FROM && overview(problems, context)}
${problems.map((finding) => problemArticle(finding, context))}
</section>`
  }
${otherCases(report, context)}
${
  excused.length > 0 &&
  markup`<section aria-labelledby="excused-title">
<details class="part"><summary><h2 id="excused-title">${counted(excused.length, 'problem')} not counted</h2></summary>
${excused.map((finding) => problemArticle(finding, context))}</details>
</section>`
}`;
}

interface Context {
  readonly report: Report;
  readonly failing: ReturnType<typeof failingCases>;
  readonly anchors: ReadonlyMap<string, string>;
  /** The numbers that readers see: those that count come first. */
  readonly numbers: ReadonlyMap<Finding, number>;
  readonly positions: ReadonlyMap<Finding, number>;
  /** The exchanges that the page has already: each is written out once. */
  readonly written: Set<number>;
}

function contextOf(report: Report, shown: readonly Finding[]): Context {
  return {
    report,
    failing: failingCases(report),
    anchors: anchorsOf(casesOf(report)),
    numbers: new Map(shown.map((finding, at) => [finding, at + 1])),
    positions: new Map(report.findings.map((finding, at) => [finding, at])),
    written: new Set(),
  };
}

function overview(problems: readonly Finding[], { numbers }: Context): Markup {
  return markup`<ol class="overview">${problems.map(
    (finding) =>
      markup`<li><a href="#problem-${numbers.get(finding)}">${findingTitle(finding)}</a></li>
`,
  )}</ol>`;
}

/** A problem: the fact, the cause, the fix, and what shows it. */
function problemArticle(finding: Finding, context: Context): Markup {
  const { title, cause, fix } = finding;
  const number = context.numbers.get(finding) ?? 0;
  const at = context.positions.get(finding) ?? 0;
  const impact = impactInWords(finding);
  const cases = context.failing(finding, at);
  return markup`<article class="problem" id="problem-${number}" aria-labelledby="problem-${number}-title">
<h3 id="problem-${number}-title"><span class="number">${number}.</span> <span>${title}${
    impact !== undefined && markup` <span class="impact">(${impact})</span>`
  }</span></h3>
${cause !== undefined && markup`<p class="fix"><strong>Cause:</strong> ${cause}</p>`}
${fix !== undefined && markup`<p class="fix"><strong>Fix:</strong> ${fix}</p>`}
${recipeFigure(context.report.findings, at, number)}
${
  finding.impact === undefined
    ? cases.map((one) => failingCase(one, finding, number, context))
    : example(cases, finding, number, context)
}
</article>
`;
}

/** All failures of one mistake look alike, so one of them is enough: the simplest. */
function example(
  cases: readonly FailingCase[],
  { title }: Finding,
  number: number,
  context: Context,
): Markup {
  const all = cases.flatMap(({ failing, evidence }) => evidence.map((one) => ({ one, failing })));
  const [first, ...others] = all;
  const rules = cases.map(
    ({ failing }, at) =>
      markup`${at > 0 && ', '}${caseLink(failing.id, failing.id, context)}${
        failing.level !== undefined && ` (${failing.level})`
      }`,
  );
  const excuses = new Set(cases.flatMap(({ failing }) => excuseOf(failing) ?? []));
  // The first example shows what one looks like. The titles of the others say enough to decide where to begin.
  const isFolded = number > 1;
  const shown = first !== undefined && withoutSaid(first.one, title);
  const position = { problem: number, failure: 1 };
  return markup`<p class="fine">${capitalised(kindOfCases(cases.map(({ failing }) => failing)))}${
    cases.length > 1 && 's'
  }: ${rules}</p>
${[...excuses].map((excuse) => markup`<p class="known">${capitalised(excuse)}</p>`)}
${
  shown &&
  (isFolded
    ? markup`<details><summary>Example and command</summary>${evidenceOpened(shown, position, context)}</details>`
    : evidenceBlock(shown, position, context))
}
${furtherRequests(
  others.map(({ one, failing }) => (failing === first?.failing ? one : { ...one, rule: failing.id })),
  first?.one,
)}`;
}

function failingCase(
  { failing, origin, evidence }: FailingCase,
  finding: Finding,
  number: number,
  context: Context,
): Markup {
  const { id, title } = failing;
  const excuse = excuseOf(failing);
  return markup`<section class="broken">
${title !== finding.title && markup`<h4>${verdictMark(failing.verdict)} ${title}</h4>`}
<p class="fine">${caseLink(id, id === title ? 'in the list of cases' : id, context)}${origin.map((part) => ` · ${part}`)}</p>
${excuse !== undefined && markup`<p class="known">${capitalised(excuse)}</p>`}
${evidence.slice(0, SHOWN).map((one, at) => evidenceBlock(one, { problem: number, failure: at + 1 }, context))}
${furtherRequests(evidence.slice(SHOWN), undefined)}
</section>`;
}

function caseLink(id: string, text: string, { anchors }: Context): Markup {
  return markup`<a href="#${anchors.get(id)}">${text === id ? markup`<code>${text}</code>` : text}</a>`;
}

/** Where a failure is: both numbers count from 1. */
interface Position {
  readonly problem: number;
  readonly failure: number;
}

/** What was sent, expected and received; then the request, the response and the command, folded. */
function evidenceBlock(evidence: Evidence, position: Position, context: Context): Markup {
  const { facts, messages, command } = partsOf(evidence, position, context);
  const folded = [
    ...(messages === undefined ? [] : ['request', 'response']),
    ...(command === undefined ? [] : ['command']),
  ];
  return markup`<div class="evidence">
${facts}
${
  folded.length > 0 &&
  markup`<details><summary>${capitalised(listed(folded))}</summary>
${messages}
${command}</details>`
}
</div>`;
}

/** The same with nothing folded: whoever opened it wants to see it. */
function evidenceOpened(evidence: Evidence, position: Position, context: Context): Markup {
  const { facts, messages, command } = partsOf(evidence, position, context);
  return markup`<div class="evidence">
${facts}
${messages}
${command}</div>`;
}

function partsOf(
  evidence: Evidence,
  position: Position,
  context: Context,
): { readonly facts: Markup; readonly messages: Markup | undefined; readonly command: Markup | undefined } {
  const lines = evidenceLines(evidence);
  const commands = lines.filter(({ isCommand }) => isCommand).map(({ text }) => text);
  const what = `the commands of problem ${position.problem}, failure ${position.failure}`;
  return {
    facts: markup`<dl class="facts-of-evidence">
${lines
  .filter(({ isCommand }) => isCommand === undefined)
  .map(
    ({ label, text }) => markup`<div class="${label}"><dt>${capitalised(label)}</dt><dd>${text}</dd></div>
`,
  )}</dl>`,
    messages: requests(evidence, context),
    command: commands.length > 0 ? codeFigure('Reproduce', commands, what) : undefined,
  };
}

/** The requests of a failure with their responses. The last one fails, so only it is open. */
function requests({ exchanges = [] }: Evidence, { report, written }: Context): Markup | undefined {
  const last = exchanges.at(-1);
  if (report.exchanges === undefined || last === undefined) return undefined;
  const shown = exchanges.length > SHOWN_REQUESTS ? [last] : exchanges;
  const earlier = exchanges.length - shown.length;
  return markup`${earlier > 0 && markup`<p class="fine">After ${counted(earlier, 'other request')}, which the JSON report has.</p>`}
${shown.map((index, at) => {
  const exchange = report.exchanges?.[index];
  if (exchange === undefined) return undefined;
  const title = exchangeTitle(exchange, shown.length > 1 ? at + 1 : undefined);
  if (written.has(index)) return markup`<p class="fine"><a href="#${exchangeAnchor(index)}">${title}</a></p>`;
  written.add(index);
  const isLast = at === shown.length - 1;
  const messages = exchangeMessages(exchange);
  return isLast
    ? markup`<div id="${exchangeAnchor(index)}"><p class="fine">${title}</p>${messages}</div>`
    : markup`<details id="${exchangeAnchor(index)}"><summary>${title}</summary>${messages}</details>`;
})}`;
}

function recipeFigure(findings: readonly Finding[], at: number, number: number): Markup | undefined {
  const recipe = recipeOf(findings, at);
  if (recipe === undefined) return undefined;
  const { title, text, lines } = recipe;
  return markup`<p class="fix"><strong>${title}:</strong> ${text}</p>
${
  lines.length > 0 &&
  markup`<details><summary>Code</summary>
${codeFigure('Code', lines, `the code of problem ${number}`)}</details>`
}`;
}

/** The button does nothing without the script, so the script shows it. */
function codeFigure(title: string, lines: readonly string[], what: string): Markup {
  return markup`<figure class="curl">
<figcaption>${title} <button type="button" data-copy hidden><span data-word>Copy</span><span class="unseen"> ${what}</span></button></figcaption>
<pre tabindex="0" aria-label="${capitalised(what)}">${lines.join('\n')}</pre>
</figure>`;
}

function furtherRequests(
  evidence: readonly (Evidence & { readonly rule?: string })[],
  example: Evidence | undefined,
): Markup | undefined {
  const others = otherRequests(evidence, example);
  if (others.length === 0) return undefined;
  const rest = others.length - NAMED;
  return markup`<details class="further"><summary>Also fails for ${counted(others.length, 'other request')}</summary>
<ul>${others.slice(0, NAMED).map(
    ({ sent, where, actual, rule }) =>
      markup`<li>${[sent, where].filter((part) => part !== undefined).map((part) => `${part}: `)}${actual}${
        rule !== undefined && markup` <code>${rule}</code>`
      }</li>
`,
  )}${rest > 0 && markup`<li>${rest} more, which the JSON report has</li>`}</ul></details>`;
}

/** What else a reader must know of: failures without a finding, expectations that are outdated, and what could not be judged. */
function otherCases(report: Report, context: Context): Markup | undefined {
  if (report.conclusion === 'not-testable') return undefined;
  const others = problemsOf(report).others.map(
    (one) => markup`<li>${verdictMark(one.verdict)} ${caseLink(one.id, one.title, context)}${
      excuseOf(one) !== undefined && markup` <span class="known">${excuseOf(one)}</span>`
    }</li>
`,
  );
  const reasons = unjudgedReasons(report).map(({ reason, cases }) => {
    const [{ verdict } = { verdict: 'blocked' as const }] = cases;
    const links = cases
      .slice(0, NAMED)
      .map(({ id }, at) => markup`${at > 0 && ', '}${caseLink(id, id, context)}`);
    const rest = cases.length - NAMED;
    return markup`<li><span class="verdict ${verdict}" title="${verdictInWords(verdict)}"><span class="sign" aria-hidden="true">${signs[verdict]}</span> ${
      cases.length > 1 && `${cases.length} `
    }not judged:</span> ${reason} <span class="fine">(${links}${rest > 0 && ` and ${rest} more`})</span></li>
`;
  });
  if (others.length + reasons.length === 0) return undefined;
  return markup`<ul class="others">${others}${reasons}</ul>`;
}

/** The id of an exchange in the page. */
function exchangeAnchor(index: number): string {
  return `exchange-${index}`;
}

/**
 * A request in a few words: how it ended, and how long that took.
 *
 * @param number of the request in its sequence, from 1; none if it is alone
 */
function exchangeTitle(
  { response, failure, durationMs }: ReportedExchange,
  number: number | undefined,
): Markup {
  const end = response === undefined ? (failure?.kind ?? 'no response') : response.status;
  return markup`Request${number !== undefined && ` ${number}`}: <strong>${end}</strong> after ${durationMs} ms`;
}

/** The request and the response side by side, as they were sent, but without secrets. */
function exchangeMessages({ request, response, failure }: ReportedExchange): Markup {
  return markup`<div class="exchange">
${messageOf('Request', `${request.method} ${request.url}`, request.headers, request.body)}
${
  response === undefined
    ? markup`<div><p class="part-of">No response</p><p>${failure?.message ?? ''}</p></div>`
    : messageOf(
        response.complete ? 'Response' : 'Incomplete response',
        String(response.status),
        response.headers,
        response.body,
      )
}
</div>`;
}

function messageOf(
  title: string,
  start: string,
  headers: ReportedExchange['request']['headers'],
  body: ReportedBody,
): Markup {
  const fields = headers.map(([name, value]) => markup`<span class="field">${name}:</span> ${value}\n`);
  return markup`<div><p class="part-of">${title}</p>
<pre tabindex="0" aria-label="${title}"><strong>${start}</strong>
${fields}
${body.text === '' ? markup`<em>no body</em>` : body.text}</pre>
${bodyNote(body)}</div>`;
}

function bodyNote({ encoding, wholeBytes }: ReportedBody): Markup | undefined {
  const notes = [
    ...(encoding === 'base64' ? ['The body is not UTF-8, so it is shown in base64.'] : []),
    ...(wholeBytes === undefined ? [] : [`Only the beginning of ${wholeBytes} bytes is shown.`]),
  ];
  return notes.length === 0 ? undefined : markup`<p class="fine">${notes.join(' ')}</p>`;
}
