import type { IncomingMessage, ServerResponse } from 'node:http';
import { startHandler } from '../../conformance/providers/handler.js';
import type { Provider } from '../../conformance/providers/provider.js';

/** Whether a body is a plain plant of the verification itself: it sends one before each pact. */
export const isPlain = (body: Buffer): boolean => /"Aloe[a-z]{4}"/.test(body.toString());

/** A provider that is nothing but a function of a request and its whole body. */
export function startReader(
  answer: (request: IncomingMessage, response: ServerResponse, body: Buffer) => void,
): Promise<Provider> {
  return startHandler((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, response, Buffer.concat(chunks)));
  });
}
