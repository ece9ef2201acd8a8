import {
  declaredReadersOnly,
  jsonReadersOnly,
  knownAddressesOnly,
  namedAgentsOnly,
  noQueries,
  otherOperations,
  ownOriginOnly,
  wellFormedCookiesOnly,
} from './fields.js';

import { fixedWindow, leaky, refusals, tokenBucket } from './limiters.js';

import type { Variation } from './provider.js';
import type { DuplicateId } from './store.js';
import {
  atOnce,
  closesAfter,
  closesIdleConnections,
  everySoMany,
  lockOut,
  perSecond,
  roundedDown,
  serial,
  servesConnections,
  slow,
  slowRejections,
  withPage,
  wrongTokensPerSecond,
} from './traffic.js';
import {
  closesInContinue,
  keepsFieldsOfConnection,
  rejectsBeforeTheBody,
  rejectsChunks,
  rejectsExpectations,
  sendsNoContinue,
} from './transfers.js';
import { spelledInAnotherWay } from './write.js';

/** Correct providers that differ where the interface says nothing. The key says what each does. */
export type Variations = Readonly<Record<string, Variation>>;

const ALL_STATUSES = { token: 401, size: 413, 'media-type': 415, plant: 422, duplicate: 409 };

export const statuses: Variations = {
  'a missing or wrong token returns 404': { statuses: { token: 404 } },
  'each failure has its own status': { statuses: ALL_STATUSES, largest: 100_000 },
  'a bad body is rejected before the token is checked': { validatesFirst: true, statuses: { token: 401 } },
  'an Error has further members': { writing: { errorMembers: { code: 'E1', details: [{ field: null }] } } },
};

const duplicateIds: Readonly<Record<Exclude<DuplicateId, 'answers-old-plant'>, string>> = {
  rejected: 'is rejected',
  'answers-303': 'returns 303',
  'rejected-if-equal': 'is rejected for the same plant, and replaces another',
  'rejected-if-different': 'is rejected for another plant, and returns the same for the same plant',
};

const tight = {
  names: /^[A-Za-z]{1,30}$/,
  tags: /^[a-z]+$/,
  ids: (id: bigint) => id > 0n,
  unknownFields: 'rejected',
  duplicateKeys: 'rejected',
  otherSpellings: false,
} as const;

/** Providers that may respond differently to a second check, because they store plants. */
export const stores: Variations = {
  ...Object.fromEntries(
    Object.entries(duplicateIds).map(([duplicateId, what]) => [
      `a duplicate id ${what}`,
      { store: { duplicateId: duplicateId as DuplicateId } },
    ]),
  ),
  'names are unique': { store: { uniqueNames: true } },
  'all rejections have the same message, which is empty': { quotes: () => '' },
  'the message about a duplicate id shows the plant that has it': {
    store: {
      showsExisting: true,
      seed: [3n, 2n ** 31n - 1n, 2n ** 32n, 2n ** 53n].map((id) => ({ name: 'Fern', id, tag: 'fern' })),
    },
  },
  'a duplicate id returns the existing plant, which has a tag': {
    store: {
      duplicateId: 'answers-old-plant',
      seed: [-(2n ** 63n), 0n, 2n ** 63n - 1n].map((id) => ({ name: 'Fern', id, tag: 'fern' })),
    },
  },
};

export const plants: Variations = {
  'ids are positive': { plants: { ids: tight.ids } },
  'JSON is nested in at most five levels': { plants: { depth: 5 } },
  'keys that mean something to programs are rejected everywhere': {
    plants: { forbiddenKeys: /^(?:__proto__|constructor|prototype|[$@].*|.*\..*|.*\0.*|.{100,}|)$/s },
  },
  'numbers that no double holds are rejected everywhere': { plants: { finite: true } },
  'a byte-order mark, NaN and infinity are accepted': { plants: { lenient: true } },
  'everything is as strict as possible': { plants: tight, store: { uniqueNames: true }, largest: 1000 },
};

const LOCKED = { error: 403, message: 'locked' };

/** The scheme in any case, and any number of spaces. */
function readsBearer(value: string, token: string): boolean {
  const [scheme, credentials, ...more] = value.split(/ +/);
  return scheme?.toLowerCase() === 'bearer' && credentials === token && more.length === 0;
}

export const authentication: Variations = {
  'the scheme may be in any case, with spaces after it': { authorization: readsBearer },
  'a list of tokens may have one right token, as two headers may': {
    authorization: (value, token) => value.split(/, */).some((one) => readsBearer(one, token)),
    joinsAuthorizations: true,
  },
};

/** With wrong tokens, a check of these is incomplete, and names the lockout. */
export const lockouts: Variations = {
  'three wrong tokens lock all clients out with 403': {
    layers: () => [lockOut({ status: 403, body: LOCKED })],
  },
  'three wrong tokens lock all clients out with 429 for an hour': {
    layers: () => [lockOut({ status: 429, body: LOCKED, headers: { 'Retry-After': '3600' } })],
  },
  // Some of these lockouts end within the wrong tokens, others while the check looks for a lockout.
  ...Object.fromEntries(
    [24, 42].map((requests) => [
      `three wrong tokens lock all clients out for ${requests} requests`,
      { layers: () => [lockOut({ status: 403, body: LOCKED }, 3, requests)] },
    ]),
  ),
};

