import { STATUS_CODES } from 'node:http';
import { type Fields, headerValues } from '../../http/fields.js';
import { jsonText } from '../escape.js';
import type { ReportedBody, ReportedExchange } from '../exchange.js';
import type { Report } from '../frame.js';

/**
 * Every exchange of a report as a HAR (1.2), in the order in which they were sent. It holds no token. `validate` and the
 * tools of browsers read it. A report without exchanges has no entries.
 */
export function har(report: Report): string {
  const { toolVersion, startedAt, summary, exchanges = [] } = report;
  const start = Date.parse(startedAt);
  const entries = exchanges.map((exchange) => entryOf(exchange, start));
  return `${jsonText({ log: { ...harLog(toolVersion), comment: summary, entries } }, 1)}\n`;
}

function entryOf(exchange: ReportedExchange, start: number): object {
  const { name, role, request, response, failure, startMs, durationMs } = exchange;
  return harEntry({
    startedAt: start + startMs,
    durationMs,
    request: { ...request, body: bodyOf(request.body) },
    response: response && {
      status: response.status,
      headers: response.headers,
      body: responseBody(response),
      sentBytes: -1,
    },
    comment: name,
    own: {
      _role: role,
      // As Chrome writes it.
      ...(failure !== undefined && { _error: failure.message }),
    },
  });
}

function bodyOf({ encoding, text, wholeBytes }: ReportedBody): HarBody {
  const bytes = wholeBytes ?? Buffer.byteLength(text, encoding === 'base64' ? 'base64' : 'utf8');
  return encoding === 'base64' ? { base64: text, bytes } : { text, bytes };
}

/** A reader takes text for bytes that were decoded by the charset of the response, so it is text only if that is UTF-8. */
function responseBody({ headers, body, complete }: NonNullable<ReportedExchange['response']>): HarBody {
  const { bytes, ...content } = bodyOf(body);
  const isUtf8 = !/;\s*charset\s*=\s*"?(?!utf-?8\b)/i.test(headerValues(headers, 'content-type').join());
  const kept =
    content.text === undefined || isUtf8 ? content : { base64: Buffer.from(content.text).toString('base64') };
  // Fewer bytes than its size: so a reader knows that the end is missing.
  return { ...kept, bytes: complete ? bytes : bytes + 1 };
}

/** A body as a HAR has it: text, or base64. Left out if it was not kept. */
interface HarBody {
  readonly text?: string | undefined;
  readonly base64?: string | undefined;
  /** The length of the whole body. It is more than that of the text if the body was cut. */
  readonly bytes: number;
}

/** One exchange, to be written as an entry of a HAR. It holds no secret. */
interface HarExchange {
  /** When it began, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Fields;
    readonly body: HarBody;
  };
  readonly response?:
    | {
        readonly status: number;
        readonly reason?: string;
        readonly headers: Fields;
        readonly body: HarBody;
        /** The length of its body with its content codings, or -1. */
        readonly sentBytes: number;
      }
    | undefined;
  /** A sentence for readers. */
  readonly comment?: string | undefined;
  /** Our own members. The format allows them if they begin with an underscore. */
  readonly own?: Readonly<Record<`_${string}`, unknown>>;
}

/** A HAR without its entries (HAR 1.2). */
export function harLog(version: string): { version: string; creator: object } {
  return { version: '1.2', creator: { name: 'plant-store-contract', version } };
}

/** An exchange as an entry of a HAR. If there was no response, its status is 0, as browsers write it. */
export function harEntry({
  startedAt,
  durationMs,
  request,
  response,
  comment,
  own,
}: HarExchange): Readonly<Record<string, unknown>> {
  const { method, url, headers, body } = request;
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? [];
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: durationMs,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: fieldsIn(headers),
      queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: body.bytes,
      ...(body.bytes > 0 && {
        postData: { mimeType: headerValues(headers, 'content-type')[0] ?? '', params: [], ...bodyIn(body) },
      }),
    },
    response: {
      status: response?.status ?? 0,
      statusText: response === undefined ? '' : response.reason || (STATUS_CODES[response.status] ?? ''),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: fieldsIn(response?.headers ?? []),
      content: {
        size: response?.body.bytes ?? 0,
        mimeType: headerValues(response?.headers ?? [], 'content-type')[0] ?? '',
        ...(response !== undefined && bodyIn(response.body)),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: response?.sentBytes ?? -1,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    ...own,
    ...(comment !== undefined && { comment }),
  };
}

function bodyIn({ text, base64 }: HarBody): { text?: string; encoding?: 'base64' } {
  if (base64 !== undefined) return { text: base64, encoding: 'base64' };
  return text === undefined ? {} : { text };
}

function fieldsIn(fields: Fields): { name: string; value: string }[] {
  return fields.map(([name, value]) => ({ name, value }));
}
