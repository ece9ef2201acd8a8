import { randomBytes } from 'node:crypto';
import { definedOnly } from '../defined-only.js';
import { LONGEST_TIMEOUT_MS } from '../duration.js';
import { invalidOption } from '../toolkit-error.js';
import { isObject } from '../validation/json-value.js';
import type { RuntimeOptions } from './behaviour.js';
import {
  type Check,
  checkAll,
  checkMediaTypes,
  checkRejections,
  checkToken,
  faultList,
  integer,
  isInt32,
  oneOf,
  shown,
} from './option-check.js';
import type { ListenOptions, Settings } from './options.js';

// Every setting of the server, once: its default, its check and its words. The flags of `serve`, what the control interface can
// change, the table in docs/mock-server.md, and that part of spec/control.yaml come from it. Its type is in options.ts and
// behaviour.ts.

/** A setting of the server: an option of the API, and mostly a flag of `serve`. */
export interface Setting {
  readonly default?: unknown;
  /** Whether a value is valid, and otherwise what it must be. */
  readonly check: Check;
  /** How a message shows an invalid value; empty if it must not. Default: as it is. */
  readonly got?: (value: unknown) => string;
  /** Whether it can be changed while a server runs. */
  readonly isChangeable?: true;
  /** The flag as the help shows it: `--delay <ms>`. None if only programs have this setting. */
  readonly flag?: string;
  /** What it decides, for the help and for the page of the server. */
  readonly help: string;
  /** What the page of the server says instead, if that is only about the flag. */
  readonly page?: string;
  /** Its default in words, if its value does not say it. */
  readonly defaultInWords?: string;
  /** The words that it takes, if it takes no others. */
  readonly choices?: readonly string[];
  /** Its values for spec/control.yaml, if it can be changed and has no choices. */
  readonly schema?: object;
}

const INT32 = { type: 'integer', format: 'int32' };
/** Segments of unreserved characters (RFC 3986, section 2.3). */
const BASE_PATH = /^(?:\/[\w.~-]+)*\/?$/;

/** One of a few words, of which the first is the default. */
function words(...choices: readonly [string, ...string[]]): Pick<Setting, 'default' | 'check' | 'choices'> {
  return { default: choices[0], check: oneOf(...choices), choices };
}

/** Every setting, in the order of the pages. */
export const settingsTable: Readonly<Record<keyof ListenOptions, Setting>> = {
  host: {
    default: '127.0.0.1',
    check: (value) => (typeof value === 'string' && value !== '') || 'a host name or an address',
    flag: '--host <name>',
    help: 'address to listen on',
  },
  port: {
    default: 0,
    check: integer(0, 65_535),
    flag: '--port <number>',
    help: 'port to listen on; 0 is a free port',
  },
  token: {
    check: checkToken,
    // An invalid token is a secret too.
    got: () => '',
    flag: '--token <token...>',
    help: 'accepted tokens',
    defaultInWords: 'PLANT_STORE_TOKEN, or else a random token, which is printed',
    page: 'one token, several, or a function `(token) => boolean`. Only `serve` reads the variable',
  },
  cors: {
    default: false,
    check: oneOf(true, false),
    flag: '--cors',
    help: 'allow requests from web pages of other origins, also with credentials',
  },
  basePath: {
    default: '',
    check: (value) => (typeof value === 'string' && BASE_PATH.test(value)) || 'a path such as /v1',
    flag: '--base-path <path>',
    help: 'the path before /plants, such as /v1; the URL of the server has it',
  },
  plants: {
    default: [],
    check: (value) => Array.isArray(value) || 'a list of plants',
    flag: '--plants <file>',
    help: 'store the plants in this file from the start, a JSON array',
    page: 'plants that are stored from the start; [the flag names a file](#from-a-shell)',
  },
  logger: {
    check: (value) => typeof value === 'function' || 'a function',
    help: 'called for each request when it is answered. `serve` has a [log](#log)',
  },
  failures: {
    default: [],
    check: (value) => Array.isArray(value) || 'a list of failures',
    flag: '--fail <failure>',
    help: 'make valid creations fail: 503,times=2, reset, or JSON; can be repeated',
    page: 'see [failures on demand](faults.md#failures)',
  },
  faults: {
    default: [],
    ...faultList,
    flag: '--fault <name...>',
    help: 'make the server nonconforming; --list-faults lists the names',
    page: 'names of [faults](faults.md#faults), or faults of your own; `--list-faults` lists them',
  },
  bodyBytes: {
    default: 1024 * 1024,
    check: integer(0, 2 ** 30),
    flag: '--body-limit <bytes>',
    help: 'largest accepted body, in bytes',
  },
  requestTimeoutMs: {
    default: 30_000,
    check: integer(1, LONGEST_TIMEOUT_MS),
    flag: '--request-timeout <ms>',
    help: 'time limit for a whole request, in milliseconds',
  },
  authenticationFailureStatus: {
    isChangeable: true,
    default: 400,
    check: oneOf(400, 401, 403),
    flag: '--authentication-status <status>',
    help: 'status for a missing or unknown token: 400, 401 or 403',
    schema: { ...INT32, enum: [400, 401, 403] },
  },
  schemeCase: {
    isChangeable: true,
    ...words('any', 'exact'),
    flag: '--scheme-case <case>',
    help: 'how the scheme may be written; exact: "Bearer" only',
  },
  rejections: {
    isChangeable: true,
    default: {},
    check: checkRejections,
    got: () => '',
    flag: '--rejection <reasons=status:error>',
    help: 'status and "error" for reasons: id-duplicate=409, name-missing,id-missing=422:7; can be repeated',
    defaultInWords: '400, and codes of its own',
    page: 'status and `error` for reasons: [rejections](faults.md#rejections)',
    schema: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        properties: { status: { ...INT32, minimum: 400, maximum: 499 }, error: INT32 },
      },
    },
  },
  errorCodes: {
    isChangeable: true,
    default: 'own',
    check: (value) =>
      value === 'own' || value === 'status' || isInt32(value) || '"own", "status" or an int32',
    flag: '--error-codes <which>',
    help: 'the "error" of rejections: own, status, or one number',
    schema: { oneOf: [{ type: 'string', enum: ['own', 'status'] }, INT32] },
  },
  duplicateId: {
    isChangeable: true,
    ...words('reject', 'replace', 'reject-different'),
    flag: '--duplicate-id <what>',
    help: 'how a duplicate id is handled; reject-different accepts the same plant again',
  },
  unknownFields: {
    isChangeable: true,
    ...words('ignore', 'reject'),
    flag: '--unknown-fields <what>',
    help: 'how unknown fields are handled',
  },
  mediaTypes: {
    isChangeable: true,
    default: [],
    check: checkMediaTypes,
    flag: '--media-type <types>',
    help: 'also read these media types as JSON, separated by commas; none: a missing one',
    page: 'also read as JSON: `text/plain`, `*/*`; `none` is a missing one',
    schema: { type: 'array', items: { type: 'string' } },
  },
  delayMs: {
    isChangeable: true,
    default: 0,
    check: integer(0, LONGEST_TIMEOUT_MS),
    flag: '--delay <ms>',
    help: 'delay each response by this many milliseconds',
    schema: { ...INT32, minimum: 0 },
  },
};

