import { definedOnly } from '../defined-only.js';
import { invalidOption } from '../toolkit-error.js';
import { isObject } from '../validation/json-value.js';
import { describe } from '../validation/violation.js';
import { type FaultName, faultNames } from './faults/names.js';
import type { ReceivedRequest } from './store.js';

/** Decides whether a token is accepted. */
export type TokenVerifier = (token: string) => boolean | Promise<boolean>;

/** What the logger receives for each request, after its response is made. */
export type LogEntry = ReceivedRequest;

/** How large and how slow a request may be. The interface documents no limits; these are limits of the server. */
export interface Limits {
  /** Largest body in bytes. Default 1,048,576. */
  readonly bodyBytes?: number;
  /** Milliseconds for the header section of a request to arrive. Default 10,000. */
  readonly headersTimeoutMs?: number;
  /** Milliseconds for a whole request to arrive. Default 30,000. */
  readonly requestTimeoutMs?: number;
}

/** Options of the reference server. Everything that the interface calls "not shown" is an option with a default. */
export interface PlantStoreOptions {
  /**
   * The accepted token, several tokens, or a function that decides. Default: a random token, which `token` of the
   * server returns.
   */
  readonly token?: string | readonly string[] | TokenVerifier;
  /** The status for a missing, malformed or unknown token (not shown). Default 400, the documented failure. */
  readonly authenticationFailureStatus?: 400 | 401 | 403;
  /** How a duplicate id is handled (not shown). Default `reject`. */
  readonly duplicateId?: 'reject' | 'replace';
  /** How fields that NewPlant does not have are handled (not shown). Default `ignore`. */
  readonly unknownFields?: 'ignore' | 'reject';
  readonly limits?: Limits;
  /** The delay of each response, in milliseconds. Default 0. */
  readonly delayMs?: number;
  /** Origins whose pages may call the server: all (`true`), or those of a list. Default false. */
  readonly cors?: boolean | readonly string[];
  /** Called for each request. Tokens are redacted. */
  readonly logger?: (entry: LogEntry) => void;
  /** How many requests `received()` returns at most, the last ones. Default 1,000. */
  readonly receivedRequests?: number;
  /** Named faults that make the server nonconforming; see `loadFaults`. */
  readonly faults?: readonly FaultName[];
}

/** Options of {@link startPlantStore}: options of the server, and where it listens. */
export interface ListenOptions extends PlantStoreOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: a free port. */
  readonly port?: number;
}

/** Options with every default filled in. */
export interface Settings extends Required<Omit<ListenOptions, 'token' | 'limits' | 'logger'>> {
  readonly tokens: readonly string[];
  readonly verify: TokenVerifier | undefined;
  readonly limits: Required<Limits>;
  readonly logger: ListenOptions['logger'];
}

const DEFAULT_LIMITS: Required<Limits> = {
  bodyBytes: 1024 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
};

const DEFAULTS = {
  authenticationFailureStatus: 400,
  duplicateId: 'reject',
  unknownFields: 'ignore',
  delayMs: 0,
  cors: false,
  logger: undefined,
  receivedRequests: 1000,
  faults: [],
  host: '127.0.0.1',
  port: 0,
} as const;

/** Returns `true` if a value is valid for an option, and otherwise what it must be. */
type Check = (value: unknown) => true | string;

const MOST_TIMEOUT = 2 ** 31 - 1;
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

const OPTION_CHECKS: Record<keyof ListenOptions, Check> = {
  token: (value) =>
    typeof value === 'function' ||
    isTokens(value) ||
    'a token of the characters A-Z a-z 0-9 - . _ ~ + / (and = at its end), a list of tokens, or a function',
  authenticationFailureStatus: oneOf(400, 401, 403),
  duplicateId: oneOf('reject', 'replace'),
  unknownFields: oneOf('ignore', 'reject'),
  limits: (value) => isObject(value) || 'an object',
  delayMs: integer(0, MOST_TIMEOUT),
  cors: (value) => typeof value === 'boolean' || isStrings(value) || 'true, false or a list of origins',
  logger: (value) => typeof value === 'function' || 'a function',
  receivedRequests: integer(0, 1_000_000),
  faults: (value) => isFaultNames(value) || 'a list of fault names (see plant-store serve --list-faults)',
  host: (value) => (typeof value === 'string' && value !== '') || 'a host name or an address',
  port: integer(0, 65_535),
};

const LIMIT_CHECKS: Record<keyof Limits, Check> = {
  bodyBytes: integer(0, 2 ** 30),
  headersTimeoutMs: integer(1, MOST_TIMEOUT),
  requestTimeoutMs: integer(1, MOST_TIMEOUT),
};

/**
 * Fills in the defaults.
 *
 * @throws ToolkitError `invalid-option`, with a sentence that names the option, what it must be, and its value
 */
export function settingsFrom(options: ListenOptions): Settings {
  checkAll('option', options, OPTION_CHECKS);
  checkAll('limit', options.limits ?? {}, LIMIT_CHECKS);
  const { token = randomToken(), limits, ...others } = options;
  return {
    ...DEFAULTS,
    ...definedOnly(others),
    tokens: typeof token === 'function' ? [] : [token].flat(),
    verify: typeof token === 'function' ? token : undefined,
    limits: { ...DEFAULT_LIMITS, ...definedOnly(limits ?? {}) },
  };
}

function checkAll<T extends object>(kind: string, options: T, checks: Record<string, Check>): void {
  if (!isObject(options)) throw invalidOption('the options must be an object');
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) {
      const known = Object.keys(checks).join(', ');
      throw invalidOption(`unknown ${kind} "${name}"; expected one of: ${known}`);
    }
    const verdict = value === undefined || check(value);
    if (verdict === true) continue;
    // An invalid token is a secret too.
    const got = name === 'token' ? '' : `; got ${name === 'faults' ? unknownFault(value) : shown(value)}`;
    throw invalidOption(`the ${kind} "${name}" must be ${verdict}${got}`);
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : describe(value);
}

function unknownFault(value: unknown): string {
  return shown(Array.isArray(value) ? value.find((name) => !faultNames.includes(name)) : value);
}

function oneOf(...values: readonly unknown[]): Check {
  return (value) => values.includes(value) || values.map(shown).join(' or ');
}

function integer(low: number, high: number): Check {
  return (value) =>
    (Number.isInteger(value) && (value as number) >= low && (value as number) <= high) ||
    `an integer from ${low} to ${high}`;
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isTokens(value: unknown): boolean {
  const tokens = typeof value === 'string' ? [value] : value;
  return isStrings(tokens) && tokens.length > 0 && tokens.every((token) => TOKEN.test(token));
}

function isFaultNames(value: unknown): boolean {
  return isStrings(value) && value.every((name) => faultNames.includes(name as FaultName));
}

function randomToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return Buffer.from(bytes).toString('base64url');
}
