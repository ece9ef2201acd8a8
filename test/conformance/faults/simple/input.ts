import { isUtf8 } from 'node:buffer';
import { headerNames, headerValues } from '../../../../src/http/fields.js';
import { isRejected, Rejection } from '../../../../src/server/error-codes.js';
import type { IncomingRequest } from '../../../../src/server/exchange.js';
import type { Faults } from '../../../../src/server/faults/fault.js';
import { rejects, repairs } from '../../../../src/server/faults/input.js';
import type { Steps } from '../../../../src/server/steps.js';
import { readJsonText } from '../../../../src/validation/json.js';
import { exactNumber, JsonNumber, type JsonValue, narrow } from '../../../../src/validation/json-value.js';

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

/** Reads a body of another type as a plant. */
export function readsBody(read: (value: JsonValue) => JsonValue | undefined) {
  return ({ validate }: Steps): Partial<Steps> => ({
    validate: (value, request) => validate(read(value) ?? value, request),
  });
}

/** Rejects a plant because of a header field. */
export function rejectsFields(isWrong: (request: IncomingRequest) => boolean) {
  return {
    breaks: ['request/other-fields-change-nothing'],
    replace: ({ checkMediaType }: Steps): Partial<Steps> => ({
      checkMediaType: (request) =>
        isWrong(request)
          ? new Rejection('media-type', 'a header field is not as expected')
          : checkMediaType(request),
    }),
  };
}

/** Renames members whose new key is one of a plant. The last member with a key counts. */
export function renamesKeys(rename: (key: string) => string) {
  return repairs((fields) =>
    Object.fromEntries(
      Object.entries(fields).map(([key, value]) => {
        const renamed = rename(key);
        return [['name', 'id', 'tag'].includes(renamed) ? renamed : key, value];
      }),
    ),
  );
}

function convertsToString(name: 'name' | 'tag') {
  return repairs((fields) => {
    const value = fields[name];
    const isConverted = /number|bigint|boolean/.test(typeof value) || value instanceof JsonNumber;
    return isConverted ? { ...fields, [name]: String(value) } : fields;
  });
}

/** The value of a header field, or an empty text. */
export function field({ headers }: IncomingRequest, name: string): string {
  return headerValues(headers, name)[0] ?? '';
}

/** A text of JSON with empty strings. */
export function withoutStrings(text: string): string {
  return text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/gs, '""');
}

function anyId(): number {
  return Math.floor(Math.random() * 2 ** 48);
}

export function wrappedTo64Bits(integer: bigint): number | bigint {
  return narrow(BigInt.asIntN(64, integer));
}

const KEYWORDS = /^(?:select|insert|update|delete|drop|script)$/i;

