import { jsonText } from '../../report/escape.js';
import { harEntry, harLog } from '../../report/har.js';
import type { ShownBody, ShownExchange } from './browser/wire.js';
import { urlOf } from './url.js';

/** Everything of a HAR before its first entry. */
export function harStart(version: string): string {
  return `{"log":${jsonText(harLog(version)).slice(0, -1)},"entries":[`;
}

export const HAR_END = ']}}\n';

/** An exchange as an entry of a HAR. */
export function entryOf(exchange: ShownExchange, baseUrl: string): string {
  const { at, microseconds = 0, request, response, target, method, status, verdict, all, notes } = exchange;
  const durationMs = microseconds / 1_000;
  return jsonText(
    harEntry({
      startedAt: at - durationMs,
      durationMs,
      request: { method, url: urlOf(baseUrl, target), headers: request.headers, body: request.body },
      response: response && {
        status,
        reason: response.reason,
        headers: response.headers,
        body: { ...response.body, bytes: sizeOf(response) },
        sentBytes: response.body.bytes,
      },
      comment: notes.length > 0 ? notes.join('; ') : undefined,
      own: { _verdict: verdict, _problems: all },
    }),
  );
}

/** The size of a body that was cut is larger than what is here of it, so that a reader knows. */
function sizeOf({ body, complete, headers }: NonNullable<ShownExchange['response']>): number {
  const announced = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  if (!complete) return Math.max(Number(announced) || 0, body.bytes + 1);
  const shown = lengthOf(body);
  if (body.cut === true) return Math.max(body.bytes, 2 * shown);
  // A note says that content codings were undone.
  return body.note === undefined ? body.bytes : shown;
}

function lengthOf({ text, base64 }: ShownBody): number {
  return base64 === undefined ? Buffer.byteLength(text ?? '') : Buffer.byteLength(base64, 'base64');
}
