import type { ReportedBody, ReportedExchange } from '../exchange.js';
import { type Markup, markup } from './html-markup.js';

/** The id of an exchange in the page. */
export function exchangeAnchor(index: number): string {
  return `exchange-${index}`;
}

/**
 * A request in a few words: how it ended, and how long that took.
 *
 * @param number of the request in its sequence, from 1; none if it is alone
 */
export function exchangeTitle(
  { response, failure, durationMs }: ReportedExchange,
  number: number | undefined,
): Markup {
  const end = response === undefined ? (failure?.kind ?? 'no response') : response.status;
  return markup`Request${number !== undefined && ` ${number}`}: <strong>${end}</strong> after ${durationMs} ms`;
}

/** The request and the response side by side, as they were sent, but without secrets. */
export function exchangeMessages({ request, response, failure }: ReportedExchange): Markup {
  return markup`<div class="exchange">
${message('Request', `${request.method} ${request.url}`, request.headers, request.body)}
${
  response === undefined
    ? markup`<div><p class="part-of">No response</p><p>${failure?.message ?? ''}</p></div>`
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
