import { isUtf8 } from 'node:buffer';
import type { ForwardedRequest, ForwardedResponse } from '../../http/exchange.js';
import { headerValues } from '../../http/fields.js';
import { curlCommand, headerWord, singleQuoted, TOKEN_VARIABLE } from '../../report/curl.js';
import { isOperation, operationTitle } from '../../spec/operation.js';
import { decodeContent } from '../../validation/content-coding.js';
import {
  type Judgement,
  judgeExchange,
  type Side,
  type TrafficViolation,
  violationInWords,
} from '../../validation/exchange.js';
import { placeOf } from '../../validation/violation.js';
import type { Problem, Row, ShownBody, ShownExchange, ShownMessage, Verdict } from './browser/wire.js';
import type { KeptExchange } from './exchange-log.js';
import { type ExchangeRedactor, HIDDEN_BEARER } from './exchange-redactor.js';

const LONGEST_TARGET = 300;
const LONGEST_REQUEST = 400;
const LONGEST_RESPONSE = 200;
const LONGEST_PROBLEM = 300;

/** An exchange as a row of the list. */
export function rowOf(kept: KeptExchange, redactor: ExchangeRedactor): Row {
  const { number, at, exchange, failure, rejection } = kept;
  const { request, response, durationMs } = exchange;
  const { violations, verdict } = judged(kept);
  const counting = verdict === 'asked-for' ? [] : violations.filter(counts);
  const ofResponse = counting.filter(({ side }) => side === 'response');
  const ordered = [...ofResponse, ...counting.filter(({ side }) => side === 'request')].slice(0, 5);
  const why = failure ?? (response === undefined ? exchange.failure : undefined);
  return {
    number,
    at,
    method: cut(redactor.text(request.method), LONGEST_TARGET),
    target: cut(redactor.text(request.target), LONGEST_TARGET),
    status: response?.status ?? 0,
    verdict,
    problems: counting.length,
    ...(ordered.length > 0 && {
      problem: cut(redactor.text(ordered.map(violationInWords).join('; ')), LONGEST_PROBLEM),
    }),
    sent: isEncoded(request) ? '' : excerptOf(request, LONGEST_REQUEST, redactor),
    received:
      response === undefined || isEncoded(response) ? '' : excerptOf(response, LONGEST_RESPONSE, redactor),
    ...(why !== undefined && { failure: cut(redactor.text(why), LONGEST_PROBLEM) }),
    ...(rejection !== undefined && { rejection: cut(redactor.text(rejection), LONGEST_PROBLEM) }),
    ...(durationMs > 0 && { microseconds: Math.round(durationMs * 1_000) }),
  };
}

/** The whole of an exchange. */
export function exchangeOf(kept: KeptExchange, redactor: ExchangeRedactor, baseUrl: string): ShownExchange {
  const { exchange } = kept;
  const { request, response } = exchange;
  const { violations, notes } = judged(kept);
  const row = rowOf(kept, redactor);
  const method = redactor.text(request.method);
  const target = redactor.text(request.target);
  const shown = messageOf(request, redactor);
  const why = [
    ...(response === undefined || exchange.failure === undefined ? [] : [exchange.failure]),
    ...(isOperation(request.method, request.target) ? notes : [`Only ${operationTitle} is judged.`]),
  ];
  return {
    ...row,
    target,
    request: shown,
    ...(response !== undefined && {
      response: { reason: redactor.text(response.reason), ...messageOf(response, redactor) },
    }),
    all: violations.map((violation) => problemOf(violation, redactor)),
    notes: why.map(redactor.text),
    curl: curlLines({ method, target, ...shown }, baseUrl),
  };
}

/** The judgement of an exchange. It is made once: a page, or several, may ask for it many times. */
function judged(kept: KeptExchange): Judgement & { readonly verdict: Verdict } {
  const { exchange, failure } = kept;
  const { method, target } = exchange.request;
  kept.judgement ??= isOperation(method, target)
    ? judgeExchange(exchange)
    : { violations: [], notes: [], sides: [] };
  const { violations, sides } = kept.judgement;
  // A server that does what its user wants is not to blame.
  const verdict = failure === undefined ? verdictOf(violations.filter(counts), sides) : 'asked-for';
  return { ...kept.judgement, verdict };
}

function verdictOf(violations: readonly TrafficViolation[], sides: readonly Side[]): Verdict {
  const ofResponse = violations.filter(({ side }) => side === 'response');
  if (ofResponse.some(({ keyword }) => keyword !== 'accepted')) return 'response';
  if (ofResponse.length > 0) return 'accepted';
  if (violations.length > 0) return 'request';
  return sides.length === 2 ? 'conforms' : 'not-judged';
}

function counts({ judge }: TrafficViolation): boolean {
  return judge === 'interface';
}

/** A violation in words. */
export function problemOf(violation: TrafficViolation, redactor: ExchangeRedactor): Problem {
  const { side, judge, message, expected, actual } = violation;
  return {
    side,
    judge,
    where: redactor.text(placeOf(violation)),
    message: redactor.text(message),
    expected: redactor.text(expected),
    actual: redactor.text(actual),
  };
}

