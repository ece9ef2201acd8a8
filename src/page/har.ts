import { STATUS_CODES } from 'node:http';
import type { Exchange, ShownBody, ShownFields } from './browser/wire.js';
import { urlOf } from './url.js';

/** Everything of a HAR before its first entry (HAR 1.2). */
export function harStart(version: string): string {
  const creator = { name: 'plant-store-contract', version };
  return `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`;
}

export const HAR_END = ']}}\n';

/** An exchange as an entry of a HAR. Members with an underscore are our own, as the format allows. */
export function harEntry(exchange: Exchange, baseUrl: string): string {
  const { at, microseconds = 0, request, response, target, method, status, verdict, all, notes } = exchange;
  const durationMs = microseconds / 1_000;
  const [, query = ''] = /\?([^#]*)/.exec(target) ?? [];
  const sent = bodyIn(request.body);
  return JSON.stringify({
    startedDateTime: new Date(at - durationMs).toISOString(),
    time: durationMs,
    request: {
      method,
      url: urlOf(baseUrl, target),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: fieldsIn(request.headers),
      queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: request.body.bytes,
      ...(request.body.bytes > 0 && {
        postData: { mimeType: typeIn(request.headers), params: [], ...sent },
      }),
    },
    response: {
      status,
      statusText: response === undefined ? '' : response.reason || (STATUS_CODES[status] ?? ''),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: fieldsIn(response?.headers ?? []),
      content: {
        size: response === undefined ? 0 : sizeOf(response),
        mimeType: typeIn(response?.headers ?? []),
        ...(response !== undefined && bodyIn(response.body)),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: response?.body.bytes ?? -1,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _verdict: verdict,
    _problems: all,
    ...(notes.length > 0 && { comment: notes.join('; ') }),
  });
}

/** The bytes of a body that was cut are fewer than its size, so that a reader knows. */
function sizeOf({ body, complete, headers }: NonNullable<Exchange['response']>): number {
  const announced = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  if (!complete) return Math.max(Number(announced) || 0, body.bytes + 1);
  return body.note === undefined || body.note.startsWith('the first') ? body.bytes : lengthOf(body);
}

function lengthOf({ text, base64 }: ShownBody): number {
  return base64 === undefined ? Buffer.byteLength(text ?? '') : Buffer.byteLength(base64, 'base64');
}

function bodyIn({ text, base64 }: ShownBody): { text?: string; encoding?: 'base64' } {
  if (base64 !== undefined) return { text: base64, encoding: 'base64' };
  return text === undefined ? {} : { text };
}

function typeIn(headers: ShownFields): string {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
}

function fieldsIn(fields: ShownFields): { name: string; value: string }[] {
  return fields.map(([name, value]) => ({ name, value }));
}
