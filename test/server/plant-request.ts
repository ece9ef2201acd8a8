import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** The token that the stores of these tests accept: long enough to be taken out of what is recorded. */
export const TOKEN = 'right-Token.of~the_store+1/2==';

/** How a request differs from a plain creation. */
export interface Sent {
  readonly method?: string;
  /** The request target. */
  readonly path?: string;
  /** Beside those of a plain creation, or in their place; `undefined` leaves one out, a list sends it again. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: string | Uint8Array;
  /** Without one, each request has a connection of its own. */
  readonly agent?: Agent;
  /** When the answer is no longer waited for. */
  readonly signal?: AbortSignal;
}

/** What came back. */
export interface Answered {
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

/** Sends one request over HTTP and gives what came back. */
export function send(url: string, sent: Sent = {}): Promise<Answered> {
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
