import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { fieldsFrom } from '../header-fields.js';
import { chunks, flushHeadAlone, withLength, withTrailerField } from './framing.js';
import { KEPT_BYTES, KeptBody } from './kept-body.js';
import { endToEnd, type ForwardedRequest, type RequestHead } from './message.js';
import { WayBack, type WayBackOptions } from './way-back.js';

/** How exchanges are relayed. */
export interface RelayOptions extends WayBackOptions {
  /**
   * Changes a request before it is sent on, which is then read to its end first; `undefined` closes the connection and
   * sends nothing.
   */
  readonly rewrite?: (request: ForwardedRequest) => (RequestHead & { readonly body: Uint8Array }) | undefined;
}

/** Relays one request to the upstream, and the answer back, as they come. */
export function relay(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: RelayOptions,
  open: (head: RequestHead) => ClientRequest,
): void {
  const { rewrite, keptBytes = KEPT_BYTES } = options;
  const { method = '', url: target = '', rawHeaders } = incoming;
  const isChunked = incoming.headers['transfer-encoding'] !== undefined && rewrite === undefined;
  const head = { method, target, headers: withTrailerField(endToEnd(fieldsFrom(rawHeaders)), isChunked) };
  const kept = new KeptBody(keptBytes);
  if (rewrite === undefined) {
    const sent = open({ ...head, headers: [...head.headers, ...chunks(incoming)] });
    new WayBack(outgoing, options, sent, () => ({ ...head, ...kept.of(incoming) }));
    sendOn(incoming, sent, kept);
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
    new WayBack(outgoing, options, sent, () => request);
    sent.end(changed.body);
  });
}

/** Sends the body of a request on as it comes. */
function sendOn(incoming: IncomingMessage, sent: ClientRequest, kept: KeptBody): void {
  incoming.on('data', (chunk: Buffer) => kept.add(chunk));
  incoming.pipe(sent, { end: false });
  incoming.once('end', () => {
    if (sent.destroyed) return;
    const { rawTrailers } = incoming;
    if (rawTrailers.length > 0) sent.addTrailers(fieldsFrom(rawTrailers) as [string, string][]);
    sent.end();
  });
  // An upstream may answer, and close, before it has read all. Some clients read nothing until they have sent it.
  sent.once('close', () => {
    if (!incoming.readableEnded) incoming.resume();
  });
  flushHeadAlone(sent, kept);
}
