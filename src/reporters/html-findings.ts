import { capitalised, counted } from '../output/wording.js';
import type { ReportedBody, ReportedExchange } from '../report/exchange.js';
import { type Case, casesOf, type Evidence, type Finding, type Report } from '../report/frame.js';
import { failingCases } from './failing-cases.js';
import { anchorsOf } from './html-cases.js';
import { type Markup, markup, verdictMark } from './html-markup.js';
import { evidenceLines, excuseOf, findingTitle, impactInWords, recipeOf } from './wording.js';

/** Evidence of one case that is written out under a finding. The rest is listed. */
const SHOWN = 2;
/** Exchanges of one piece of evidence that are written out. Of longer sequences, only the last is. */
const SHOWN_EXCHANGES = 6;
/** Links that are written out. A list of a hundred numbers helps no reader. */
const SHOWN_LINKS = 12;

/** A list of all findings, which leads to each of them, and then the findings. Nothing if there are none. */
export function findingsSection(report: Report): Markup | undefined {
  const { findings } = report;
  if (findings.length === 0) return undefined;
  const context = { report, failing: failingCases(report), anchors: anchorsOf(casesOf(report)) };
  return markup`<section id="findings" aria-labelledby="findings-title">
<h2 id="findings-title">${counted(findings.length, 'finding')}</h2>
<ol class="overview">${findings.map(
    (finding, at) =>
      markup`<li><a href="#finding-${at + 1}">${findingTitle(finding)}</a> <span class="fine">${
        finding.cases.length > 1 && counted(finding.cases.length, 'case')
      }</span></li>`,
  )}</ol>
${findings.map((finding, at) => findingArticle(finding, at, context))}
</section>`;
}

interface Context {
  readonly report: Report;
  readonly failing: ReturnType<typeof failingCases>;
  readonly anchors: ReadonlyMap<string, string>;
}

function findingArticle(finding: Finding, at: number, context: Context): Markup {
  const { title, cause, fix } = finding;
  const impact = impactInWords(finding);
  let number = 0;
  return markup`<article class="finding" id="finding-${at + 1}" aria-labelledby="finding-${at + 1}-title">
<h3 id="finding-${at + 1}-title"><span class="number">${at + 1}</span> <span>${title}${
    impact !== undefined && markup` <span class="impact">(${impact})</span>`
  }</span></h3>
${cause !== undefined && markup`<p class="fix"><strong>Cause:</strong> ${cause}</p>`}
${fix !== undefined && markup`<p class="fix"><strong>Fix:</strong> ${fix}</p>`}
${recipeFigure(context.report.findings, at)}
${context.failing(finding, at).map(
  ({ failing, origin, evidence }) => markup`<section class="broken">
${caseHeading(failing, origin, title, context)}
${evidence.slice(0, SHOWN).map((one) => evidenceBlock(one, { finding: at + 1, number: ++number }, context.report))}
${evidence.length > SHOWN && furtherEvidence(evidence.slice(SHOWN))}
</section>`,
)}
</article>`;
}

function caseHeading(
  failing: Case,
  origin: readonly string[],
  titleOfFinding: string,
  { anchors }: Context,
): Markup {
  const { id, title } = failing;
  const excuse = excuseOf(failing);
  const link = markup`<a href="#${anchors.get(id)}">${id === title ? 'in the list of cases' : markup`<code>${id}</code>`}</a>`;
  return markup`${title !== titleOfFinding && markup`<h4>${verdictMark(failing.verdict)} ${title}</h4>`}
<p class="fine">${link}${origin.map((part) => ` · ${part}`)}</p>
${excuse !== undefined && markup`<p class="known">${capitalised(excuse)}</p>`}`;
}

/** Where a piece of evidence is: both numbers count from 1. */
interface Position {
  readonly finding: number;
  readonly number: number;
}

