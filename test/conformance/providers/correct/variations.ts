import type { Variation } from './provider.js';
import type { RepeatedId } from './store.js';
import {
  asDate,
  atOnce,
  closesIdleConnections,
  everySoMany,
  lockOut,
  perSecond,
  roundedDown,
  serial,
  slow,
  slowRefusals,
  wrongTokensPerSecond,
} from './traffic.js';
import { escaped, indented, reversed } from './write.js';

/** Correct providers, by what each does where the interface is silent. */
export type Variations = Readonly<Record<string, Variation>>;

const ALL_STATUSES = { token: 401, size: 413, 'media-type': 415, plant: 422, repeated: 409 };

export const statuses: Variations = {
  'every failure is a 400': { statuses: { path: 400, method: 400 } },
  'a missing or wrong token gets 401': { statuses: { token: 401 } },
  'a missing or wrong token gets 403': { statuses: { token: 403 } },
  'a missing or wrong token gets 404': { statuses: { token: 404 } },
  'each failure has the status that is made for it': { statuses: ALL_STATUSES, largest: 100_000 },
  'a bad body is refused before the token is looked at': { validatesFirst: true, statuses: { token: 401 } },
  'an Error has further members': { writing: { errorMembers: { code: 'E1', details: [{ field: null }] } } },
};

const repeatedIds: Readonly<Record<RepeatedId, string>> = {
  refused: 'is refused',
  replaces: 'replaces the plant',
  'answers-old-plant': 'is answered 200 with the plant that there is',
  'answers-201': 'is answered with 201',
  'answers-204': 'is answered with 204',
  'answers-303': 'is answered with 303',
  'answers-500': 'is answered with 500 and an Error',
  'refused-if-equal': 'is refused with the same plant, and replaces another',
  'refused-if-different': 'is refused with another plant, and answered as before with the same',
};

const tight = {
  names: /^[A-Za-z]{1,30}$/,
  tags: /^[a-z]+$/,
  ids: (id: bigint) => id > 0n,
  unknownFields: 'refused',
  repeatedKeys: 'refused',
  otherSpellings: false,
} as const;

/** Those that may meet themselves when they are checked a second time. */
export const stores: Variations = {
  ...Object.fromEntries(
    Object.entries(repeatedIds).map(([repeatedId, what]) => [
      `a repeated id ${what}`,
      { store: { repeatedId: repeatedId as RepeatedId } },
    ]),
  ),
  'names are unique': { store: { uniqueNames: true } },
  'names are unique and ids are not': { store: { uniqueNames: true, repeatedId: 'replaces' } },
  'a repeated id is answered with the plant that there is, which has a tag': {
    store: {
      repeatedId: 'answers-old-plant',
      seed: [-(2n ** 63n), 0n, 2n ** 63n - 1n].map((id) => ({ name: 'Fern', id, tag: 'fern' })),
    },
  },
};

export const plants: Variations = {
  'names have 1 to 30 ASCII letters': { plants: { names: tight.names } },
  'tags are lower-case ASCII words': { plants: { tags: tight.tags } },
  'ids are positive': { plants: { ids: tight.ids } },
  'unknown fields are refused': { plants: { unknownFields: 'refused' } },
  'keys that occur twice are refused': { plants: { repeatedKeys: 'refused' } },
  'ids written 7.0 or 7e0 are refused': { plants: { otherSpellings: false } },
  'all is as tight as it may be': { plants: tight, store: { uniqueNames: true }, largest: 1000 },
};

const LOCKED = { error: 403, message: 'locked' };

/** The scheme in any case, and any number of spaces. */
function readsBearer(value: string, token: string): boolean {
  const [scheme, credentials, ...more] = value.split(/ +/);
  return scheme?.toLowerCase() === 'bearer' && credentials === token && more.length === 0;
}

