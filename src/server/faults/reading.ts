import { isUtf8 } from 'node:buffer';
import { headerValues } from '../../http/fields.js';
import { readJsonText } from '../../validation/json.js';
import { type JsonValue, narrow } from '../../validation/json-value.js';
import { isRejected, Rejection } from '../error-codes.js';
import type { IncomingRequest } from '../exchange.js';
import type { Steps } from '../steps.js';
import type { Faults } from './names.js';

/** Reads a body in another way if the step rejects it for this reason. */
export function readsAnyway(
  reason: Rejection['reason'],
  read: (text: string, steps: Steps, request: IncomingRequest) => JsonValue | Rejection,
) {
  return (steps: Steps): Partial<Steps> => ({
    readBody(request) {
      const value = steps.readBody(request);
      const { body = new Uint8Array() } = request;
      // A body that is not UTF-8 stays rejected: its bytes are another mistake, and decoding would repair them.
      if (!isRejected(value, reason) || !isUtf8(body)) return value;
      const other = read(Buffer.from(body).toString(), steps, request);
      return other instanceof Rejection ? value : other;
    },
  });
}

const STRING = /("[^"\\]*(?:\\.[^"\\]*)*")/s;

/** Changes a text of JSON outside its strings, or in them. */
export function changeText(
  text: string,
  {
    outside = same,
    inside = same,
  }: { outside?: (part: string) => string; inside?: (string: string) => string },
): string {
  const parts = text.split(STRING);
  return parts.map((part, index) => (index % 2 === 0 ? outside(part) : inside(part))).join('');
}

function same(text: string): string {
  return text;
}

/** A text of JSON with empty strings. */
export function withoutStrings(text: string): string {
  return changeText(text, { inside: () => '""' });
}

/** Rejects a media type that the step accepts. */
function rejectsMediaType(wrong: (mediaType: string) => boolean) {
  return ({ checkMediaType }: Steps): Partial<Steps> => ({
    checkMediaType(request) {
      const mediaType = headerValues(request.headers, 'content-type')[0] ?? '';
      return wrong(mediaType)
        ? new Rejection('media-type', `cannot read ${mediaType}`)
        : checkMediaType(request);
    },
  });
}

/** Stores a plant with another id. */
export function changesId(change: (id: number | bigint) => number | bigint) {
  return ({ validate }: Steps): Partial<Steps> => ({
    validate(value, request) {
      const plant = validate(value, request);
      return plant instanceof Rejection ? plant : { ...plant, id: narrow(change(plant.id)) };
    },
  });
}

/** A plant with a random id. */
function inventedPlant(name: string): JsonValue {
  return { name, id: Math.floor(Math.random() * 2 ** 48) };
}

/** Bodies are read incorrectly. */
export const readingFaults = {
  'refuses-media-type-parameters': {
    title: '"application/json; charset=utf-8" is rejected.',
    breaks: ['request/media-type-parameters-are-accepted'],
    replace: rejectsMediaType((mediaType) => mediaType.includes(';')),
  },
  'compares-media-type-case': {
    title: '"Application/JSON" is rejected.',
    breaks: ['request/media-type-case-is-ignored'],
    replace: rejectsMediaType((mediaType) => /[A-Z]/.test(mediaType.split(';')[0] ?? '')),
  },
  'accepts-empty-body': {
    title: 'A request without a body creates a plant with an empty name.',
    breaks: ['request/body-is-required'],
    replace: readsAnyway('body-missing', inventedPlant),
  },
  'accepts-single-quotes': {
    title: 'A body with single quotes or a trailing comma is accepted.',
    breaks: ['request/near-json-is-refused'],
    replace: readsAnyway('json-malformed', (text, steps, request) => {
      const repaired = text.replace(
        /"[^"\\]*(?:\\.[^"\\]*)*"|'([^']*)'|,(?=\s*\})/gs,
        (match, single?: string) => {
          if (match === ',') return '';
          return single === undefined ? match : `"${single.replaceAll('"', '\\"')}"`;
        },
      );
      return steps.readBody({ ...request, body: Buffer.from(repaired) });
    }),
  },
  'accepts-text-as-plant': {
    title: 'A body that is not JSON, and does not begin with "{", creates a plant with the body as its name.',
    breaks: ['request/body-is-json', 'request/near-json-is-refused', 'success/name-comes-back'],
    replace: readsAnyway('json-malformed', (text, steps, request) =>
      text.startsWith('{') ? steps.readBody(request) : inventedPlant(text),
    ),
  },
  'closes-cut-off-plants': {
    title: 'A brace is added to a body that ends before the plant does.',
    breaks: ['request/body-is-json'],
    replace: readsAnyway('json-malformed', (text, steps, request) =>
      steps.readBody({ ...request, body: Buffer.from(`${text}}`) }),
    ),
  },
  'ignores-trailing-text': {
    title: 'Text after the JSON text is ignored.',
    breaks: ['request/nothing-follows-the-json'],
    replace: readsAnyway('json-malformed', (text, steps, request) => {
      const read = readJsonText(text);
      return steps.readBody({ ...request, body: Buffer.from(read.ok ? text : text.slice(0, read.offset)) });
    }),
  },
  'reads-json-by-pattern': {
    title: 'A plant is rejected unless its JSON has no white space and begins with the name.',
    breaks: ['request/spelling-of-json-is-ignored'],
    replace: ({ readBody }) => ({
      readBody(request) {
        const text = Buffer.from(request.body ?? []).toString();
        const value = readBody(request);
        const isExpected = text.startsWith('{"name":') && !/\s/.test(withoutStrings(text));
        if (value instanceof Rejection || isExpected || !/"name"/.test(text)) return value;
        return new Rejection('json-malformed', 'the body does not match');
      },
    }),
  },
  'wraps-ids': {
    title: 'Ids are stored in 32 bits, so ids that differ by 2^32 are the same.',
    breaks: ['request/int64-ids-are-accepted', 'request/ids-are-exact'],
    replace: changesId((id) => BigInt.asIntN(32, BigInt(id))),
  },
  'rounds-ids': {
    title: 'Ids are stored as doubles, so 2^53 and 2^53 + 1 are the same.',
    breaks: ['request/ids-are-exact'],
    // 2^63, the rounded form of the largest ids, is not an int64.
    replace: changesId((id) => Math.min(Number(id), 2 ** 63 - 1024)),
  },
} satisfies Faults;
