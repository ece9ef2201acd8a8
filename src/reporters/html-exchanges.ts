import type { Fields } from '../conformance/exchange.js';
import type { Report, ReportedBody, ReportedExchange } from '../conformance/reporting/report.js';
import { counted } from '../conformance/reporting/report-wording.js';
import { type Markup, markup } from './html-template.js';

/** Links that are written out; a list of a hundred numbers helps nobody. */
const SHOWN_LINKS = 12;

/** All that was sent, in order, folded away. */
export function exchangesSection({ exchanges, createdIds }: Report): Markup {
  return markup`<section id="exchanges" aria-labelledby="exchanges-title">
<h2 id="exchanges-title">Exchanges</h2>
<details class="all"><summary>All ${counted(exchanges.length, 'exchange')}, in the order of their probes</summary>
${exchanges.map(
  (exchange, number) =>
    markup`<details id="exchange-${number}"><summary>${exchangeTitle(exchange, number)} <code>${exchange.probe}</code>${
      exchange.role !== 'judged' && markup` <em>${exchange.role}</em>`
    }</summary>${exchangeParts(exchange)}</details>
`,
)}</details>
${
  createdIds.length > 0 &&
  markup`<details><summary>The ids of ${counted(createdIds.length, 'plant')} that were created, and are now in the provider</summary>
<p class="ids">${createdIds.join(', ')}</p></details>`
}
</section>`;
}

/** An exchange in a few words: its number, how it ended, and how long it took. */
export function exchangeTitle({ response, failure, durationMs }: ReportedExchange, number: number): Markup {
  const ended = response === undefined ? (failure?.kind ?? 'no answer') : response.status;
  return markup`Exchange ${number}: <strong>${ended}</strong> after ${durationMs} ms`;
}

/** Links to exchanges, by their numbers. */
export function exchangeLinks(numbers: readonly number[]): Markup {
  const rest = numbers.length - SHOWN_LINKS;
  const links = numbers
    .slice(0, SHOWN_LINKS)
    .map((number, at) => markup`${at > 0 && ', '}<a href="#exchange-${number}">${number}</a>`);
  return markup`${numbers.length === 1 ? 'exchange' : 'exchanges'} ${links}${rest > 0 && ` and ${rest} more`}`;
}

/** The request and the response side by side, as they went over the wire, the token apart. */
export function exchangeParts({ request, response, failure }: ReportedExchange): Markup {
  return markup`<div class="exchange">
${message('Request', `${request.method} ${request.url}`, request.headers, request.body)}
${
  response === undefined
    ? markup`<div><p class="part">No response</p><p>${failure?.message ?? ''}</p></div>`
    : message(
        response.complete ? 'Response' : 'Response, which broke off',
        String(response.status),
        response.headers,
        response.body,
      )
}
</div>`;
}

function message(title: string, start: string, headers: Fields, body: ReportedBody): Markup {
  const fields = headers.map(([name, value]) => markup`<span class="field">${name}:</span> ${value}\n`);
  return markup`<div><p class="part">${title}</p>
<pre tabindex="0" aria-label="${title}"><strong>${start}</strong>
${fields}
${body.text === '' ? markup`<em>no body</em>` : body.text}</pre>
${bodyNote(body)}</div>`;
}

function bodyNote({ encoding, wholeBytes }: ReportedBody): Markup | undefined {
  const said = [
    ...(encoding === 'base64' ? ['the body is no UTF-8, and here in base64'] : []),
    ...(wholeBytes === undefined ? [] : [`only the beginning of ${wholeBytes} bytes is here`]),
  ];
  return said.length === 0 ? undefined : markup`<p class="fine">${said.join('; ')}</p>`;
}
