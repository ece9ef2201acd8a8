import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { ForwardedRequest, RequestHead } from '../http/exchange.js';
import { fieldsFrom } from '../http/fields.js';
import { limits } from '../http/limits.js';
import { endToEnd, flushHeadAlone, trailersFrom, withLength, withTrailerField } from './framing.js';
import { KeptBody } from './kept-body.js';
import { ResponseRelay, type ResponseRelayOptions } from './relay-response.js';

/** How exchanges are relayed. */
export interface RelayOptions extends ResponseRelayOptions {
  /**
   * Changes a request before it is forwarded. The request is then read to its end first. `undefined` closes the
   * connection and sends nothing.
   */
  readonly rewrite?: (request: ForwardedRequest) => (RequestHead & { readonly body: Uint8Array }) | undefined;
}

/** Relays one request to the upstream, and the response back, as they come. */
export function relay(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: RelayOptions,
  open: (head: RequestHead) => ClientRequest,
): void {
  const { rewrite, keptBytes = limits.body, keptTogether } = options;
  const { method = '', url: target = '', rawHeaders } = incoming;
  const isChunked = incoming.headers['transfer-encoding'] !== undefined && rewrite === undefined;
  const head = { method, target, headers: withTrailerField(endToEnd(fieldsFrom(rawHeaders)), isChunked) };
  const kept = new KeptBody(keptBytes, keptTogether);
  if (rewrite === undefined) {
    const framing = isChunked ? ([['Transfer-Encoding', 'chunked']] as const) : [];
    const sent = open({ ...head, headers: [...head.headers, ...framing] });
    new ResponseRelay(outgoing, options, sent, kept, () => ({ ...head, ...kept.of(incoming) }));
    forwardBody(incoming, sent, kept);
    return;
  }
  const all: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => {
    all.push(chunk);
    kept.add(chunk);
  });
  incoming.once('end', () => {
    const body = Buffer.concat(all);
    const changed = rewrite({ ...head, ...kept.of(incoming), body });
    if (changed === undefined) {
      outgoing.destroy();
      return;
    }
    const sent = open({ ...changed, headers: withLength(changed) });
    const request = { ...kept.of(incoming), ...changed, bodyLength: changed.body.length };
    new ResponseRelay(outgoing, options, sent, kept, () => request);
    sent.end(changed.body);
  });
}

/** Forwards the body of a request as it comes. */
function forwardBody(incoming: IncomingMessage, sent: ClientRequest, kept: KeptBody): void {
  incoming.on('data', (chunk: Buffer) => kept.add(chunk));
  incoming.pipe(sent, { end: false });
  incoming.once('end', () => {
    if (sent.destroyed) return;
    const trailers = trailersFrom(incoming.rawTrailers);
    if (trailers.length > 0) sent.addTrailers(trailers);
    sent.end();
  });
  // An upstream may respond and close before it has read everything. Some clients read only after they have sent it.
  sent.once('close', () => {
    if (!incoming.readableEnded) incoming.resume();
  });
  flushHeadAlone(sent, kept);
}
