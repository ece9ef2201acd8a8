import { STATUS_CODES } from 'node:http';

/** A body as a HAR has it: text, or base64. Left out if it was not kept. */
export interface HarBody {
  readonly text?: string | undefined;
  readonly base64?: string | undefined;
  /** The length of the whole body. It is more than that of the text if the body was cut. */
  readonly bytes: number;
}

type Fields = readonly (readonly [name: string, value: string])[];

/** One exchange, to be written as an entry of a HAR. It holds no secret. */
export interface HarExchange {
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
      ...(body.bytes > 0 && { postData: { mimeType: typeIn(headers), params: [], ...bodyIn(body) } }),
    },
    response: {
      status: response?.status ?? 0,
      statusText: response === undefined ? '' : response.reason || (STATUS_CODES[response.status] ?? ''),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: fieldsIn(response?.headers ?? []),
      content: {
        size: response?.body.bytes ?? 0,
        mimeType: typeIn(response?.headers ?? []),
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

function typeIn(headers: Fields): string {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
}

function fieldsIn(fields: Fields): { name: string; value: string }[] {
  return fields.map(([name, value]) => ({ name, value }));
}