const NAMES = Object.keys(settingsTable) as (keyof ListenOptions)[];
const CHANGEABLE = NAMES.filter((name) => settingsTable[name].isChangeable) as (keyof RuntimeOptions)[];
const CHECKS = Object.fromEntries(NAMES.map((name) => [name, settingsTable[name].check]));
const DEFAULTS = Object.fromEntries(NAMES.map((name) => [name, settingsTable[name].default]));

/**
 * Checks all options.
 *
 * @throws ToolkitError `invalid-option`, with a sentence that names the option, what it must be, and its value
 */
export function checkOptions(options: ListenOptions): void {
  checkAll('option', options, CHECKS, (name, value) =>
    (settingsTable[name as keyof ListenOptions].got ?? shown)(value),
  );
}

/**
 * Fills in the defaults.
 *
 * @throws ToolkitError `invalid-option`, with a sentence that names the option, what it must be, and its value
 */
export function settingsFrom(options: ListenOptions): Settings {
  checkOptions(options);
  const { token = randomBytes(18).toString('base64url'), basePath = '', ...others } = options;
  const { token: _token, ...defaults } = DEFAULTS;
  return {
    ...(defaults as unknown as Settings),
    ...definedOnly(others),
    basePath: basePath.replace(/\/$/, ''),
    tokens: typeof token === 'function' ? [] : [token].flat(),
    verify: typeof token === 'function' ? token : undefined,
  };
}

/** The options of a server that can be changed. */
export function runtimeOptionsOf(settings: Settings): RuntimeOptions {
  return definedOnly(Object.fromEntries(CHANGEABLE.map((name) => [name, settings[name]])));
}

/**
 * Checks changes of options.
 *
 * @throws ToolkitError `invalid-option`, naming the option
 */
export function checkChanges(changes: unknown): RuntimeOptions {
  if (!isObject(changes)) throw invalidOption('the options must be an object');
  const fixed = Object.keys(changes).find((name) => !(CHANGEABLE as string[]).includes(name));
  if (fixed !== undefined)
    throw invalidOption(
      `the option ${JSON.stringify(fixed)} cannot be changed while the server runs; expected one of: ${CHANGEABLE.join(', ')}`,
    );
  checkOptions(changes as ListenOptions);
  return definedOnly(changes) as RuntimeOptions;
}
