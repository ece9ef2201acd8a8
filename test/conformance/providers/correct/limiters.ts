import type { Layer } from './provider.js';
import type { Answer } from './write.js';

/** How a limiter rejects a request. It gets the milliseconds after which the request would be accepted. */
export type Refusal = (leftMs: number) => Answer;

const SECOND = 1_000;

function tooMany(retryAfter?: string): Answer {
  return {
    status: 429,
    body: { error: 429, message: 'too many requests' },
    ...(retryAfter !== undefined && { headers: { 'Retry-After': retryAfter } }),
  };
}

/** How nginx rejects with limit_req: it has its own page, and does not say when to come again. */
function pageOfNginx(status: number, reason: string): Answer {
  const title = `${status} ${reason}`;
  return {
    status,
    page: `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`,
  };
}

/** The usual ways to reject. */
export const refusals = {
  '429 and seconds': (leftMs) => tooMany(String(Math.ceil(leftMs / SECOND))),
  '429 and a date': (leftMs) => tooMany(new Date(Date.now() + leftMs).toUTCString()),
  '429 alone': () => tooMany(),
  '429 of nginx': () => pageOfNginx(429, 'Too Many Requests'),
  '503 of nginx': () => pageOfNginx(503, 'Service Temporarily Unavailable'),
} as const satisfies Record<string, Refusal>;

/** Accepts a number of requests in each window of time, as counters in a cache do. */
export function fixedWindow(most: number, refuse: Refusal, windowMs = SECOND): Layer {
  let start = Number.NEGATIVE_INFINITY;
  let seen = 0;
  return async (_call, next) => {
    const now = performance.now();
    if (now - start >= windowMs) [start, seen] = [now, 0];
    return ++seen <= most ? next() : refuse(start + windowMs - now);
  };
}

/** Accepts a burst, and then as many requests as tokens come in, as most gateways do. */
export function tokenBucket(perSecond: number, burst: number, refuse: Refusal): Layer {
  let tokens = burst;
  let last = performance.now();
  return async (_call, next) => {
    const now = performance.now();
    tokens = Math.min(burst, tokens + ((now - last) / SECOND) * perSecond);
    last = now;
    if (tokens < 1) return refuse(((1 - tokens) / perSecond) * SECOND);
    tokens--;
    return next();
  };
}

/** Accepts a request only if the last one is long enough ago, as nginx does without a burst. */
export function leaky(perSecond: number, refuse: Refusal): Layer {
  let last = Number.NEGATIVE_INFINITY;
  return async (_call, next) => {
    const now = performance.now();
    const leftMs = last + SECOND / perSecond - now;
    if (leftMs > 0) return refuse(leftMs);
    last = now;
    return next();
  };
}
