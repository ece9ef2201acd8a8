import { headerValues } from '../../http/fields.js';
import { type Exchange, type NoResponse, type ProbeRequest, sentIn } from '../exchange.js';
import type { CheckSettings } from '../options.js';
import { freshValues, type Probe, type ProbeValues } from '../probe.js';
import { plainPlant } from '../topics/plain.js';
import { callHandler } from './fetch-handler.js';
import { type Sending, type SendResult, send } from './http.js';

/** What one request gets that is not the same for all requests of a session. */
export interface Way extends Partial<Sending> {
  /** Why the request is not sent after all. */
  readonly whyNot?: string | undefined;
}

/** A request that was sent, and what came back. */
export interface Sent {
  /** It gets its number when nothing more has to be known about it. */
  readonly exchange: Omit<Exchange, 'index'>;
  /** Milliseconds that connecting took; 0 for a connection that was open already. */
  readonly connectMs: number;
}

/**
 * Sends requests to one provider, and makes an exchange of each. What is sent when, and when it is given up, is different in
 * a check and in exploring: each has a session of its own kind.
 */
export abstract class Session {
  /** Values that nothing else in this session has. */
  readonly values: ProbeValues;
  private readonly start: number;
  private awayMs = 0;
  /** The field Accept of every request that has none of its own, if the provider demands one. */
  accept: string | undefined;

  /** @param startMs when the session starts, in milliseconds since the start of the run */
  constructor(
    protected readonly settings: CheckSettings,
    startMs = 0,
  ) {
    this.start = performance.now() - startMs;
    this.values = freshValues(settings.tokens);
    this.accept = settings.accept;
  }

  /** Milliseconds since the start of the run. */
  get elapsedMs(): number {
    return performance.now() - this.start;
  }

  /** Milliseconds that the run itself has taken. */
  get spentMs(): number {
    return this.elapsedMs - this.awayMs;
  }

  /** Does other work. Its time does not count towards the time of the run. */
  async awayFor<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    return work().finally(() => {
      this.awayMs += performance.now() - start;
    });
  }

  /** Ends every wait. */
  protected get waiting(): AbortSignal {
    return this.settings.signal;
  }

  /** Whether other requests are under way. */
  protected abstract readonly isShared: boolean;

  protected plainPlant(): ProbeRequest {
    const [request] = plainPlant.requests(this.values);
    return request as ProbeRequest;
  }

  /** Sends one request, and makes an exchange of it. */
  protected async sendOne(
    probe: Pick<Probe, 'name' | 'expectation'>,
    made: ProbeRequest,
    place: Pick<Exchange, 'step' | 'role'>,
    way: Way = {},
  ): Promise<Sent> {
    const { settings } = this;
    const { timeoutMs = settings.timeoutMs } = way;
    const request = this.accept === undefined ? made : withAccept(made, this.accept);
    const startMs = this.elapsedMs;
    // Both moments count: the request that delayed this one may have ended before this one does.
    const wasShared = this.isShared;
    const { response, failure, reusedConnection, connectMs } = await deliver(settings, request, {
      ...way,
      timeoutMs,
    });
    const durationMs = this.elapsedMs - startMs;
    const exchange = {
      ...place,
      probe: probe.name,
      request,
      sent: sentIn(request),
      expectation: request.expectation ?? probe.expectation,
      response,
      failure: timeoutMs < settings.timeoutMs ? asUnfinished(failure) : failure,
      reusedConnection,
      startMs,
      shared: wasShared || this.isShared,
      durationMs,
    };
    return { exchange, connectMs };
  }
}

function withAccept(request: ProbeRequest, value: string): ProbeRequest {
  const { headers } = request;
  if (headerValues(headers, 'accept').length > 0) return request;
  return { ...request, headers: [...headers, ['Accept', value]] };
}

/** Brings a request to the provider: calls its function, or sends the request on a connection. */
async function deliver(
  settings: CheckSettings,
  request: ProbeRequest,
  { whyNot, ...way }: Way & Pick<Sending, 'timeoutMs'>,
): Promise<SendResult> {
  const { fetch, signal } = settings;
  if (whyNot !== undefined)
    return {
      failure: { kind: 'not-sent', message: `not sent: ${whyNot}` },
      reusedConnection: false,
      connectMs: 0,
    };
  if (fetch !== undefined) return callHandler(fetch, settings, request, { ...way, signal });
  return send(settings, request, { ...way, signal });
}

/** A request that had less time than the provider may take was not waited for, and says nothing about the provider. */
function asUnfinished(failure: NoResponse | undefined): NoResponse | undefined {
  if (failure?.kind !== 'timeout' && failure?.kind !== 'not-connected') return failure;
  return { kind: 'stopped', message: 'no response before the check had to end' };
}

/** Sends so many requests one after the other, until one is not sent. */
export async function inOrder(
  length: number,
  send: (step: number) => Promise<Exchange | undefined>,
): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for (let step = 0; step < length; step++) {
    const exchange = await send(step);
    if (exchange === undefined) break;
    exchanges.push(exchange);
  }
  return exchanges;
}
