import type { Layer } from './provider.js';
import { everySoMany } from './traffic.js';
import type { Variations } from './variations.js';

/** Takes the body away from the responses with a status. */
function withoutBody(status: number): Layer {
  return async (_call, next) => {
    const { body: _, ...answer } = await next();
    return answer.status === status ? answer : { ...answer, ...(_ !== undefined && { body: _ }) };
  };
}

/** Responds with a page instead of JSON if the status is one of these. */
function withPage(status: number): Layer {
  return async (_call, next) => {
    const answer = await next();
    return answer.status === status ? { status, page: `<h1>${status}</h1>` } : answer;
  };
}

/** The limit of the header section in characters. */
const LONGEST_HEAD = 4_096;

/** Rejects a long header section, as the HTTP server itself does. */
const longHeadsGetAPage: Layer = async ({ request }, next) =>
  request.rawHeaders.join('').length > LONGEST_HEAD ? { status: 431, page: '<h1>431</h1>' } : next();

/** Correct providers whose failures have no Error as a body, where the interface shows none. */
export const failures: Variations = {
  'a missing or wrong token returns 401 without a body': {
    statuses: { token: 401 },
    layers: () => [withoutBody(401)],
  },
  'a duplicate id returns 409 without a body': {
    statuses: { duplicate: 409 },
    layers: () => [withoutBody(409)],
  },
  'a body above 100 kB returns 413 with a page': {
    ...{ largest: 100_000, statuses: { size: 413 } },
    layers: () => [withPage(413)],
  },
  'a header section above 4 kB returns 431 with a page': { layers: () => [longHeadsGetAPage] },
};

/** The same, but the check waits for some seconds. */
export const waitingFailures: Variations = {
  'every 10th request returns 429 with a page': { layers: () => [withPage(429), everySoMany(10)] },
};

/** Providers that break no documented rule, although they break an implied one. */
export const documentedOnly: Variations = {
  'a missing or wrong token returns 401 with a page': {
    statuses: { token: 401 },
    layers: () => [withPage(401)],
  },
  'keys are read in any case, and the last one counts': { plants: { foldsKeys: true } },
  'a tag of null counts as missing': { plants: { nullTags: true } },
  'what follows the JSON is ignored': { plants: { ignoresRest: true } },
  'strings have at most 20 characters': {
    plants: { names: /^[\s\S]{1,20}$/, tags: /^[\s\S]{1,20}$/ },
  },
};