function evidenceBlock(evidence: Evidence, position: Position, report: Report): Markup {
  const { exchanges = [], repeated } = evidence;
  const shown = exchanges.length > SHOWN_EXCHANGES ? exchanges.slice(-1) : exchanges;
  const earlier = exchanges.filter((at) => !shown.includes(at));
  const opened = position.number === 1 && repeated !== 'intermittent' ? shown.at(-1) : undefined;
  const lines = evidenceLines(evidence);
  const commands = lines.filter(({ isCommand }) => isCommand).map(({ text }) => text);
  return markup`<div class="evidence">
<dl class="facts-of-evidence">
${lines
  .filter(({ isCommand }) => isCommand === undefined)
  .map(
    ({ label, text }) => markup`<div class="${label}"><dt>${capitalised(label)}</dt><dd>${text}</dd></div>`,
  )}
</dl>
${earlier.length > 0 && markup`<p class="fine">After ${exchangeLinks(earlier)}</p>`}
${shown.map((at) => {
  const exchange = report.exchanges?.[at];
  return (
    exchange !== undefined &&
    markup`<details${at === opened && markup` open`}><summary>${exchangeTitle(exchange, at)}</summary>${exchangeParts(exchange)}</details>`
  );
})}
${commands.length > 0 && codeFigure('Reproduce', commands, `the commands of finding ${position.finding}, failure ${position.number}`)}
</div>`;
}

function recipeFigure(findings: readonly Finding[], at: number): Markup | undefined {
  const recipe = recipeOf(findings, at);
  if (recipe === undefined) return undefined;
  const { title, text, lines } = recipe;
  return markup`<p class="fix"><strong>${title}:</strong> ${text}</p>
${lines.length > 0 && codeFigure('Code', lines, `the code of finding ${at + 1}`)}`;
}

/** The button does nothing without the script, so the script shows it. */
function codeFigure(title: string, lines: readonly string[], what: string): Markup {
  return markup`<figure class="curl">
<figcaption>${title} <button type="button" data-copy hidden><span data-word>Copy</span><span class="unseen"> ${what}</span></button></figcaption>
<pre tabindex="0" aria-label="${capitalised(what)}">${lines.join('\n')}</pre>
</figure>`;
}

function furtherEvidence(evidence: readonly Evidence[]): Markup {
  return markup`<details class="further"><summary>Also fails for ${counted(evidence.length, 'other')}</summary>
<ul>${evidence.map(
    ({ sent, where, actual, exchanges = [] }) =>
      markup`<li>${[sent, where].filter((part) => part !== undefined).map((part) => `${part}: `)}${actual}${
        exchanges.length > 0 && markup` (${exchangeLinks(exchanges.slice(-1))})`
      }</li>`,
  )}</ul></details>`;
}

/** Everything that was sent, in order, folded. */
export function exchangesSection({ exchanges }: Report): Markup | undefined {
  if (exchanges === undefined) return undefined;
  return markup`<section id="exchanges" aria-labelledby="exchanges-title">
<h2 id="exchanges-title">Exchanges</h2>
<details class="all"><summary>All ${counted(exchanges.length, 'exchange')}</summary>
${exchanges.map(
  (exchange, at) =>
    markup`<details id="exchange-${at}"><summary>${exchangeTitle(exchange, at)} <code>${exchange.name}</code>${
      exchange.role !== 'judged' && markup` <em>${exchange.role}</em>`
    }</summary>${exchangeParts(exchange)}</details>
`,
)}</details>
</section>`;
}

/** An exchange in a few words: its number, how it ended, and how long it took. */
function exchangeTitle({ response, failure, durationMs }: ReportedExchange, at: number): Markup {
  const end = response === undefined ? (failure?.kind ?? 'no response') : response.status;
  return markup`Exchange ${at}: <strong>${end}</strong> after ${durationMs} ms`;
}

function exchangeLinks(numbers: readonly number[]): Markup {
  const rest = numbers.length - SHOWN_LINKS;
  const links = numbers
    .slice(0, SHOWN_LINKS)
    .map((number, at) => markup`${at > 0 && ', '}<a href="#exchange-${number}">${number}</a>`);
  return markup`${numbers.length === 1 ? 'exchange' : 'exchanges'} ${links}${rest > 0 && ` and ${rest} more`}`;
}

/** The request and the response side by side, as they were sent, but without secrets. */
function exchangeParts({ request, response, failure }: ReportedExchange): Markup {
  return markup`<div class="exchange">
${message('Request', `${request.method} ${request.url}`, request.headers, request.body)}
${
  response === undefined
    ? markup`<div><p class="part">No response</p><p>${failure?.message ?? ''}</p></div>`
    : message(
        response.complete ? 'Response' : 'Incomplete response',
        String(response.status),
        response.headers,
        response.body,
      )
}
</div>`;
}

function message(
  title: string,
  start: string,
  headers: ReportedExchange['request']['headers'],
  body: ReportedBody,
): Markup {
  const fields = headers.map(([name, value]) => markup`<span class="field">${name}:</span> ${value}\n`);
  return markup`<div><p class="part">${title}</p>
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
