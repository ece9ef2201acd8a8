import { setImmediate as nextTurn } from 'node:timers/promises';
import { CollectedBytes } from '../../http/collected-bytes.js';
import { type Fields, headerValues } from '../../http/fields.js';
import type { Route } from '../../http/route.js';
import { reasonOf } from '../../toolkit-error.js';
import { describe } from '../../validation/violation.js';
import { keptResponse, LONGEST_BODY } from '../body.js';
import { type ProbeRequest, type ProviderResponse, requestTarget } from '../exchange.js';
import type { Probe } from '../probe.js';
import { inTime, type ResponseOrFailure, type Sending, type SendResult } from './http.js';
import { fieldsOf, methodOf } from './pieces.js';

/** A provider that is a function, and needs no port: the `fetch` of Hono, of a worker, or of `createPlantStore`. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

const UNSENDABLE = 'the provider is called as a function, and a Request cannot have this form';

/** The probes that cannot be sent to a function, each with the reason. None if there is no function. */
export function unsendableProbes(
  probes: readonly Probe[],
  handler: FetchHandler | undefined,
): ReadonlyMap<Probe, string> {
  const unsendable = handler === undefined ? [] : probes.filter(isUnsendable);
  return new Map(unsendable.map((probe) => [probe, UNSENDABLE]));
}

/** A `Request` has a URL, one value for each header name, and bytes. It has no connection, no chunks and no segments. */
function isUnsendable({ oneConnection = false, requests }: Probe): boolean {
  return requests.some(({ chunked = false, transfer, headers = [] }) => {
    const names = headers.map(([name]) => name.toLowerCase());
    return oneConnection || chunked || transfer !== undefined || new Set(names).size < names.length;
  });
}

/** Calls the function with one request, and keeps its response as bytes. Never rejects. */
export async function callHandler(
  handler: FetchHandler,
  target: Route,
  request: ProbeRequest,
  sending: Sending,
): Promise<SendResult> {
  const ended = new AbortController();
  const { signal } = ended;
  const result = await inTime(
    sending,
    (settle) => resultOf(handler, requestFor(target, request, signal), signal).then(settle),
    () => ended.abort(),
  );
  return { ...result, reusedConnection: false };
}

/** The request as a server's adapter passes it on: with the header fields that HTTP adds. */
function requestFor(target: Route, request: ProbeRequest, signal: AbortSignal): Request {
  return new Request(target.url.origin + requestTarget(target.url, request), {
    method: methodOf(request),
    headers: fieldsOf(target, request).map(([name, value]) => [name, value]),
    body: request.body.length === 0 ? null : request.body,
    signal,
  });
}

async function resultOf(
  handler: FetchHandler,
  request: Request,
  signal: AbortSignal,
): Promise<ResponseOrFailure> {
  // A function may never wait for anything outside this process. Without this, no timer would run until the check ends.
  await nextTurn();
  try {
    const returned: unknown = await handler(request);
    const why = whyUnusable(returned);
    return why === undefined
      ? { response: keptResponse(await responseFrom(returned as Response, signal)) }
      : { failure: { kind: 'malformed', message: why } };
  } catch (cause) {
    // A server would respond with 500, or close the connection. The provider itself responds with neither.
    return { failure: { kind: 'reset', message: `the function threw: ${reasonOf(cause)}` } };
  }
}

/** Not by class: a Response may come from another realm or another package. */
function whyUnusable(returned: unknown): string | undefined {
  const { status, headers, bodyUsed } = Object(returned) as Partial<Response>;
  if (typeof status !== 'number' || typeof headers?.get !== 'function')
    return `the function returned ${describe(returned)}, not a Response`;
  if (status === 0) return 'the function returned Response.error()';
  return bodyUsed === true ? 'the body of the Response was already read' : undefined;
}

type CollectedBody = Pick<ProviderResponse, 'body' | 'received' | 'complete'>;

async function responseFrom(returned: Response, signal: AbortSignal): Promise<ProviderResponse> {
  const headers = headersOf(returned);
  const { body, received, complete } = await collect(returned.body, signal);
  const [length = ''] = headerValues(headers, 'content-length');
  // A client would cut the body at the announced length.
  const announced = /^\d{1,15}$/.test(length) ? Number(length) : received;
  return {
    status: returned.status,
    reason: returned.statusText,
    headers,
    body: body.subarray(0, announced),
    received: Math.min(received, announced),
    complete: complete && received >= announced,
    surplus: Math.max(0, received - announced),
  };
}

/** The body of a Response from the network is decoded already, but its headers still describe the encoded one. */
function headersOf({ headers, url }: Response): Fields {
  const fields = [...headers];
  return url ? fields.filter(([name]) => !/^content-(encoding|length)$/i.test(name)) : fields;
}

async function collect(stream: Response['body'], signal: AbortSignal): Promise<CollectedBody> {
  const collected = new CollectedBytes(LONGEST_BODY);
  let complete = false;
  try {
    for await (const chunk of stream ?? []) {
      collected.add(chunk);
      if (collected.isTooLong || signal.aborted) break;
    }
    complete = !collected.isTooLong && !signal.aborted;
  } catch {
    // A body that breaks off is judged on the part that was received.
  }
  return { body: collected.bytes, received: collected.received, complete };
}
