import type { Answer, Pipeline } from './exchange.js';

/** Where a `fetch` handler has no connections, each request is its own. */
export async function answerFetch(request: Request, pipeline: Pipeline, limit: number): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const answer = await pipeline({
    method: request.method,
    target: pathname + search,
    headers: [...request.headers].flat(),
    body: await readWithin(request, limit),
    connection: request,
  });
  return toResponse(answer, request.method);
}

/** The body, or undefined where it is larger than the limit; the rest is not read then. */
async function readWithin(request: Request, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toResponse(
  { status, headers, body, delivery }: Answer,
  method: string,
): Response | Promise<Response> {
  if (delivery === 'hang') return new Promise(() => {});
  // What fetch itself says of a connection that is reset.
  if (delivery === 'reset') throw new TypeError('fetch failed: the connection was reset');
  const pairs: [string, string][] = [];
  for (let i = 0; i < headers.length; i += 2) pairs.push([headers[i] as string, headers[i + 1] as string]);
  const empty = body.length === 0 || method === 'HEAD' || status === 204;
  const bytes = Buffer.from(body as string);
  return new Response(empty ? null : delivery === 'truncated' ? brokenOff(bytes) : bytes, {
    status,
    headers: pairs,
  });
}

/** Half of the bytes, then an error. */
function brokenOff(bytes: Buffer): ReadableStream {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) controller.error(new TypeError('terminated: the connection ended inside the body'));
      else controller.enqueue(bytes.subarray(0, bytes.length >> 1));
      sent = true;
    },
  });
}
