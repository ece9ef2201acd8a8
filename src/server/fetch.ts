import { readWithin } from '../http/collected-bytes.js';
import { fieldsFrom } from '../http/fields.js';
import type { OutgoingResponse, Pipeline } from './exchange.js';
import { pieceOf } from './slow-body.js';

/** Responds to a web-standard request. A fetch handler has no connections: each request is its own. */
export async function respondToFetch(request: Request, pipeline: Pipeline, limit: number): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const outgoing = await pipeline({
    method: request.method,
    target: pathname + search,
    headers: [...request.headers].flat(),
    body: await readWithin(request.body ?? [], limit),
    connection: request,
  });
  if (outgoing.delayMs !== undefined && outgoing.delayMs > 0) await delay(outgoing.delayMs, request.signal);
  return toResponse(outgoing, request);
}

function toResponse(
  { status, headers, body, delivery, bytesPerSecond }: OutgoingResponse,
  { method, signal }: Request,
): Response | Promise<Response> {
  if (delivery === 'hang') return givenUp(signal);
  // As fetch does for a reset connection.
  if (delivery === 'reset' || delivery === 'reset-in-head')
    throw new TypeError('fetch failed: the connection was reset');
  const empty = body.length === 0 || method === 'HEAD' || status === 204;
  // With a too short Content-Length, a client receives the beginning of the body.
  const bytes = Buffer.from(body as string).subarray(
    0,
    delivery === 'short-length' ? body.length : undefined,
  );
  return new Response(empty ? null : bodyOf(bytes, delivery, bytesPerSecond), {
    status,
    headers: fieldsFrom(headers).map(([name, value]) => [name, value]),
  });
}

function bodyOf(
  bytes: Buffer,
  delivery: OutgoingResponse['delivery'],
  bytesPerSecond: number | undefined,
): Buffer | ReadableStream {
  if (delivery === 'truncate') return partOf(bytes, bytes.length >> 1);
  if (delivery === 'reset-after-head') return partOf(bytes, 0);
  return bytesPerSecond === undefined ? bytes : slowly(bytes, bytesPerSecond);
}

/** Rejects when the client gives up, as fetch does. */
function givenUp(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

async function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([over, givenUp(signal)]).finally(() => clearTimeout(timer));
}

/** The first bytes, then an error. */
function partOf(bytes: Buffer, length: number): ReadableStream {
  let sent = length === 0;
  return new ReadableStream({
    pull(controller) {
      if (sent) controller.error(new TypeError('terminated: the connection ended inside the body'));
      else controller.enqueue(bytes.subarray(0, length));
      sent = true;
    },
  });
}

function slowly(bytes: Buffer, bytesPerSecond: number): ReadableStream {
  const { size, everyMs } = pieceOf(bytesPerSecond);
  let at = 0;
  let timer: NodeJS.Timeout;
  return new ReadableStream({
    pull: (controller) =>
      new Promise((resolve) => {
        timer = setTimeout(() => {
          controller.enqueue(bytes.subarray(at, at + size));
          at += size;
          if (at >= bytes.length) controller.close();
          resolve();
        }, everyMs);
      }),
    cancel: () => clearTimeout(timer),
  });
}
