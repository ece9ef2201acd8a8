import { Rejection } from '../../../src/server/error-codes.js';
import { renamesKeys, repairs } from '../../../src/server/faults/input.js';
import type { Faults } from '../../../src/server/faults/names.js';
import { rendersBody } from '../../../src/server/faults/responses.js';
import type { Steps } from '../../../src/server/steps.js';
import { readJson } from '../../../src/validation/json.js';
import { isObject, type JsonObject, type JsonValue } from '../../../src/validation/json-value.js';

const KNOWN = ['name', 'id', 'tag'];

/** Fails on an object that the step accepts. */
function failsOn(isFatal: (fields: JsonObject) => boolean) {
  return ({ validate }: Steps): Partial<Steps> => ({
    validate(value, request) {
      const plant = validate(value, request);
      return !(plant instanceof Rejection) && isObject(value) && isFatal(value)
        ? new Rejection('internal-error', 'an exception was not caught')
        : plant;
    },
  });
}

function firstNested(value: JsonValue, key: string): JsonValue | undefined {
  if (!isObject(value)) return undefined;
  if (Object.hasOwn(value, key)) return value[key];
  return Object.values(value)
    .map((inner) => firstNested(inner, key))
    .find((found) => found !== undefined);
}

function withoutUndefined(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** Members are found under other keys, or unknown members do harm. */
export const keyFaults = {
  'trims-keys': {
    title: 'White space around keys is ignored.',
    breaks: ['request/keys-are-exact'],
    replace: renamesKeys((key) => key.trim()),
  },
  'cuts-keys-at-nul': {
    title: 'Keys end at the character U+0000.',
    breaks: ['request/keys-are-exact'],
    replace: renamesKeys((key) => key.replace(/\0.*/s, '')),
  },
  'normalises-keys': {
    title: 'Keys are read in Normalization Form KC, so wide letters are ASCII letters.',
    breaks: ['request/keys-are-exact'],
    replace: renamesKeys((key) => key.normalize('NFKC')),
  },
  'merges-prototypes': {
    title: 'Members of "__proto__" count as members of the plant.',
    breaks: [
      'request/name-is-required',
      'request/id-is-required',
      'request/unknown-members-change-nothing',
      'success/absent-tag-stays-absent',
    ],
    replace: repairs((fields) => {
      const inherited = Object.entries(fields).find(([key]) => key === '__proto__')?.[1];
      return isObject(inherited) ? { ...inherited, ...fields } : fields;
    }),
  },
  'finds-nested-fields': {
    title: 'A missing name or id is taken from an inner object.',
    breaks: ['request/name-is-required', 'request/id-is-required'],
    replace: repairs((fields) =>
      withoutUndefined({ ...fields, name: firstNested(fields, 'name'), id: firstNested(fields, 'id') }),
    ),
  },
  'reads-type-as-tag': {
    title: 'A string in "type" is the tag of a plant without one.',
    breaks: ['request/unknown-members-change-nothing', 'success/absent-tag-stays-absent'],
    replace: repairs((fields) =>
      typeof fields.type === 'string' && !('tag' in fields) ? { ...fields, tag: fields.type } : fields,
    ),
  },
  'refuses-escapes-in-keys': {
    title: 'A plant is rejected if its key "id" is written with escapes.',
    breaks: ['request/spelling-of-json-is-ignored'],
    replace: ({ readBody }) => ({
      readBody: (request) =>
        /"(?:\\u0069(?:d|\\u0064)|i\\u0064)"\s*:/.test(Buffer.from(request.body ?? []).toString('latin1'))
          ? new Rejection('json-malformed', 'the key is unknown')
          : readBody(request),
    }),
  },
  'returns-messages': {
    title: 'The response has the member "message" of the request.',
    breaks: ['success/plant-fields-only'],
    replace: rendersBody(({ name, tag }, { body = new Uint8Array() }) => {
      const read = readJson(body);
      const { message } = read.ok && isObject(read.value) ? read.value : {};
      return { name, tag, message };
    }),
  },
  'calls-members-as-methods': {
    title: 'A member "hasOwnProperty" causes a 500.',
    breaks: ['success/valid-plant-is-processed'],
    replace: failsOn((fields) => Object.hasOwn(fields, 'hasOwnProperty')),
  },
  'fails-on-operators': {
    title: 'A key that begins with "$" causes a 500, like an operator of a database.',
    breaks: ['success/valid-plant-is-processed'],
    replace: failsOn((fields) => Object.keys(fields).some((key) => key.startsWith('$'))),
  },
  'fails-on-empty-keys': {
    title: 'An empty key causes a 500.',
    breaks: ['success/valid-plant-is-processed'],
    replace: failsOn((fields) => Object.hasOwn(fields, '')),
  },
  'searches-for-keys-in-strings': {
    title: 'The tag of a plant without one is read from a string that has the key "tag" in it.',
    breaks: ['request/unknown-members-change-nothing', 'success/absent-tag-stays-absent'],
    replace: repairs((fields) => {
      const texts = Object.values(fields).filter((value) => typeof value === 'string');
      const [, tag] = /"tag":"(\w+)"/.exec(texts.join('\n')) ?? [];
      return 'tag' in fields || tag === undefined ? fields : { ...fields, tag };
    }),
  },
  'needs-the-tag-after-the-id': {
    title: 'A plant is rejected if its tag is between its name and its id.',
    breaks: ['request/spelling-of-json-is-ignored'],
    replace: ({ readBody }) => ({
      readBody(request) {
        const value = readBody(request);
        const keys = isObject(value) ? Object.keys(value).filter((key) => KNOWN.includes(key)) : [];
        return keys.join() === 'name,tag,id'
          ? new Rejection('json-malformed', 'the tag must come last')
          : value;
      },
    }),
  },
  'reads-name-under-other-keys': {
    title: 'A name is also read from "title", "label", "plantname", "plantName" and "plant_name".',
    breaks: ['request/name-is-required'],
    replace: repairs((fields) => {
      const { title, label, plantname, plantName, plant_name } = fields;
      const other = title ?? label ?? plantname ?? plantName ?? plant_name;
      return 'name' in fields || other === undefined ? fields : { ...fields, name: other };
    }),
  },
} satisfies Faults;
