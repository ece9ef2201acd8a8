import { headerValues } from '../../http/fields.js';
import { Rejection } from '../error-codes.js';
import type { Faults } from './names.js';

const TOO_MANY = 'too many requests';

/** Valid plants get a 5xx or no response. */
export const availabilityFaults = {
  'fails-on-nul': {
    title: 'A name with the character U+0000 gets a 500, as from a database that cannot store it.',
    breaks: ['success/valid-plant-is-processed'],
    replace: ({ create }) => ({
      create: async (plant, request) =>
        plant.name.includes('\0')
          ? new Rejection('internal-error', 'the database failed')
          : await create(plant, request),
    }),
  },
  'resets-chunked-bodies': {
    title: 'A body in chunks gets a connection reset.',
    breaks: ['success/valid-plant-is-processed'],
    replace: ({ deliver }) => ({
      deliver(response, request) {
        const isChunked = headerValues(request.headers, 'transfer-encoding').length > 0;
        return isChunked ? { ...response, delivery: 'reset' } : deliver(response, request);
      },
    }),
  },
  'dies-at-request-60': {
    title: 'From the 60th request on, every connection is reset.',
    breaks: ['state/provider-keeps-responding'],
    replace: ({ deliver }) => {
      let requests = 0;
      return {
        deliver: (response, request) =>
          ++requests < 60 ? deliver(response, request) : { ...response, delivery: 'reset' },
      };
    },
  },
  'fails-now-and-then': {
    title: 'Every 61st creation gets a 500.',
    breaks: ['state/no-intermittent-failures'],
    replace: ({ create }) => {
      let creations = 0;
      return {
        create: async (plant, request) =>
          ++creations % 61 === 0
            ? new Rejection('internal-error', 'the database failed')
            : await create(plant, request),
      };
    },
  },
  'creates-twice-now-and-then': {
    title:
      'Every 31st creation is done twice, as by a gateway that sends it again. The second one gets the response.',
    breaks: ['state/no-intermittent-failures'],
    replace: ({ create }) => {
      let creations = 0;
      return {
        async create(plant, request) {
          const created = await create(plant, request);
          return ++creations % 31 === 0 ? create(plant, request) : created;
        },
      };
    },
  },
  'limits-with-503': {
    title: 'Every 7th request gets a 503 without Retry-After.',
    breaks: ['success/valid-plant-is-processed'],
    replace: ({ route, reject }) => {
      let requests = 0;
      return {
        route: (request) =>
          ++requests % 7 === 0 ? new Rejection('internal-error', TOO_MANY) : route(request),
        reject(rejection, request) {
          const response = reject(rejection, request);
          return rejection.message === TOO_MANY ? { ...response, status: 503 } : response;
        },
      };
    },
  },
} satisfies Faults;