function messageOf(message: ForwardedRequest | ForwardedResponse, redactor: ExchangeRedactor): ShownMessage {
  const { headers, trailers, complete } = message;
  return {
    headers: redactor.fields(headers),
    body: shownBody(message, redactor),
    trailers: redactor.fields(trailers),
    complete,
  };
}

function isEncoded({ headers }: ForwardedRequest | ForwardedResponse): boolean {
  return headers.some(([name]) => name.toLowerCase() === 'content-encoding');
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`;
}

/** Of a longer body, its beginning is shown. To look for secrets in it takes half a second at worst. In bytes. */
const LONGEST_SHOWN = 256 * 1024;

/** A body as the page shows it: content codings are undone, since a token could be inside. */
function shownBody(message: ForwardedRequest | ForwardedResponse, redactor: ExchangeRedactor): ShownBody {
  const { body, bodyLength, headers } = message;
  const codings = headerValues(headers, 'content-encoding').filter((value) => value !== 'identity');
  if (codings.length > 0 && bodyLength > 0) {
    const decoded = body.length < bodyLength ? 'it is too long' : decodeContent(body, codings);
    if (typeof decoded === 'string')
      return { missing: `it is encoded, and not decoded here: ${decoded}`, bytes: bodyLength };
    return shownBytes(decoded, decoded.length, bodyLength, [`decoded from ${codings.join(', ')}`], redactor);
  }
  return shownBytes(body, bodyLength, bodyLength, [], redactor);
}

function shownBytes(
  kept: Uint8Array,
  whole: number,
  bytes: number,
  notes: readonly string[],
  redactor: ExchangeRedactor,
): ShownBody {
  const end = endOfShown(kept);
  const shown = Buffer.from(kept.buffer, kept.byteOffset, end);
  const isCut = end < whole;
  const note = [...notes, ...(isCut ? [`the first ${end} bytes`] : [])].join(', ');
  return {
    // Latin-1 keeps bytes apart, and a token is ASCII.
    ...(isUtf8(shown)
      ? { text: hidden(shown.toString(), redactor) }
      : { base64: Buffer.from(hidden(shown.toString('latin1'), redactor), 'latin1').toString('base64') }),
    bytes,
    ...(note !== '' && { note }),
    ...(isCut && { cut: true }),
  };
}

/** Not within a character. */
function endOfShown(bytes: Uint8Array): number {
  let end = Math.min(bytes.length, LONGEST_SHOWN);
  while (end < bytes.length && end > LONGEST_SHOWN - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}

function hidden(text: string, redactor: ExchangeRedactor): string {
  const shown = redactor.text(text);
  if (!text.includes('\0')) return shown;
  // In UTF-16, ASCII has a NUL beside each character.
  const without = text.replaceAll('\0', '');
  const hiddenWithout = redactor.text(without);
  return hiddenWithout === without ? shown : hiddenWithout;
}

/** The beginning of a body for the list. It is cut after secrets are taken out of more of it. */
function excerptOf(
  { body }: { readonly body: Uint8Array },
  longest: number,
  redactor: ExchangeRedactor,
): string {
  const bytes = body.subarray(0, 2 * longest + 64);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  return hidden(text, redactor).slice(0, longest).toWellFormed();
}

interface ShownRequest extends ShownMessage {
  readonly method: string;
  readonly target: string;
}

const HIDDEN_TOKEN = [{ value: HIDDEN_BEARER, shown: `Bearer ${TOKEN_VARIABLE}` }];

/** Fields that curl writes itself, and those that describe a coding that was undone. */
const OF_CURL = /^(?:host|content-length|transfer-encoding|content-encoding|connection|expect|trailer|te)$/i;

/** Lines for a shell that send a request again. They read the token from the environment. */
export function curlLines(request: ShownRequest, baseUrl: string): string {
  const { method, target, headers, body } = request;
  const isPath = target.startsWith('/');
  const sent = headers.filter(([name]) => !OF_CURL.test(name));
  const withToken = sent.filter(([, value]) => value === HIDDEN_BEARER);
  const command = curlCommand({
    method,
    url: isPath ? urlOf(baseUrl, target) : `${baseUrl}/`,
    headers: sent.filter((field) => !withToken.includes(field)),
    body: Buffer.from(body.base64 ?? body.text ?? '', body.base64 === undefined ? 'utf8' : 'base64'),
    flags: isPath ? [] : ['--request-target', singleQuoted(target)],
    furtherWords: withToken.flatMap((field) => ['-H', headerWord(field, HIDDEN_TOKEN)]),
  });
  return [...notesOn(request), command].join('\n');
}

function notesOn({ body, complete, headers }: ShownRequest): string[] {
  const notes: string[] = [];
  if (body.missing !== undefined) notes.push('# Its body is not here.');
  else if (!complete || body.cut === true) notes.push('# Its body is not complete.');
  if (headers.some(([name]) => name.toLowerCase() === 'content-encoding'))
    notes.push('# Its body was encoded. curl sends it without a content coding.');
  return notes;
}

/** The URL of a request target: a path is appended to the base URL of the server; a proxy may have got a whole URL. */
export function urlOf(baseUrl: string, target: string): string {
  if (target.startsWith('/')) return baseUrl + target;
  return /^https?:\/\//i.test(target) ? target : `${baseUrl}/`;
}
