import type { IncomingMessage } from 'node:http';
import type { Layer } from './provider.js';
import type { Variations } from './variations.js';
import type { Answer } from './write.js';

/** A page of the HTTP server or the framework itself, which the author of a provider cannot change. */
function page(status: number): Answer {
  return { status, page: `<!DOCTYPE html><title>${status}</title><h1>${status}</h1>` };
}

/** Responds to some requests with such a page. */
function pageIf(isMeant: (request: IncomingMessage, body: Buffer) => boolean, status: number): Layer {
  return async ({ request, body }, next) => (isMeant(request, body) ? page(status) : next());
}

const hasTrailer = ({ rawTrailers }: IncomingMessage): boolean => rawTrailers.length > 0;
const isChunked = ({ headers }: IncomingMessage): boolean => headers['transfer-encoding'] !== undefined;

/** Ends the connection of some requests without a response. */
const breaksOffAtTrailers: Layer = async ({ request }, next) => {
  if (hasTrailer(request)) request.socket.destroy();
  return next();
};

/** Never responds to some requests. */
const hangsAtTrailers: Layer = async ({ request }, next) =>
  hasTrailer(request) ? new Promise<Answer>(() => {}) : next();

/** Correct providers whose HTTP server, framework or database fails in its own way where the interface shows no limits. */
export const ownFailures: Variations = {
  'a name of a million letters returns 500 with a page': {
    layers: () => [pageIf((_request, body) => body.length > 1_000_000, 500)],
  },
  'thousands of nested arrays return 500 with a page': {
    layers: () => [pageIf((_request, body) => body.includes('['.repeat(1_000)), 500)],
  },
  // As a database does that cannot store it: a plant without an id is rejected before.
  'half a surrogate pair returns 500 with a page': {
    layers: () => [pageIf((_request, body) => hasHalfAPair(body.toString()), 500)],
  },
  'bodies in chunks return 411 with a page': { layers: () => [pageIf(isChunked, 411)] },
  'odd chunks return 500 with a page': { layers: () => [pageIf(hasTrailer, 500)] },
  'odd chunks end the connection': { layers: () => [breaksOffAtTrailers] },
  'odd chunks get no response': { layers: () => [hangsAtTrailers] },
  'HTTP/1.0 returns 505 with a page': {
    layers: () => [pageIf(({ httpVersion }) => httpVersion === '1.0', 505)],
  },
};

function hasHalfAPair(body: string): boolean {
  return body.includes('"id"') && /(?<!\\)(?:\\\\)*\\ud8(?!3c\\udf35)/i.test(body);
}
