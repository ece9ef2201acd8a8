import { Buffer } from 'node:buffer';
import { bodyWithin } from '../http/fetch-body.js';
import { fieldsFrom } from '../http/fields.js';
import type { Answering } from './answering.js';
import type { Delivery } from './exchange.js';

/** The requests without a response. The signal of a request that nobody holds may never abort. */
const underWay = new Set<Request>();

/** Responds to a web-standard request. A fetch handler has no connections: each request is its own. */
export async function respondToFetch(
  input: Request | string | URL,
  init: RequestInit | undefined,
  store: Answering,
): Promise<Response> {
  // A client may pass a request together with what it was made of.
  const request = typeof input === 'string' || input instanceof URL ? new Request(input, init) : input;
  underWay.add(request);
  try {
    return await responseTo(request, store);
  } finally {
    underWay.delete(request);
  }
}

async function responseTo(request: Request, store: Answering): Promise<Response> {
  // The Request of some packages has no signal, and a URL without an origin.
  const signal: AbortSignal | null | undefined = request.signal;
  const { pathname, search } = new URL(request.url, 'http://localhost');
  const { delivery, delayMs, entry } = await store.answer({
    method: request.method,
    target: pathname + search,
    headers: [...request.headers].flat(),
    body: await bodyWithin(request, store.bodyBytes),
    connection: request,
  });
  const wait = async (milliseconds: number): Promise<void> => {
    signal?.throwIfAborted();
    const isDue = await store.waits.wait(milliseconds, (cut) =>
      signal?.addEventListener('abort', cut, { once: true }),
    );
    signal?.throwIfAborted();
    if (!isDue) throw new TypeError('fetch failed: the plant store was closed');
  };
  const isSent = delivery.end === 'complete' || delivery.end === 'close';
  if (delayMs > 0)
    await wait(delayMs).catch((cause) => {
      store.sent(entry);
      throw cause;
    });
  store.sent(entry, isSent && signal?.aborted !== true ? delivery : undefined);
  signal?.throwIfAborted();
  if (delivery.end === 'never') await wait(Number.POSITIVE_INFINITY);
  // As fetch does for a reset connection.
  if (delivery.end === 'reset') throw new TypeError('fetch failed: the connection was reset');
  return new Response(bodyOf(delivery), {
    status: delivery.status,
    headers: fieldsFrom(delivery.headers).map(([name, value]) => [name, value]),
  });
}

function bodyOf({ body, contentLength, end }: Delivery): Uint8Array<ArrayBuffer> | ReadableStream | null {
  // With a too short Content-Length, a client receives the beginning of the body.
  const bytes = new Uint8Array(Buffer.from(body.slice(0, contentLength), 'latin1'));
  if (end !== 'complete') return partOf(bytes);
  return bytes.length === 0 ? null : bytes;
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
