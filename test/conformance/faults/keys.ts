import { Rejection } from '../../../src/server/error-codes.js';
import { repairs } from '../../../src/server/faults/input.js';
import { rendersBody } from '../../../src/server/faults/responses.js';
import type { Steps } from '../../../src/server/steps.js';
import { readJson } from '../../../src/validation/json.js';
import { isObject, type JsonObject } from '../../../src/validation/json-value.js';
import { breaking } from './breaking.js';
import { renamesKeys } from './simple/input.js';

const KNOWN = ['name', 'id', 'tag'];

/** Fails on an object that the step accepts, if it has a key. */
function failsOn(key: string) {
  return ({ validate }: Steps): Partial<Steps> => ({
    validate(value, request) {
      const plant = validate(value, request);
      return !(plant instanceof Rejection) && isObject(value) && Object.hasOwn(value, key)
        ? new Rejection('internal-error', 'an exception was not caught')
        : plant;
    },
  });
}

/** Rejects a plant because of the order of its known keys. */
function refusesOrders(isRefused: (keys: readonly string[]) => boolean) {
  return ({ readBody }: Steps): Partial<Steps> => ({
    readBody(request) {
      const value = readBody(request);
      const keys = isObject(value) ? Object.keys(value).filter((key) => KNOWN.includes(key)) : [];
      return isRefused(keys) ? new Rejection('json-malformed', 'the order is unexpected') : value;
    },
  });
}

/** Whether an unknown member is a number with a fraction, such as 2.5. */
function isFractionElsewhere([key, value]: readonly [string, unknown]): boolean {
  return !KNOWN.includes(key) && /^-?\d+\.\d+$/.test(String(value)) && typeof value !== 'string';
}

/** Members are found under other keys, or unknown members do harm. */
export const keyFaults = {
  ...breaking(['request/unknown-values-are-treated-alike'], {
    'refuses-objects-in-unknown-fields': ({ validate }) => ({
      validate: (value, request) =>
        isObject(value) && Object.entries(value).some(([key, one]) => !KNOWN.includes(key) && isObject(one))
          ? new Rejection('id-invalid', 'an unknown field is an object')
          : validate(value, request),
    }),
    'refuses-fractions-everywhere': ({ validate }) => ({
      validate(value, request) {
        const isFraction = isObject(value) && Object.entries(value).some(isFractionElsewhere);
        return isFraction
          ? new Rejection('id-invalid', 'a number is not an integer')
          : validate(value, request);
      },
    }),
  }),
  ...breaking(['request/keys-are-exact'], {
    'trims-keys': renamesKeys((key) => key.trim()),
    'cuts-keys-at-nul': renamesKeys((key) => key.replace(/\0.*/s, '')),
  }),
  ...breaking(
    [
      'request/name-is-required',
      'request/id-is-required',
      'request/unknown-members-change-nothing',
      'success/absent-tag-stays-absent',
    ],
    {
      'merges-prototypes': repairs((fields) => {
        const inherited = Object.entries(fields).find(([key]) => key === '__proto__')?.[1];
        return isObject(inherited) ? { ...inherited, ...fields } : fields;
      }),
    },
  ),
  ...breaking(['request/name-is-required'], {
    'reads-name-under-other-keys': repairs((fields) => {
      const { title, label, plantname, plantName, plant_name } = fields;
      const other = title ?? label ?? plantname ?? plantName ?? plant_name;
      return 'name' in fields || other === undefined ? fields : { ...fields, name: other };
    }),
  }),
  ...breaking(['request/escaped-keys-are-accepted'], {
    'refuses-escapes-in-keys': ({ readBody }) => ({
      readBody: (request) =>
        /"(?:\\u0069(?:d|\\u0064)|i\\u0064)"\s*:/.test(Buffer.from(request.body ?? []).toString('latin1'))
          ? new Rejection('json-malformed', 'the key is unknown')
          : readBody(request),
    }),
  }),
  ...breaking(['request/spelling-of-json-is-ignored'], {
    'needs-the-tag-after-the-id': refusesOrders((keys) => keys.join() === 'name,tag,id'),
    'needs-the-name-before-the-tag': refusesOrders(
      (keys) => keys.includes('tag') && keys.indexOf('tag') < keys.indexOf('name'),
    ),
  }),
  ...breaking(['success/plant-fields-only'], {
    'returns-messages': rendersBody(({ name, tag }, { body = new Uint8Array() }) => {
      const read = readJson(body);
      const { message } = read.ok && isObject(read.value) ? read.value : ({} as JsonObject);
      return { name, tag, message };
    }),
  }),
  ...breaking(['success/valid-plant-is-processed'], {
    'calls-members-as-methods': failsOn('hasOwnProperty'),
    'fails-on-empty-keys': failsOn(''),
  }),
  ...breaking(['request/unknown-members-change-nothing', 'success/absent-tag-stays-absent'], {
    'searches-for-keys-in-strings': repairs((fields) => {
      const texts = Object.values(fields).filter((value) => typeof value === 'string');
      const [, tag] = /"tag":"(\w+)"/.exec(texts.join('\n')) ?? [];
      return 'tag' in fields || tag === undefined ? fields : { ...fields, tag };
    }),
  }),
};
