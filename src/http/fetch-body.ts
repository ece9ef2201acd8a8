import { CollectedBytes } from './collected-bytes.js';

/** A message with a body, of fetch or of a replacement for it. In React Native and whatwg-fetch, it has no stream. */
type Message = Partial<Pick<Response, 'arrayBuffer' | 'text'>> & { readonly body?: unknown };

/**
 * Reads the body of a message of fetch: of a stream of the web or of Node, or of a message without any.
 *
 * @param longest in bytes; of a stream, no more is read
 * @returns `undefined` if it is longer
 * @throws what the source throws
 */
export async function bodyWithin(message: Message, longest: number): Promise<Uint8Array | undefined> {
  const { body } = message;
  const collected = new CollectedBytes(longest);
  for await (const chunk of isSource(body) ? chunksOf(body) : wholeOf(message)) {
    collected.add(chunk);
    // Leaving the loop ends the source.
    if (collected.isTooLong) return undefined;
  }
  return collected.bytes;
}

type Source = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>;

function isSource(body: unknown): body is Source {
  return typeof body === 'object' && body !== null && ('getReader' in body || Symbol.asyncIterator in body);
}

async function* chunksOf(source: Source): AsyncGenerator<Uint8Array> {
  // Not every browser can iterate over a stream.
  if (!('getReader' in source)) {
    for await (const chunk of source)
      yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
    return;
  }
  const reader = source.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // It may have ended with an error.
    await reader.cancel().catch(() => {});
  }
}

async function* wholeOf(message: Message): AsyncGenerator<Uint8Array> {
  if (message.arrayBuffer !== undefined) yield new Uint8Array(await message.arrayBuffer());
  else if (message.text !== undefined) yield new TextEncoder().encode(await message.text());
}
