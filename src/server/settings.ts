import type { NewPlant } from '../spec/types.js';
import type { ErrorName } from './error-codes.js';
import type { Digit, Failure } from './failures/failure.js';
import type { Fault, FaultName } from './faults/names.js';
import {
  type Check,
  checkMediaTypes,
  checkRejections,
  checkToken,
  faultList,
  integer,
  isInt32,
  MOST_TIMEOUT,
  oneOf,
} from './option-check.js';
import type { ReceivedRequest } from './store.js';

// Every setting of the server, once. From these tables come the types of the options (with their docstrings), the checks, the
// defaults, the flags of `serve`, what the control interface can change, the table in the page of the server, and that part of
// spec/control.yaml. What a setting does is for the steps that read it.

/** A setting of the server: an option of the API, and mostly a flag of `serve`. */
export interface Setting<Value, Default extends Value | undefined = Value> {
  readonly default: Default;
  /** Whether a value is valid, and otherwise what it must be. */
  readonly check: Check;
  /** How a message shows an invalid value; empty if it must not. Default: as it is. */
  readonly got?: (value: unknown) => string;
  /** The flag as the help shows it: `--delay <ms>`. None if only programs have this setting. */
  readonly flag?: string;
  /** What it decides, for the help and for the page of the server. */
  readonly help: string;
  /** What the page of the server says instead, if that is only about the flag. */
  readonly page?: string;
  /** Its default in words, if its value does not say it. */
  readonly defaultInWords?: string;
  /** The words that it takes, if it takes no others. */
  readonly choices?: readonly Value[];
  /** Its values for spec/control.yaml, if the control interface can change it, and it has no choices. */
  readonly schema?: object;
}

/** The options that settings are. */
export type OptionsOf<Table> = {
  readonly [Name in keyof Table]?:
    | (Table[Name] extends Setting<infer Value, infer _> ? Value : never)
    | undefined;
};

/** The same with every default filled in. */
export type FilledOptionsOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer Value, infer Default>
    ? Value | Default
    : never;
};

/** Decides whether a token is accepted. */
export type TokenVerifier = (token: string) => boolean | Promise<boolean>;

/** A reason for a rejection whose response can be chosen. A failure on demand says itself how it responds. */
export type RejectionReason = Exclude<ErrorName, 'malformed-http' | 'internal-error' | 'failure-set'>;

/** Any 4xx. */
export type ClientErrorStatus = `4${Digit}${Digit}` extends `${infer Status extends number}` ? Status : never;

/** How the server responds to a rejected request. */
export interface RejectionResponse {
  readonly status?: ClientErrorStatus | undefined;
  /** The `error` of the body: an int32. */
  readonly error?: number | undefined;
}

const INT32 = { type: 'integer', format: 'int32' };

/** One of a few words, of which the first is the default. */
function choice<const Word extends string>(
  [usual, ...others]: readonly [Word, ...Word[]],
  about: Pick<Setting<Word>, 'flag' | 'help'>,
): Setting<Word> {
  const choices = [usual, ...others];
  return { ...about, default: usual, check: oneOf(...choices), choices };
}

/** A setting with a default. */
function setting<Value>(about: Setting<Value>): Setting<Value> {
  return about;
}

/** A setting without a default. */
function optional<Value>(about: Omit<Setting<Value>, 'default'>): Setting<Value, undefined> {
  return { ...about, default: undefined };
}

/** Where a server listens. */
export const listenSettings = {
  /** Default 127.0.0.1. */
  host: setting<string>({
    default: '127.0.0.1',
    check: (value) => (typeof value === 'string' && value !== '') || 'a host name or an address',
    flag: '--host <name>',
    help: 'address to listen on',
  }),
  /** Default 0: a free port. */
  port: setting<number>({
    default: 0,
    check: integer(0, 65_535),
    flag: '--port <number>',
    help: 'port to listen on; 0 is a free port',
  }),
};