/** A valid request is rejected, or an invalid one is accepted. */
export const inputFaults = {
  'refuses-media-type-parameters': {
    title: '"application/json; charset=utf-8" is rejected.',
    ...rejectsFields((request) => field(request, 'content-type').includes(';')),
    breaks: ['request/media-type-parameters-are-accepted', 'request/other-parameters-are-accepted'],
  },
  'compares-media-type-case': {
    title: '"Application/JSON" is rejected.',
    ...rejectsFields((request) => /^[^;]*[A-Z]/.test(field(request, 'content-type'))),
    breaks: ['request/media-type-case-is-ignored'],
  },
  'accepts-empty-body': {
    title: 'A request without a body creates a plant with an empty name.',
    breaks: ['request/body-is-required'],
    replace: readsAnyway('body-missing', () => ({ name: '', id: anyId() })),
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
    breaks: [
      'request/spelling-of-json-is-ignored',
      'request/unknown-values-are-treated-alike',
      'state/bad-request-spoils-nothing',
    ],
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
  'compares-field-names-in-case': {
    title: 'Content-Type is found only if its name is not in lower case.',
    ...rejectsFields(({ headers }) => headerNames(headers).includes('content-type')),
  },
  'refuses-trace-state': {
    title: 'A plant is rejected if there is a tracestate or a baggage.',
    ...rejectsFields((request) => field(request, 'tracestate') !== '' || field(request, 'baggage') !== ''),
  },
  'accepts-missing-id': {
    title: 'A plant without an id is created with a random id.',
    breaks: ['request/id-is-required'],
    replace: repairs((fields) => ('id' in fields ? fields : { ...fields, id: anyId() })),
  },
  'turns-name-into-text': {
    title: 'A name that is a number or a boolean is converted to a string.',
    breaks: ['request/name-is-a-string'],
    replace: convertsToString('name'),
  },
  'cuts-fractions-off': {
    title: 'An id with a fraction is truncated and accepted.',
    breaks: ['request/id-is-an-integer'],
    replace: repairs((fields) => {
      const [, integer] = /^(-?\d+)\.\d+$/.exec(String(fields.id)) ?? [];
      const isNumber = typeof fields.id === 'number' || fields.id instanceof JsonNumber;
      return isNumber && integer !== undefined ? { ...fields, id: exactNumber(integer) } : fields;
    }),
  },
  'turns-tag-into-text': {
    title: 'A tag that is a number or a boolean is converted to a string.',
    breaks: ['request/tag-is-a-string'],
    replace: convertsToString('tag'),
  },
  'unwraps-arrays': {
    title: 'An array with one plant creates that plant.',
    breaks: ['request/body-is-an-object'],
    replace: ({ validate }) => ({
      validate: (value, request) =>
        validate(Array.isArray(value) && value.length === 1 ? (value[0] as JsonValue) : value, request),
    }),
  },
  'reads-arrays-as-plants': {
    title: 'An array of a name and an id creates a plant.',
    breaks: ['request/array-is-no-record'],
    replace: readsBody((value) => {
      if (!Array.isArray(value) || value.length !== 2) return undefined;
      const [name, id] = value as [JsonValue, JsonValue];
      return { name, id };
    }),
  },
  'accepts-ids-beyond-int64': {
    title: 'Integers beyond int64 are accepted as ids.',
    breaks: ['request/id-is-within-int64'],
    replace: repairs((fields) => {
      const { id } = fields;
      const isLarge = typeof id === 'bigint' || (id instanceof JsonNumber && /^-?\d+$/.test(id.text));
      return isLarge ? { ...fields, id: wrappedTo64Bits(BigInt(String(id))) } : fields;
    }),
  },
  'refuses-name-null': {
    title: 'A plant with the name "null" is rejected.',
    breaks: ['success/plain-names-are-accepted'],
    replace: rejects('name-invalid', ({ name }) => (name === 'null' ? '"name" is missing' : undefined)),
  },
  'refuses-tag-null': {
    title: 'A plant with the tag "null" is rejected.',
    breaks: ['success/plain-tags-are-accepted'],
    replace: rejects('tag-invalid', ({ tag }) => (tag === 'null' ? '"tag" must not be null' : undefined)),
  },
  'refuses-long-names': {
    title: 'Names of more than ten characters are rejected.',
    breaks: ['success/plain-names-are-accepted'],
    replace: rejects('name-invalid', ({ name }) =>
      [...name].length > 10 ? '"name" is too long' : undefined,
    ),
  },
  'refuses-keywords': {
    title: 'A plant whose name or tag is a keyword of SQL, or the word "script", is rejected.',
    breaks: ['success/plain-words-are-accepted'],
    replace: rejects('name-invalid', ({ name, tag = '' }) =>
      KEYWORDS.test(name) || KEYWORDS.test(tag) ? 'the plant has a forbidden word' : undefined,
    ),
  },
  'ignores-case-of-keys': {
    title: 'Keys are read in any case, and the last one counts.',
    breaks: ['request/keys-are-exact'],
    replace: renamesKeys((key) => key.toLowerCase()),
  },
  'prefers-other-ids': {
    title: 'An integer in "_id" replaces the id.',
    breaks: ['request/unknown-members-change-nothing'],
    replace: repairs((fields) => {
      const { _id } = fields;
      const isInteger = typeof _id === 'bigint' || Number.isInteger(_id);
      return 'id' in fields && isInteger ? { ...fields, id: _id as number | bigint } : fields;
    }),
  },
  'overflows-on-deep-nesting': {
    title: 'Arrays that are nested in 300 levels cause a 500.',
    breaks: ['failure/rare-input-is-answered'],
    replace: ({ readBody }) => ({
      readBody: (request) =>
        /(?:\[\s*){300}/.test(withoutStrings(Buffer.from(request.body ?? []).toString('latin1')))
          ? new Rejection('internal-error', 'the stack is exhausted')
          : readBody(request),
    }),
  },
} satisfies Faults;
