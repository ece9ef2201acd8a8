import { readWithin } from '../http/collected-bytes.js';
import { fieldsFrom } from '../http/fields.js';
import type { Delivery, Pipeline } from './exchange.js';

/** The requests without a response. The signal of a request that nobody holds may never abort. */
const underWay = new Set<Request>();

/** Responds to a web-standard request. A fetch handler has no connections: each request is its own. */
export async function respondToFetch(request: Request, pipeline: Pipeline, limit: number): Promise<Response> {
  underWay.add(request);
  try {
    return await responseTo(request, pipeline, limit);
  } finally {
    underWay.delete(request);
  }
}

async function responseTo(request: Request, pipeline: Pipeline, limit: number): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { signal } = request;
  const delivery = await pipeline({
    method: request.method,
    target: pathname + search,
    headers: [...request.headers].flat(),
    body: await readWithin(request.body ?? [], limit),
    connection: request,
    signal,
  });
  signal.throwIfAborted();
  if (delivery.end === 'never') return await givenUp(signal);
  // As fetch does for a reset connection.
  if (delivery.end === 'reset') throw new TypeError('fetch failed: the connection was reset');
  return new Response(bodyOf(delivery), {
    status: delivery.status,
    headers: fieldsFrom(delivery.headers).map(([name, value]) => [name, value]),
  });
}

function bodyOf({ body, contentLength, end }: Delivery): Uint8Array<ArrayBuffer> | ReadableStream | null {
  // With a too short Content-Length, a client receives the beginning of the body.
  const bytes = new Uint8Array(body.subarray(0, contentLength));
  if (end !== 'complete') return partOf(bytes);
  return bytes.length === 0 ? null : bytes;
}

/** Rejects when the client gives up, as fetch does. */
function givenUp(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Some bytes, then an error. */
function partOf(bytes: Uint8Array): ReadableStream {
  let sent = bytes.length === 0;
  return new ReadableStream({
    pull(controller) {
      if (sent) controller.error(new TypeError('terminated: the connection ended inside the body'));
      else controller.enqueue(bytes);
      sent = true;
    },
  });
}
