import type { JsonValue } from '../../validation/json.js';
import { Refusal } from '../error-codes.js';
import { fieldValues, type IncomingRequest } from '../exchange.js';
import type { Steps } from '../steps.js';
import { defineFault } from './fault.js';

/** Reads what the step refuses for one reason in another way. */
function rescues(
  reason: Refusal['reason'],
  read: (text: string, steps: Steps, request: IncomingRequest) => JsonValue | Refusal,
) {
  return (steps: Steps): Partial<Steps> => ({
    readBody(request) {
      const value = steps.readBody(request);
      if (!(value instanceof Refusal) || value.reason !== reason) return value;
      return read(Buffer.from(request.body ?? []).toString(), steps, request);
    },
  });
}

/** Refuses a media type that the step would let through. */
function refusesMediaType(wrong: (mediaType: string) => boolean) {
  return ({ checkMediaType }: Steps): Partial<Steps> => ({
    checkMediaType(request) {
      const mediaType = fieldValues(request.headers, 'content-type')[0] ?? '';
      return wrong(mediaType)
        ? new Refusal('media-type', `cannot read ${mediaType}`)
        : checkMediaType(request);
    },
  });
}

/** A plant with an id of its own, for bodies that have none. */
function inventedPlant(): JsonValue {
  return { name: '', id: Math.floor(Math.random() * 2 ** 48) };
}

/** Bodies are read in the wrong way. */
export const readingFaults = [
  defineFault({
    name: 'refuses-media-type-parameters',
    title: '"application/json; charset=utf-8" is refused.',
    breaks: ['request/media-type-parameters-are-accepted'],
    replace: refusesMediaType((mediaType) => mediaType.includes(';')),
  }),
  defineFault({
    name: 'compares-media-type-case',
    title: '"Application/JSON" is refused.',
    breaks: ['request/media-type-case-is-ignored'],
    replace: refusesMediaType((mediaType) => mediaType !== mediaType.toLowerCase()),
  }),
  defineFault({
    name: 'accepts-empty-body',
    title: 'A request with no body creates a plant with no name.',
    breaks: ['request/body-is-required'],
    replace: rescues('body-missing', inventedPlant),
  }),
  defineFault({
    name: 'accepts-single-quotes',
    title: 'JSON with single quotes or a trailing comma is read as if it were JSON.',
    breaks: ['request/body-is-json'],
    replace: rescues('json-malformed', (text, steps, request) => {
      const repaired = text.replaceAll("'", '"').replace(/,\s*\}/, '}');
      return steps.readBody({ ...request, body: Buffer.from(repaired) });
    }),
  }),
  defineFault({
    name: 'accepts-text-as-plant',
    title: 'A body that is no JSON at all creates a plant of that name.',
    breaks: ['request/body-is-json'],
    replace: rescues('json-malformed', (text, steps, request) =>
      text.startsWith('{')
        ? steps.readBody(request)
        : { name: text, id: Math.floor(Math.random() * 2 ** 48) },
    ),
  }),
  defineFault({
    name: 'ignores-trailing-text',
    title: 'Whatever follows the JSON text in the body is ignored.',
    breaks: ['request/nothing-follows-the-json'],
    replace: rescues('json-malformed', (text, steps, request) => {
      const end = text.indexOf('}') + 1;
      return steps.readBody({ ...request, body: Buffer.from(end > 0 ? text.slice(0, end) : text) });
    }),
  }),
  defineFault({
    name: 'reads-json-by-pattern',
    title: 'A plant is refused unless its JSON is written without white space and begins with the name.',
    breaks: ['request/spelling-of-json-is-ignored'],
    replace: ({ readBody }) => ({
      readBody(request) {
        const text = Buffer.from(request.body ?? []).toString();
        const value = readBody(request);
        if (value instanceof Refusal || text.startsWith('{"name":') || !/"name"/.test(text)) return value;
        return new Refusal('json-malformed', 'the body does not match');
      },
    }),
  }),
  defineFault({
    name: 'wraps-ids',
    title: 'Ids are kept in 32 bits: those that differ by 2^32 are the same.',
    breaks: ['request/ids-are-exact'],
    replace: ({ validate }) => ({
      validate(value, request) {
        const plant = validate(value, request);
        return plant instanceof Refusal ? plant : { ...plant, id: BigInt.asIntN(32, BigInt(plant.id)) };
      },
    }),
  }),
  defineFault({
    name: 'rounds-ids',
    title: 'Ids go through a double: 2^53 and 2^53 + 1 are the same.',
    breaks: ['request/ids-are-exact'],
    replace: ({ validate }) => ({
      validate(value, request) {
        const plant = validate(value, request);
        // Rounded up to 2^63, the largest ids would end outside of int64.
        const round = (id: number | bigint) => Math.min(Number(id), 2 ** 63 - 1024);
        return plant instanceof Refusal ? plant : { ...plant, id: round(plant.id) };
      },
    }),
  }),
];
