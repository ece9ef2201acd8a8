import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { clearTimeout, setTimeout } from 'node:timers';
import { CollectedBytes } from '../../http/collected-bytes.js';
import { fieldsFrom, headerValues } from '../../http/fields.js';
import { beginRequest, LONGEST_HEAD, type Route } from '../../http/route.js';
import { isWithoutTls, reasonOf } from '../../toolkit-error.js';
import { keptResponse, LONGEST_BODY } from '../body.js';
import {
  type NoResponse,
  type ProbeRequest,
  type ProviderResponse,
  requestTarget,
  type Transfer,
} from '../exchange.js';
import type { Connections } from './connections.js';
import { fieldsOf, headOf, methodOf, PiecewiseConnection, piecesOf, spelledFor } from './pieces.js';

/** How long a response is awaited after the check was stopped. */
const STOP_GRACE_MS = 300;
const HEAD_END = '\r\n\r\n';

/** A response, or the reason why there is none. */
type ResponseOrFailure =
  | { readonly response: ProviderResponse; readonly failure?: undefined }
  | { readonly failure: NoResponse; readonly response?: undefined };

/** The result of sending one request. */
export type SendResult = ResponseOrFailure & {
  readonly reusedConnection: boolean;
};

/** How one request is sent. */
export interface Sending {
  /** Milliseconds that the exchange may take. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Kept connections for the request, if any are kept. By default, it has its own connection. */
  readonly kept?: Connections | undefined;
}

/**
 * Sends one request exactly as it is, and keeps the response as bytes. Never rejects. By default, the request has its own
 * connection.
 */
export async function sendOn(target: Route, request: ProbeRequest, sending: Sending): Promise<SendResult> {
  const { url } = target;
  const { timeoutMs, signal } = sending;
  const piecewise = request.transfer && inPieces(target, request, request.transfer);
  const kept = piecewise === undefined && sending.kept?.areKept === true ? sending.kept : undefined;
  const connection = [
    spelledFor(request, 'Connection'),
    kept === undefined ? 'close' : 'keep-alive',
  ] as const;
  const outgoing = beginRequest(
    target,
    {
      method: methodOf(request),
      path: requestTarget(url, request),
      headers: [...fieldsOf(target, request), connection],
    },
    piecewise === undefined
      ? { ...(kept !== undefined && { agent: kept.agent }) }
      : { createConnection: () => piecewise },
  );
  let surplus: SurplusBytes | undefined;
  outgoing.on('socket', (socket: Socket) => {
    surplus = new SurplusBytes(socket);
  });
  let timer: NodeJS.Timeout | undefined;
  let stop = (): void => {};
  const result = await new Promise<ResponseOrFailure>((settle) => {
    const after = (ms: number, giveUp: () => void): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        giveUp();
        outgoing.destroy();
      }, ms);
    };
    let endEarly: ((isStalled?: true) => void) | undefined;
    // What arrived of a response is judged, although nothing follows it.
    after(timeoutMs, () => {
      if (endEarly === undefined) settle({ failure: timedOut(outgoing, timeoutMs) });
      else endEarly(true);
    });
    // What was sent may still be processed, so the response is awaited for a moment.
    stop = () => after(Math.min(timeoutMs, STOP_GRACE_MS), () => settle({ failure: STOPPED }));
    signal.addEventListener('abort', stop);
    outgoing.on('continue', () => piecewise?.continue());
    outgoing.on('response', (incoming) => {
      piecewise?.stop();
      endEarly = collect(incoming, (response) =>
        settle({
          response: keptResponse({ ...response, surplus: surplus?.after(incoming.rawHeaders) ?? 0 }),
        }),
      );
    });
    // A 101 is a response, too, although no request asks for another protocol.
    outgoing.on('upgrade', ({ statusCode: status = 0, statusMessage: reason = '', rawHeaders }) => {
      const response = { status, reason, headers: fieldsFrom(rawHeaders), body: Buffer.of() };
      settle({ response: keptResponse({ ...response, complete: true, received: 0, surplus: 0 }) });
      outgoing.destroy();
    });
    outgoing.on('error', (cause: NodeJS.ErrnoException) => {
      // A response that has begun is judged on the part that was received.
      if (endEarly === undefined) settle({ failure: noResponse(cause) });
      else endEarly();
    });
    outgoing.end(request.body);
  });
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
  surplus?.close();
  if (kept !== undefined) settleKept(kept, outgoing, result);
  return { ...result, reusedConnection: outgoing.reusedSocket };
}

/** A kept connection is not used again if its request was not read to the end, or if more than its response came. */
function settleKept(
  kept: Connections,
  outgoing: ClientRequest,
  { response, failure }: ResponseOrFailure,
): void {
  if (failure?.kind === 'reset' && outgoing.reusedSocket) kept.giveUp();
  if (!outgoing.writableFinished || (response?.surplus ?? 0) > 0) outgoing.socket?.destroy();
}

