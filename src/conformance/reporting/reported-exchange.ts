import type { Exchange, Fields } from '../exchange.js';
import type { CheckSettings } from '../options.js';
import { secretsOf } from './curl.js';
import type { ReportedBody, ReportedExchange } from './report.js';

/** A secret this short would be taken out of ordinary words. */
const SHORTEST_MADE = 6;

/** Puts the name of the variable in the place of the token, and of what was made of it. */
export function redactor(exchanges: readonly Exchange[], token: string): (text: string) => string {
  const secrets = secretsOf(
    exchanges.map(({ request }) => request),
    token,
  ).filter(({ value }) => value === token || value.length >= SHORTEST_MADE);
  const unique = new Map(secrets.map(({ value, shell }) => [value, shell]));
  return (text) =>
    [...unique].reduce((redacted, [value, shell]) => redacted.replaceAll(value, () => shell), text);
}

/** An exchange as data, without the token. */
export function reportedExchange(
  exchange: Exchange,
  { url }: CheckSettings,
  redact: (text: string) => string,
): ReportedExchange {
  const { probe, role, request, response, failure, startMs, durationMs } = exchange;
  const { elsewhere, query = '' } = request;
  const fields = (headers: Fields): Fields => headers.map(([name, value]) => [name, redact(value)] as const);
  const href = elsewhere === undefined ? url.href : url.href.replace(/\/plants$/, elsewhere.path);
  return {
    ...{ probe, role },
    request: {
      method: elsewhere?.method ?? 'POST',
      url: redact(href + query),
      headers: fields(request.headers),
      body: reportedBody(request.body, redact),
    },
    ...(response !== undefined && {
      response: {
        status: response.status,
        headers: fields(response.headers),
        body: reportedBody(response.body, redact),
        complete: response.complete,
      },
    }),
    ...(failure !== undefined && { failure: { kind: failure.kind, message: failure.message } }),
    startMs: Math.round(startMs),
    durationMs: Math.round(durationMs),
  };
}

/** A report is read by people and kept by CI: bodies longer than this are cut. */
const LONGEST_BODY = 16 * 1024;

function reportedBody(bytes: Uint8Array, redact: (text: string) => string): ReportedBody {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, LONGEST_BODY));
  const cut = bytes.length > LONGEST_BODY && { wholeBytes: bytes.length };
  const text = buffer.toString();
  if (Buffer.from(text).equals(buffer)) return { encoding: 'utf-8', text: redact(text), ...cut };
  // A token is ASCII, which Latin-1 keeps apart byte by byte.
  return {
    encoding: 'base64',
    text: Buffer.from(redact(buffer.toString('latin1')), 'latin1').toString('base64'),
    ...cut,
  };
}
