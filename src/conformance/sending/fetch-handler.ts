import { describe } from '../../validation/violation.js';
import {
  type Fields,
  LONGEST_ANSWER,
  type NoResponse,
  type ProbeRequest,
  type ProviderResponse,
  requestTarget,
} from '../exchange.js';
import { KEPT_OF_ENDLESS, type Outcome, type Sending, type Target, withUserAgent } from './send.js';

/** A provider that is a function and needs no port: the `fetch` of Hono, of a worker, or of `createPlantStore`. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** Hands one request to a function and keeps what it answers as bytes. Never rejects. */
export function callHandler(
  handler: FetchHandler,
  target: Target,
  request: ProbeRequest,
  { timeoutMs, signal }: Sending,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const ended = new AbortController();
    const settle = (outcome: Came): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve({ ...outcome, reusedConnection: false, connectMs: 0 });
    };
    const giveUp = (failure: NoResponse): void => {
      settle({ failure });
      ended.abort();
    };
    const stop = (): void => giveUp({ kind: 'stopped', message: 'stopped before it was answered' });
    const late = { kind: 'time-out', message: `no answer within ${Math.round(timeoutMs)} ms` } as const;
    const timer = setTimeout(() => giveUp(late), timeoutMs);
    signal.addEventListener('abort', stop);
    answerOf(handler, requestOf(target, request, ended.signal), ended.signal).then(settle);
  });
}

type Came =
  | { readonly response: ProviderResponse; readonly failure?: undefined }
  | { readonly failure: NoResponse; readonly response?: undefined };

/** As the adapters of servers hand it over: with the headers that HTTP adds. */
function requestOf({ url, headers: extra }: Target, request: ProbeRequest, signal: AbortSignal): Request {
  const { headers, body, elsewhere } = request;
  const isBodiless = elsewhere !== undefined && body.length === 0;
  const framing: Fields = isBodiless ? [] : [['Content-Length', String(body.length)]];
  return new Request(url.origin + requestTarget(url, request), {
    method: elsewhere?.method ?? 'POST',
    headers: [['Host', url.host], ...headers, ...withUserAgent(extra), ...framing].map(([name, value]) => [
      name,
      value,
    ]),
    body: body.length === 0 ? null : body,
    signal,
  });
}

async function answerOf(handler: FetchHandler, request: Request, signal: AbortSignal): Promise<Came> {
  try {
    const answer: unknown = await handler(request);
    const failure = whyNoAnswer(answer);
    return failure === undefined
      ? { response: await responseOf(answer as Response, signal) }
      : { failure: { kind: 'malformed', message: failure } };
  } catch (cause) {
    // A server answers with 500 then, or closes the connection; neither is an answer of the provider's own.
    return { failure: { kind: 'reset', message: `the function threw: ${inWords(cause)}` } };
  }
}

function inWords(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  // Of a fetch that fails, what happened stands in the cause.
  return thrown.cause instanceof Error ? `${thrown.message}: ${thrown.cause.message}` : thrown.message;
}

/** By its looks: a Response may come from another realm or from a package of its own. */
function whyNoAnswer(answer: unknown): string | undefined {
  const { status, headers, bodyUsed } = Object(answer) as Partial<Response>;
  if (typeof status !== 'number' || typeof headers?.get !== 'function')
    return `the function gave ${describe(answer)} and no Response`;
  if (status === 0) return 'the function gave Response.error()';
  return bodyUsed === true ? 'the body of the Response had been read already' : undefined;
}

async function responseOf(answer: Response, signal: AbortSignal): Promise<ProviderResponse> {
  const headers = fieldsOf(answer);
  const { bytes, received, complete } = await collect(answer.body, signal);
  const announced = lengthIn(headers) ?? received;
  return {
    status: answer.status,
    reason: answer.statusText,
    headers,
    body: bytes.subarray(0, announced),
    received,
    complete: complete && received >= announced,
    surplus: Math.max(0, received - announced),
  };
}

/** What the network brought is decoded by then, and its headers still speak of what came. */
function fieldsOf({ headers, url }: Response): Fields {
  const fields = [...headers];
  return url ? fields.filter(([name]) => !/^content-(encoding|length)$/i.test(name)) : fields;
}

/** The length that a server would announce, and by which a client would cut the body. */
function lengthIn(headers: Fields): number | undefined {
  const value = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? '';
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

interface Collected {
  readonly bytes: Uint8Array;
  readonly received: number;
  readonly complete: boolean;
}

async function collect(body: Response['body'], signal: AbortSignal): Promise<Collected> {
  const chunks: Uint8Array[] = [];
  let received = 0;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      received += chunk.length;
      if (received > LONGEST_ANSWER || signal.aborted) {
        return { bytes: Buffer.concat(chunks).subarray(0, KEPT_OF_ENDLESS), received, complete: false };
      }
    }
    return { bytes: Buffer.concat(chunks), received, complete: true };
  } catch {
    // A body that breaks off: what came of it is judged all the same.
    return { bytes: Buffer.concat(chunks), received, complete: false };
  }
}
