import { Rejection } from '../../../src/server/error-codes.js';
import { withMediaType } from '../../../src/server/faults/responses.js';
import { breaking } from './breaking.js';
import { quotesName } from './simple/errors.js';
import { withoutStrings } from './simple/input.js';

/** Rejects a plant without an id with 500 if its name is of a certain kind. */
function failsOnName(isMeant: (name: string) => boolean) {
  return quotesName((name, response) => (isMeant(name) ? { ...response, status: 500 } : response));
}

const LONGEST_NAME = 1024;

/** The response to a rejected request is wrong, or quotes the request and breaks. */
export const errorFaults = {
  ...breaking(['failure/body-is-an-error'], {
    // The first bytes are quoted, and may end in the middle of a character.
    'cuts-names-in-characters': quotesName((name, response, start) => {
      // Latin-1 keeps every byte, and an escape is whole.
      const cut = Buffer.from(name.toWellFormed()).subarray(0, LONGEST_NAME).toString('latin1');
      return { ...response, body: Buffer.from(`${start}${JSON.stringify(cut).slice(1, -1)}"}`, 'latin1') };
    }),
  }),
  ...breaking(['failure/rare-input-is-answered'], {
    // A percent sign means something in a format.
    'formats-messages': failsOnName((name) => name.includes('%')),
    'fails-on-half-surrogates': failsOnName((name) => !name.isWellFormed()),
    // As a writer does that takes each half of a pair for a character.
    'writes-half-surrogates': quotesName((name, response, start) =>
      name.isWellFormed()
        ? response
        : {
            ...response,
            body: Buffer.concat([Buffer.from(start), Buffer.of(0xed, 0xa0, 0x80), Buffer.from('"}')]),
          },
    ),
    // As Python does, above 4,300.
    'fails-on-many-digits': ({ readBody }) => ({
      readBody: (request) =>
        /\d{4301}/.test(withoutStrings(Buffer.from(request.body ?? []).toString('latin1')))
          ? new Rejection('internal-error', 'the number has too many digits')
          : readBody(request),
    }),
  }),
  ...breaking(['failure/other-4xx-is-json', 'failure/other-4xx-is-an-error'], {
    // A firewall takes it for an attack on a logger.
    'blocks-lookups-with-html': ({ reject }) => ({
      reject(rejection, request) {
        const response = reject(rejection, request);
        return Buffer.from(request.body ?? []).includes('${jndi:')
          ? { ...withMediaType(response, 'text/html'), status: 403, body: '<h1>Forbidden</h1>' }
          : response;
      },
    }),
  }),
};
