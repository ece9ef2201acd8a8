import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Layer } from './provider.js';
import type { Answer } from './write.js';

function tooMany(retryAfter: string): Answer {
  return { ...busy(429), headers: { 'Retry-After': retryAfter } };
}

function busy(status: number): Answer {
  return { status, body: { error: status, message: 'too many requests' } };
}

/** A page instead of JSON. */
export function pageOf(status: number): Answer {
  return { status, page: `<!DOCTYPE html><title>${status}</title><h1>${status}</h1>` };
}

/** Responds with a page if the status is this one. */
export function withPage(status: number): Layer {
  return async (_call, next) => {
    const answer = await next();
    return answer.status === status ? pageOf(status) : answer;
  };
}

/** Rejects every n-th request, and asks the client to repeat it. */
export function everySoMany(many: number, retryAfter = () => '1'): Layer {
  let seen = 0;
  return async (_call, next) => (++seen % many === 0 ? tooMany(retryAfter()) : next());
}

const SECOND = 1000;

/**
 * Accepts a number of requests in each second of the clock.
 *
 * @param retryAfter makes the value of Retry-After from the milliseconds that are left of the second
 */
export function perSecond(most: number, retryAfter: (left: number) => string = () => '1'): Layer {
  let second = 0;
  let seen = 0;
  return async (_call, next) => {
    const now = Date.now();
    if (Math.floor(now / SECOND) !== second) [second, seen] = [Math.floor(now / SECOND), 0];
    return ++seen <= most ? next() : tooMany(retryAfter(SECOND - (now % SECOND)));
  };
}

/** A value that makes the client come back too early. */
export function roundedDown(left: number): string {
  return String(Math.floor(left / SECOND));
}

/** Accepts a number of concurrent requests. */
export function atOnce(most: number): Layer {
  let underWay = 0;
  return async (_call, next) => {
    if (underWay >= most) return busy(503);
    underWay++;
    try {
      return await next();
    } finally {
      underWay--;
    }
  };
}

export function slow(ms: number | (() => number)): Layer {
  return async (_call, next) => {
    await sleep(typeof ms === 'number' ? ms : ms());
    return next();
  };
}

/** Processes one request after the other. */
export function serial(): Layer {
  let last: Promise<unknown> = Promise.resolve();
  return (_call, next) => {
    const answer = last.then(next);
    last = answer;
    return answer;
  };
}

/** Responds late to wrong tokens, so guessing a token takes long. */
export function slowRejections(ms: number): Layer {
  return async ({ isAuthorised }, next) => {
    if (!isAuthorised) await sleep(ms);
    return next();
  };
}

/** Closes each connection when it has been idle for a while, which may be when the client is about to use it again. */
export function closesIdleConnections(afterMs: number): (server: Server) => void {
  return (server) => {
    const waiting = new WeakMap<Socket, NodeJS.Timeout>();
    server.on('request', ({ socket }, response) => {
      clearTimeout(waiting.get(socket));
      response.once('finish', () =>
        waiting.set(
          socket,
          setTimeout(() => socket.destroy(), afterMs),
        ),
      );
    });
  };
}

/** Closes each connection after so many requests, without a word. */
export function closesAfter(requests: number): (server: Server) => void {
  return (server) => {
    const seen = new WeakMap<Socket, number>();
    server.on('request', ({ socket }, response) => {
      const count = (seen.get(socket) ?? 0) + 1;
      seen.set(socket, count);
      if (count === requests) response.once('finish', () => socket.end());
    });
  };
}

/** Serves so many connections at once, each until it ends. Others are open and wait. */
export function servesConnections(atOnce: number): (server: Server) => void {
  return (server) => {
    const [serve] = server.listeners('connection');
    server.removeAllListeners('connection');
    const waiting: Socket[] = [];
    let served = 0;
    const next = (): void => {
      const socket = served < atOnce ? waiting.shift() : undefined;
      if (socket === undefined) return;
      served++;
      socket.once('close', () => {
        served--;
        next();
      });
      serve?.call(server, socket);
      next();
    };
    server.on('connection', (socket) => {
      socket.on('error', () => {});
      waiting.push(socket);
      next();
    });
  };
}

/**
 * After a number of wrong tokens, rejects every request for a while, even with the right token. The while is a number
 * of requests, so the test does not depend on time.
 */
export function lockOut(answer: Answer, after = 3, requests = Number.POSITIVE_INFINITY): Layer {
  let wrong = 0;
  let left = 0;
  return async ({ isAuthorised, request }, next) => {
    if (left > 0) {
      left--;
      return answer;
    }
    if (!isAuthorised && request.headers.authorization !== undefined && ++wrong === after) {
      wrong = 0;
      left = requests;
    }
    return next();
  };
}

/** Accepts a number of wrong tokens a second before 429. The right token is never limited. */
export function wrongTokensPerSecond(most: number): Layer {
  const limited = perSecond(most);
  return (call, next) => (call.isAuthorised ? next() : limited(call, next));
}
