import type { IncomingMessage } from 'node:http';
import type { Layer } from './provider.js';
import { pageOf, withPage } from './traffic.js';
import type { Variations } from './variations.js';
import type { Answer } from './write.js';

/** Takes the body away from the responses with a status. */
function withoutBody(status: number): Layer {
  return async (_call, next) => {
    const { body: _, ...answer } = await next();
    return answer.status === status ? answer : { ...answer, ...(_ !== undefined && { body: _ }) };
  };
}

/** The limit of the header section in characters. */
const LONGEST_HEAD = 4_096;

/** Responds to some requests with a page of the HTTP server or the framework itself, which an author cannot change. */
function pageIf(isMeant: (request: IncomingMessage, body: Buffer) => boolean, status: number): Layer {
  return async ({ request, body }, next) => (isMeant(request, body) ? pageOf(status) : next());
}

const hasTrailer = ({ rawTrailers }: IncomingMessage): boolean => rawTrailers.length > 0;

/** Ends the connection of some requests without a response. */
const breaksOffAtTrailers: Layer = async ({ request }, next) => {
  if (hasTrailer(request)) request.socket.destroy();
  return next();
};

/** Never responds to some requests. */
const hangsAtTrailers: Layer = async ({ request }, next) =>
  hasTrailer(request) ? new Promise<Answer>(() => {}) : next();

/** Correct providers whose failures have no Error as a body, or that fail in their own way, where the interface shows no limits. */
export const failures: Variations = {
  'a missing or wrong token returns 401, and a duplicate id 409, without a body': {
    statuses: { token: 401, duplicate: 409 },
    layers: () => [withoutBody(401), withoutBody(409)],
  },
  'each limit returns a 4xx with a page': {
    largest: 100_000,
    statuses: { size: 413 },
    layers: () => [
      withPage(413),
      pageIf(({ rawHeaders }) => rawHeaders.join('').length > LONGEST_HEAD, 431),
      pageIf(({ headers }) => headers['transfer-encoding'] !== undefined, 411),
    ],
  },
  'what only testers send returns 5xx with a page': {
    layers: () => [
      pageIf((_request, body) => body.length > 65_536, 502),
      pageIf(({ headersDistinct }) => (headersDistinct.authorization ?? []).length > 1, 500),
      pageIf(hasTrailer, 500),
      pageIf(({ httpVersion }) => httpVersion === '1.0', 505),
    ],
  },
  'odd chunks end the connection': { layers: () => [breaksOffAtTrailers] },
  'odd chunks get no response': { layers: () => [hangsAtTrailers] },
};