/** What is decided when a server starts. */
export const startSettings = {
  /**
   * The accepted token, several tokens, or a function that decides. Default: a random token, which `token` of the
   * server returns.
   */
  token: optional<string | readonly string[] | TokenVerifier>({
    check: checkToken,
    // An invalid token is a secret too.
    got: () => '',
    flag: '--token <token...>',
    help: 'accepted tokens',
    defaultInWords: 'PLANT_STORE_TOKEN, or else a random token, which is printed',
    page: 'one token, several, or a function `(token) => boolean`. Only `serve` reads the variable',
  }),
  /** Whether pages of other origins may call the server. Default false. */
  cors: setting<boolean>({
    default: false,
    check: oneOf(true, false),
    flag: '--cors',
    help: 'allow requests from web pages of other origins',
  }),
  /** Plants that are stored from the start, and again after a reset. Default: none. */
  plants: setting<readonly NewPlant[]>({
    default: [],
    check: (value) => Array.isArray(value) || 'a list of plants',
    flag: '--plants <file>',
    help: 'store the plants in this file from the start, a JSON array',
    page: 'plants that are stored from the start; [the flag names a file](#from-a-shell)',
  }),
  /** Called for each request. Tokens are redacted. */
  logger: optional<(entry: ReceivedRequest) => void>({
    check: (value) => typeof value === 'function' || 'a function',
    help: 'called for each request. `serve` has a [log](#log)',
  }),
  /** Failures on demand that are set from the start. Default: none. */
  failures: setting<readonly Failure[]>({
    default: [],
    check: (value) => Array.isArray(value) || 'a list of failures',
    flag: '--fail <failure>',
    help: 'make valid creations fail: 503,times=2, reset, or JSON; can be repeated',
    page: 'see [failures on demand](faults.md#failures)',
  }),
  /** Faults that make the server nonconforming: names of {@link loadFaults}, or faults of your own. */
  faults: setting<readonly (FaultName | Fault)[]>({
    default: [],
    ...faultList,
    flag: '--fault <name...>',
    help: 'make the server nonconforming; --list-faults lists the names',
    page: 'names of [faults](faults.md#faults), or faults of your own; `--list-faults` lists them',
  }),
  /** Largest body in bytes. The interface documents no limits; these are limits of the server. Default 1,048,576. */
  bodyBytes: setting<number>({
    default: 1024 * 1024,
    check: integer(0, 2 ** 30),
    flag: '--body-limit <bytes>',
    help: 'largest accepted body',
  }),
  /** Milliseconds for a whole request to arrive. Default 30,000. */
  requestTimeoutMs: setting<number>({
    default: 30_000,
    check: integer(1, MOST_TIMEOUT),
    flag: '--request-timeout <ms>',
    help: 'time limit for a whole request',
  }),
};

/** What can be changed while a server runs. Everything that the interface calls "not shown" is among it. */
export const runtimeSettings = {
  /** The status for a missing, malformed or unknown token (not shown). Default 400, the documented failure. */
  authenticationFailureStatus: setting<400 | 401 | 403>({
    default: 400,
    check: oneOf(400, 401, 403),
    flag: '--authentication-status <status>',
    help: 'status for a missing or unknown token: 400, 401 or 403',
    schema: { ...INT32, enum: [400, 401, 403] },
  }),
  /** How the scheme `Bearer` may be written (not shown). Default `any`, as RFC 9110 says: `bearer` too. */
  schemeCase: choice(['any', 'exact'], {
    flag: '--scheme-case <case>',
    help: 'how the scheme may be written; exact: "Bearer" only',
  }),
  /** The response to each reason for a rejection (not shown). Default: 400, and the codes in `errorCodes`. */
  rejections: setting<Readonly<Partial<Record<RejectionReason, RejectionResponse>>>>({
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
  }),
  /** The `error` of all rejections: their own codes, their status, or one number. Default `own`. */
  errorCodes: setting<'own' | 'status' | number>({
    default: 'own',
    check: (value) =>
      value === 'own' || value === 'status' || isInt32(value) || '"own", "status" or an int32',
    flag: '--error-codes <which>',
    help: 'the "error" of rejections: own, status, or one number',
    schema: { oneOf: [{ type: 'string', enum: ['own', 'status'] }, INT32] },
  }),
  /**
   * How a duplicate id is handled (not shown). `reject-different` accepts the same plant again, and rejects another one
   * with its id. Default `reject`.
   */
  duplicateId: choice(['reject', 'replace', 'reject-different'], {
    flag: '--duplicate-id <what>',
    help: 'how a duplicate id is handled; reject-different accepts the same plant again',
  }),
  /** How fields that NewPlant does not have are handled (not shown). Default `ignore`. */
  unknownFields: choice(['ignore', 'reject'], {
    flag: '--unknown-fields <what>',
    help: 'how unknown fields are handled',
  }),
  /** Further media types that are read as JSON (not shown). `none` is a missing one. Default: none of them. */
  mediaTypes: setting<readonly string[]>({
    default: [],
    check: checkMediaTypes,
    flag: '--media-type <types>',
    help: 'also read these media types as JSON, separated by commas; none: a missing one',
    page: 'also read as JSON: `text/plain`, `*/*`; `none` is a missing one',
    schema: { type: 'array', items: { type: 'string' } },
  }),
  /** The delay of each response, in milliseconds. Default 0. */
  delayMs: setting<number>({
    default: 0,
    check: integer(0, MOST_TIMEOUT),
    flag: '--delay <ms>',
    help: 'delay each response by this time',
    schema: { ...INT32, minimum: 0 },
  }),
};
