import {
  decodedBody,
  type Exchange,
  type Fields,
  type ProviderResponse,
  requestTarget,
} from '../exchange.js';
import type { CheckSettings } from '../options.js';
import type { ReportedBody, ReportedExchange } from './report.js';

/** An exchange as data, without the token. */
export function reportedExchange(
  exchange: Exchange,
  { url }: CheckSettings,
  redact: (text: string) => string,
): ReportedExchange {
  const { probe, role, request, response, failure, startMs, durationMs } = exchange;
  const fields = (headers: Fields): Fields => headers.map(([name, value]) => [name, redact(value)] as const);
  return {
    ...{ probe, role },
    request: {
      method: request.elsewhere?.method ?? 'POST',
      url: redact(url.origin + requestTarget(url, request)),
      headers: fields(request.headers),
      body: reportedBody(request.body, redact),
    },
    ...(response !== undefined && {
      response: {
        status: response.status,
        headers: fields(response.headers),
        body: answeredBody(response, redact),
        complete: response.complete,
      },
    }),
    ...(failure !== undefined && { failure: { kind: failure.kind, message: failure.message } }),
    startMs: Math.round(startMs),
    durationMs: Math.round(durationMs),
  };
}

/** Decoded, where it was compressed: so it can be read, and so is seen what stands in it. */
function answeredBody(response: ProviderResponse, redact: (text: string) => string): ReportedBody {
  const bytes = decodedBody(response);
  const body = reportedBody(typeof bytes === 'string' ? response.body : bytes, redact);
  return response.received > response.body.length ? { ...body, wholeBytes: response.received } : body;
}

/** A report is read by people and kept by CI: bodies longer than this are cut. */
const LONGEST_SHOWN = 16 * 1024;

/** A body as text, redacted and cut; in base64 where it is no UTF-8. */
export function reportedBody(bytes: Uint8Array, redact: (text: string) => string): ReportedBody {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, cutAt(bytes));
  const cut = bytes.length > LONGEST_SHOWN && { wholeBytes: bytes.length };
  const text = buffer.toString();
  if (Buffer.from(text).equals(buffer)) return { encoding: 'utf-8', text: redact(text), ...cut };
  // A token is ASCII, which Latin-1 keeps apart byte by byte.
  return {
    encoding: 'base64',
    text: Buffer.from(redact(buffer.toString('latin1')), 'latin1').toString('base64'),
    ...cut,
  };
}

/** Not within a character. */
function cutAt(bytes: Uint8Array): number {
  let end = Math.min(bytes.length, LONGEST_SHOWN);
  while (end < bytes.length && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}
