import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** The token that the stores of these tests accept. */
export const TOKEN = 'right-Token.of~the_store+1/2==';

/** How a request differs from a plain creation. */
export interface Sent {
  readonly method?: string;
  /** The request target. */
  readonly path?: string;
  /** Added to those of a plain creation, or replacing them; `undefined` omits one, a list sends several. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: string | Uint8Array;
  /** Without one, each request has its own connection. */
  readonly agent?: Agent;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/** A response. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

/** A plant as the text of a body; ids beyond 2^53 keep their digits. */
export function plant(id: number | bigint, name = 'Aloe', tag?: string): string {
  const texts = JSON.stringify({ name, tag });
  return `${texts.slice(0, -1)},"id":${id}}`;
}

/** Sends one request over HTTP and returns the response. */
export function send(url: string, sent: Sent = {}): Promise<ReceivedResponse> {
  const { method = 'POST', path = '/plants', body = method === 'POST' ? plant(7) : undefined } = sent;
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...sent.headers };
  const defined = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const { agent = false, signal } = sent;
    const outgoing = request(url, { method, path, headers: defined, agent, ...(signal && { signal }) });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const { statusCode: status = 0, headers } = incoming;
      buffer(incoming).then((body) => resolve({ status, headers, body, text: body.toString() }), reject);
    });
    outgoing.end(body);
  });
}
