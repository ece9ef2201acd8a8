import { readWithin } from '../http/collected-bytes.js';
import { fieldsFrom } from '../http/fields.js';
import type { Delivery, Pace, Pipeline } from './exchange.js';

/** Responds to a web-standard request. A fetch handler has no connections: each request is its own. */
export async function respondToFetch(request: Request, pipeline: Pipeline, limit: number): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const delivery = await pipeline({
    method: request.method,
    target: pathname + search,
    headers: [...request.headers].flat(),
    body: await readWithin(request.body ?? [], limit),
    connection: request,
  });
  if (delivery.delayMs > 0) await delay(delivery.delayMs, request.signal);
  if (delivery.end === 'never') return givenUp(request.signal);
  // As fetch does for a reset connection.
  if (delivery.head !== 'whole') throw new TypeError('fetch failed: the connection was reset');
  return new Response(bodyOf(delivery), {
    status: delivery.status,
    headers: fieldsFrom(delivery.headers).map(([name, value]) => [name, value]),
  });
}

function bodyOf({ body, contentLength, pace, end }: Delivery): Buffer | ReadableStream | null {
  // With a too short Content-Length, a client receives the beginning of the body.
  const bytes = Buffer.from(body as string).subarray(0, contentLength);
  if (end !== 'complete') return partOf(bytes);
  if (bytes.length === 0) return null;
  return pace === undefined ? bytes : slowly(bytes, pace);
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

/** Some bytes, then an error. */
function partOf(bytes: Buffer): ReadableStream {
  let sent = bytes.length === 0;
  return new ReadableStream({
    pull(controller) {
      if (sent) controller.error(new TypeError('terminated: the connection ended inside the body'));
      else controller.enqueue(bytes);
      sent = true;
    },
  });
}

function slowly(bytes: Buffer, { size, everyMs }: Pace): ReadableStream {
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
