import { headerValues } from '../../http/fields.js';
import { excerpt } from '../../report/exchange.js';
import { quoted } from '../../validation/violation.js';
import { jsonOf, membersOf, textOf } from '../body.js';
import { type Exchange, isAccepted, isThrottled, isUnsent, type ProviderResponse } from '../exchange.js';
import { isHouseProbe } from '../row.js';

/**
 * Why a provider cannot be tested: every plain plant gets a 4xx, a redirect, a web page or no response. A 5xx or another 2xx
 * can be judged.
 *
 * @returns the end of a sentence; `undefined` if the provider can be tested
 */
export function whyNotTestable(exchanges: readonly Exchange[], url: URL): string | undefined {
  const plain = exchanges.filter(
    ({ expectation, probe }) => expectation === 'created' && !isHouseProbe(probe),
  );
  const controls = plain.filter(({ role }) => role === 'judged');
  if (controls.some(isJudgeable)) return undefined;
  // That there was no time to send it once more is not the reason.
  const last =
    controls.findLast((one) => !isUnsent(one)) ?? plain.findLast((one) => !isUnsent(one)) ?? exchanges.at(-1);
  if (last === undefined) return 'the check was stopped before it sent anything';
  if (last.response === undefined) return whyNoResponse(last, url);
  const { status } = last.response;
  if (isThrottled(last)) return `it returns ${status} to every plain plant. ${LIFT}`;
  return `every plain plant gets ${status}${saidIn(last.response)}. ${hintAt(last.response)}`;
}

const LIFT = 'Lift its limit for the check, or send fewer requests with --rate';

/** Why there is no response, and what to do about it. */
function whyNoResponse({ failure }: Exchange, url: URL): string {
  if (failure === undefined) return 'no plain plant was sent';
  const { kind, message } = failure;
  if (kind === 'tls') return `${message}${adviceOnTls(message)}`;
  if (kind === 'unreachable' && message.includes('ECONNREFUSED'))
    return `${message}. Start the provider before the check, let the check start it with --start <command>, or let it wait with --wait 30s`;
  if (kind === 'unreachable') return `${message}. Is the base URL right?`;
  if (kind === 'reset' && url.protocol === 'http:')
    return `${message}. If it uses TLS, write https:// instead of http://`;
  return message;
}

/** What helps against a failure of TLS, by the words of Node and OpenSSL. */
function adviceOnTls(message: string): string {
  if (/ alert /.test(message) && /certificate|unknown ca|handshake failure/.test(message))
    return '. The provider wants a client certificate that it trusts: pass one with --cert <file> and --key <file>';
  if (/altnames|does not match/i.test(message))
    return '. Write a host into the base URL for which the certificate was issued';
  if (/expired|not yet valid/.test(message))
    return '. Renew the certificate of the provider, and look at the clock of this machine';
  if (/certificate|issuer/i.test(message))
    return '. Trust the certificate with --ca <file>, or any certificate with --insecure';
  return '';
}

/** What to look at if every plain plant gets a response like this. The last full stop is left out. */
function hintAt(response: ProviderResponse): string {
  const { status } = response;
  if (status === 401 || status === 403) return 'Is the token right?';
  if (status < 300 || status === 404 || status === 405)
    return 'Is the base URL right? /plants is appended to it';
  if (status === 406 || status === 415) return 'Does it want another header? --header adds one';
  if (status < 400) return 'Is this the base URL of the provider itself?';
  return 'Are the token and the base URL right? Does the provider accept {"name":"Aloefern","id":123456789}?';
}

/** What else a response says: where it redirects to, the message of its Error, which page it has, or its text. */
function saidIn(response: ProviderResponse): string {
  const [location] = headerValues(response.headers, 'location');
  if (response.status < 400 && location !== undefined) return `, a redirect to ${quoted(location)}`;
  const message = membersOf(jsonOf(response))?.message;
  if (typeof message === 'string' && message !== '') return ` (${quoted(message)})`;
  const page = pageIn(response);
  if (page !== undefined) return ` with ${page}`;
  // A server that speaks only HTTP/2, or checks the name of the host, explains itself in a text.
  const text = textOf(response).trim();
  return text === '' ? '' : ` (${quoted(excerpt(text))})`;
}

function isJudgeable(exchange: Exchange): boolean {
  return (
    !isThrottled(exchange) && ((exchange.response?.status ?? 0) >= 500 || isAcceptedByProvider(exchange))
  );
}

/** Whether a request was accepted, and not by something else that shows a web page whatever it gets. */
export function isAcceptedByProvider(exchange: Exchange): boolean {
  return isAccepted(exchange) && exchange.response !== undefined && pageIn(exchange.response) === undefined;
}

/** A web page in words: `a web page (text/html, "Welcome to nginx!")`. `undefined`: it is none. */
function pageIn(response: ProviderResponse): string | undefined {
  const text = textOf(response);
  if (!(isHtml(response) ? /^\s*</ : /^\s*<(?:!doctype html|html)\b/i).test(text)) return undefined;
  const mediaType = headerValues(response.headers, 'content-type')[0]?.split(';')[0]?.trim();
  const title = /<title[^<>]*>([^<]*)</i.exec(text)?.[1]?.replaceAll(/\s+/g, ' ').trim();
  const known = [mediaType || 'no Content-Type', ...(title ? [quoted(title)] : [])];
  return `a web page (${known.join(', ')})`;
}

function isHtml({ headers }: ProviderResponse): boolean {
  return headerValues(headers, 'content-type').some((type) =>
    /^\s*(?:text\/html|application\/xhtml)/i.test(type),
  );
}
