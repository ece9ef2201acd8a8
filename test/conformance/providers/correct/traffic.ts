import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Layer } from './provider.js';
import type { Answer } from './write.js';

function tooMany(status: number, retryAfter: string): Answer {
  const body = { error: status, message: 'too many requests' };
  return { status, headers: { 'Retry-After': retryAfter }, body };
}

/** Every so many requests, one is told to come again in a second. */
export function everySoMany(many: number, status = 429, retryAfter: () => string = () => '1'): Layer {
  let seen = 0;
  return async (_call, next) => (++seen % many === 0 ? tooMany(status, retryAfter()) : next());
}

const SECOND = 1000;

/**
 * So many requests in each second of the clock.
 *
 * @param retryAfter the field when so many milliseconds of the second are left
 */
export function perSecond(most: number, retryAfter: (left: number) => string = () => '1'): Layer {
  let second = 0;
  let seen = 0;
  return async (_call, next) => {
    const now = Date.now();
    if (Math.floor(now / SECOND) !== second) [second, seen] = [Math.floor(now / SECOND), 0];
    return ++seen <= most ? next() : tooMany(429, retryAfter(SECOND - (now % SECOND)));
  };
}

export function asDate(left: number): string {
  return new Date(Date.now() + left).toUTCString();
}

/** A client that believes this comes too early. */
export function roundedDown(left: number): string {
  return String(Math.floor(left / SECOND));
}

/** So many requests under way at once. */
export function atOnce(most: number, status = 503): Layer {
  let underWay = 0;
  return async (_call, next) => {
    if (underWay >= most) return tooMany(status, '1');
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

/** One request after the other. */
export function serial(): Layer {
  let last: Promise<unknown> = Promise.resolve();
  return (_call, next) => {
    const answer = last.then(next);
    last = answer;
    return answer;
  };
}

/** Whoever has no right token waits, so that guessing one takes long. */
export function slowRefusals(ms: number): Layer {
  return async ({ isAuthorised }, next) => {
    if (!isAuthorised) await sleep(ms);
    return next();
  };
}

/** A connection is closed as soon as it is idle, just when its client may want it again. */
export function closesIdleConnections(server: Server): void {
  server.on('request', (request, response) => {
    response.once('finish', () => setImmediate(() => request.socket.destroy()));
  });
}

/**
 * After so many wrong tokens nobody is let in for a while, the right token included: the while is so many requests
 * here, since a test knows no times.
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

/** So many wrong tokens a second; whoever has the right one is not concerned. */
export function wrongTokensPerSecond(most: number): Layer {
  const limited = perSecond(most);
  return (call, next) => (call.isAuthorised ? next() : limited(call, next));
}