export const fields: Variations = {
  'clients that do not say that they accept JSON are rejected': { layers: () => [declaredReadersOnly] },
  'malformed cookies are rejected': { layers: () => [wellFormedCookiesOnly] },
  'fields that name another operation are obeyed': { layers: () => [otherOperations] },
  'clients of other origins and some addresses, without JSON or a User-Agent, and queries are rejected': {
    layers: () => [jsonReadersOnly, ownOriginOnly, namedAgentsOnly, knownAddressesOnly, noQueries],
    statuses: { token: 401 },
  },
};

export const limits: Variations = {
  'a body above 100 kB returns 413 before its end': {
    largest: 100_000,
    tooLarge: 'answered-early',
    statuses: { size: 413 },
  },
  'a body above 100 kB gets an incomplete response': { largest: 100_000, tooLarge: 'broken-off' },
  'a body above 100 kB resets the connection': { largest: 100_000, tooLarge: 'reset' },
};

export const writings: Variations = {
  'responses are in Brotli, in chunks': { writing: { coding: 'br', chunkBytes: 7 } },
  'responses end with the connection': { writing: { untilClose: true } },
  'connections are closed after each response': { writing: { close: true } },
  'interim responses come before each response': { writing: { interim: true } },
  'responses have headers of 20 kB': {
    writing: { headers: { 'Content-Security-Policy': 'a '.repeat(10_000).trim() } },
  },
  'JSON is indented, in ASCII with escapes, and its members come in the reverse order': {
    writing: { json: spelledInAnotherWay },
  },
  'responses have a charset and further headers': {
    writing: {
      mediaType: 'application/json; charset=utf-8',
      headers: { 'Set-Cookie': ['a=1', 'b=2'], Server: 'plants/1', 'X-Request-Id': '7', ETag: '"1"' },
    },
  },
  'responses are Application/JSON, with a parameter in quotes': {
    writing: { mediaType: 'Application/JSON; profile="https://example.org/a;b"' },
  },
};

export const traffic: Variations = {
  'responses overtake each other': { layers: () => [slow(() => Math.random() * 40)] },
  'idle connections are closed after 1 ms': { server: closesIdleConnections(1) },
  'a connection carries five requests': { server: closesAfter(5) },
  'one connection is served at a time': { server: servesConnections(1) },
  'six connections are accepted, as many as a browser opens': {
    server(server) {
      server.maxConnections = 6;
    },
  },
  'it has a base path': { basePath: '/api/v1' },
};

export const transfers: Variations = {
  'bodies in chunks return 501': { layers: () => [rejectsChunks(501)] },
  'Expect: 100-continue returns 417': { server: rejectsExpectations },
  'there is no 100 before the body': { server: sendsNoContinue },
  'a 100 has "Connection: close"': { server: closesInContinue },
  'a missing token is rejected before the body is read': {
    server: rejectsBeforeTheBody,
    statuses: { token: 401 },
  },
  'a token is read as an earlier one of the connection in another case': { server: keepsFieldsOfConnection },
};

/** The check of each of these waits for some seconds. */
export const waiting: Variations = {
  'responses take 100 ms, and ten connections are served at a time': {
    layers: () => [slow(100)],
    server: servesConnections(10),
  },
  'the responses to wrong tokens are late': { layers: () => [slowRejections(300)] },
  'every 50th request returns 429 with Retry-After: 1, and a page': {
    layers: () => [withPage(429), everySoMany(50)],
  },
  'every 20th request returns 429 with Retry-After: 0': { layers: () => [everySoMany(20, () => '0')] },
  '60 requests a second are accepted, and Retry-After is rounded down': {
    layers: () => [perSecond(60, roundedDown)],
  },
  'ten wrong tokens a second are accepted before 429': { layers: () => [wrongTokensPerSecond(10)] },
};

/** A check of each of these takes up to two minutes. It sends everything. */
export const scarce: Variations = {
  'one request is processed at a time, and takes 150 ms': { layers: () => [serial(), slow(150)] },
  'responses take 1.5 s': { layers: () => [slow(1_500)] },
  '5 requests a second are accepted, and others get 429 and seconds': {
    layers: () => [fixedWindow(5, refusals['429 and seconds'])],
  },
  '10 requests a second are accepted, and others get 429 and a date': {
    layers: () => [fixedWindow(10, refusals['429 and a date'])],
  },
  '20 requests a second are accepted, and others get 429 and seconds': {
    layers: () => [fixedWindow(20, refusals['429 and seconds'])],
  },
  'a burst of 20 is accepted, and then 5 a second': {
    layers: () => [tokenBucket(5, 20, refusals['429 and seconds'])],
  },
  '60 requests a second are accepted, and others get 429 alone': {
    layers: () => [fixedWindow(60, refusals['429 alone'])],
  },
  'four concurrent requests are accepted, and others get 503 alone': {
    layers: () => [atOnce(4), slow(5)],
  },
};

/** These are checked with `--rate 9`. */
export const withoutBurst: Variations = {
  'nginx accepts 10 requests a second without a burst, and others get 503 alone': {
    layers: () => [leaky(10, refusals['503 of nginx'])],
  },
};