/** A connection that sends this request in pieces. */
function inPieces(target: Route, request: ProbeRequest, transfer: Transfer): PiecewiseConnection {
  const head = headOf(target, request);
  const pieces = piecesOf(head, request.body, request.chunked === true, transfer);
  return new PiecewiseConnection(target, pieces, transfer.awaitContinue === true);
}

/**
 * Collects a response to its end.
 *
 * @returns the function to call if the connection breaks, or if nothing more comes. Node also reports an error if bytes follow a
 *   whole response. The response is then still read to its end.
 */
function collect(
  incoming: IncomingMessage,
  settle: (response: Omit<ProviderResponse, 'surplus'>) => void,
): (isStalled?: true) => void {
  const collected = new CollectedBytes(LONGEST_BODY);
  const end = (isStalled?: true): void =>
    settle({
      status: incoming.statusCode ?? 0,
      reason: incoming.statusMessage ?? '',
      headers: fieldsFrom(incoming.rawHeaders),
      body: collected.bytes,
      complete: incoming.complete && !collected.isTooLong,
      received: collected.received,
      ...(isStalled && { isStalled }),
    });
  incoming.on('data', (chunk: Buffer) => {
    collected.add(chunk);
    // No request asks for a response this long. It may be endless.
    if (!collected.isTooLong) return;
    end();
    incoming.destroy();
  });
  incoming.on('end', () => end());
  // A body that breaks off is judged on the part that was received.
  incoming.on('error', () => end());
  return (isStalled) => {
    if (!incoming.complete) end(isStalled);
  };
}

function timedOut({ socket }: ClientRequest, timeoutMs: number): NoResponse {
  const within = `within ${Math.round(timeoutMs)} ms`;
  return socket?.connecting === false
    ? { kind: 'timeout', message: `no response ${within}` }
    : { kind: 'not-connected', message: `no connection ${within}` };
}

const STOPPED: NoResponse = { kind: 'stopped', message: 'stopped before there was a response' };

const UNREACHABLE = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL)$/;
const TLS = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO$)/;

function noResponse(cause: NodeJS.ErrnoException): NoResponse {
  const code = cause.code ?? '';
  // A host name with several addresses gives one error without a message.
  const message = cause.message || code;
  if (UNREACHABLE.test(code))
    return { kind: 'unreachable', message: `the provider cannot be reached: ${whyUnreachable(cause)}` };
  if (isWithoutTls(cause)) return { kind: 'tls', message: reasonOf(cause) };
  if (TLS.test(code)) return { kind: 'tls', message: `TLS fails: ${reasonOf(cause)}` };
  if (code.startsWith('HPE_'))
    return { kind: 'malformed', message: `the response is not well-formed HTTP: ${message}` };
  return { kind: 'reset', message: `the connection ended without a response: ${message}` };
}

/** What a program that opens a connection says, in words. */
function whyUnreachable(cause: NodeJS.ErrnoException): string {
  const [first = cause] = cause instanceof AggregateError ? cause.errors : [];
  const { code, address, port, hostname, message } = first as NodeJS.ErrnoException & Partial<Place>;
  if (code === 'ECONNREFUSED' && address !== undefined)
    return `nothing listens on ${address}:${port} (${code})`;
  if (code === 'ENOTFOUND') return `there is no host with the name ${hostname} (${code})`;
  return message || String(code);
}

/** Where Node could not connect. */
interface Place {
  readonly address: string;
  readonly port: number;
  readonly hostname: string;
}

/** Counts the bytes after the body that Content-Length announces. Node's HTTP parser drops them. */
class SurplusBytes {
  private head = Buffer.alloc(0);
  private bodyBytes = 0;
  private headEnded = false;

  constructor(private readonly socket: Socket) {
    socket.on('data', this.take);
  }

  /**
   * How many bytes came after the body: 0 if its length is not announced.
   *
   * @param rawHeaders names and values in turn
   */
  after(rawHeaders: readonly string[]): number {
    const [length = ''] = headerValues(rawHeaders, 'content-length');
    if (!this.headEnded || headerValues(rawHeaders, 'transfer-encoding').length > 0) return 0;
    return /^\d{1,15}$/.test(length) ? Math.max(0, this.bodyBytes - Number(length)) : 0;
  }

  close(): void {
    this.socket.off('data', this.take);
  }

  private readonly take = (chunk: Buffer): void => {
    if (this.headEnded) {
      this.bodyBytes += chunk.length;
      return;
    }
    this.head = Buffer.concat([this.head, chunk]);
    for (;;) {
      const end = this.head.indexOf(HEAD_END);
      if (end < 0) {
        if (this.head.length > LONGEST_HEAD) this.close();
        return;
      }
      const isInterim = /^HTTP\/1\.\d 1\d\d/.test(this.head.toString('latin1', 0, 12));
      this.head = this.head.subarray(end + HEAD_END.length);
      if (isInterim) continue;
      this.headEnded = true;
      this.bodyBytes = this.head.length;
      this.head = Buffer.alloc(0);
      return;
    }
  };
}