export const authentication: Variations = {
  'the scheme may be in any case, with spaces after it': { authorization: readsBearer },
  'wrong tokens are answered late': { layers: () => [slowRefusals(300)] },
  'three wrong tokens lock everybody out with 403': {
    layers: () => [lockOut({ status: 403, body: LOCKED })],
  },
  'three wrong tokens lock everybody out with 429': {
    layers: () => [lockOut({ status: 429, body: LOCKED })],
  },
  'three wrong tokens lock everybody out with 429 for an hour': {
    layers: () => [lockOut({ status: 429, body: LOCKED, headers: { 'Retry-After': '3600' } })],
  },
  // One of these ends between the probes that it concerns and the one that looks whether there is a lock-out.
  ...Object.fromEntries(
    [16, 17, 18, 19, 20].map((requests) => [
      `three wrong tokens lock everybody out for ${requests} requests`,
      { layers: () => [lockOut({ status: 403, body: LOCKED }, 3, requests)] },
    ]),
  ),
};

export const limits: Variations = {
  'a body above 100 kB is answered with 413': { largest: 100_000, statuses: { size: 413 } },
  'a body above 100 kB is answered with 413 before its end': {
    ...{ largest: 100_000, tooLarge: 'answered-early', statuses: { size: 413 } },
  },
  'a body above 100 kB is answered, and the answer broken off': { largest: 100_000, tooLarge: 'broken-off' },
  'the connection is reset when a body is above 100 kB': { largest: 100_000, tooLarge: 'reset' },
};

export const writings: Variations = {
  'answers are in gzip': { writing: { coding: 'gzip' } },
  'answers are in deflate': { writing: { coding: 'deflate' } },
  'answers are in Brotli, in chunks': { writing: { coding: 'br', chunkBytes: 7 } },
  'answers come in chunks of a byte': { largest: 10_000, writing: { chunkBytes: 1 } },
  'answers end with the connection': { writing: { untilClose: true } },
  'connections are closed after each answer': { writing: { close: true } },
  'interim answers come before each answer': { writing: { interim: true } },
  'answers have headers of 20 kB': {
    writing: { headers: { 'Content-Security-Policy': 'a '.repeat(10_000).trim() } },
  },
  'JSON is indented and ends with a line break': { writing: { json: indented } },
  'JSON is ASCII, with escapes': { writing: { json: escaped } },
  'members come in the reverse order': { writing: { json: reversed } },
  'answers have further headers': {
    writing: {
      headers: { 'Set-Cookie': ['a=1', 'b=2'], Server: 'plants/1', 'X-Request-Id': '7', ETag: '"1"' },
    },
  },
  ...Object.fromEntries(
    [
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'Application/JSON',
      'application/json ;',
      'application/json; profile="https://example.org/a;b"',
    ].map((mediaType) => [`answers are ${mediaType}`, { writing: { mediaType } }]),
  ),
};

export const traffic: Variations = {
  'answers take 50 ms': { layers: () => [slow(50)] },
  'answers overtake each other': { layers: () => [slow(() => Math.random() * 40)] },
  'requests are worked on one after the other': { layers: () => [serial(), slow(5)] },
  'idle connections are closed at once': { server: closesIdleConnections },
  'five connections may wait to be accepted': { backlog: 5 },
  'one connection may wait to be accepted': { backlog: 1 },
  'it stands behind a base path': { basePath: '/api/v1' },
};

/** These take some seconds each: the check has to wait. */
export const throttling: Variations = {
  'every 10th request gets 429 with Retry-After: 1': { layers: () => [everySoMany(10)] },
  'every 10th request gets 503 with Retry-After: 1': { layers: () => [everySoMany(10, 503)] },
  'every 7th request gets 429 with Retry-After: 0': { layers: () => [everySoMany(7, 429, () => '0')] },
  '60 requests a second are taken': { layers: () => [perSecond(60)] },
  '60 requests a second are taken, and Retry-After is a date': { layers: () => [perSecond(60, asDate)] },
  '60 requests a second are taken, and Retry-After is rounded down': {
    layers: () => [perSecond(60, roundedDown)],
  },
  'four requests at once are taken': { layers: () => [atOnce(4), slow(5)] },
  'three wrong tokens a second are taken': { layers: () => [wrongTokensPerSecond(3)] },
};
