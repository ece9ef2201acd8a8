import { ToolkitError } from '../toolkit-error.js';
import { describe } from '../validation/violation.js';
import { type FaultName, faultNames } from './faults/names.js';
import type { ReceivedRequest } from './store.js';

/** Decides on a token that was sent: true accepts it. May answer later. */
export type TokenVerifier = (token: string) => boolean | Promise<boolean>;

/** What the logger of a server is told about each request, as soon as it is answered. */
export type LogEntry = ReceivedRequest;

/** How large and how slow a request may be. The interface shows no limits; these are the server's own. */
export interface Limits {
  /** Largest body in bytes. Default 1,048,576. */
  readonly bodyBytes?: number;
  /** Milliseconds for the header section of a request to arrive. Default 10,000. */
  readonly headersTimeoutMs?: number;
  /** Milliseconds for a whole request to arrive. Default 30,000. */
  readonly requestTimeoutMs?: number;
}

/** Options of the reference server. Every one that the interface leaves open has a default. */
export interface PlantStoreOptions {
  /**
   * The token that is accepted, or several, or a function that decides. Without it a random one is made, which
   * `token` of the server holds.
   */
  readonly token?: string | readonly string[] | TokenVerifier;
  /** The status that answers a missing, malformed or wrong token (not shown). Default 400, the documented failure. */
  readonly authenticationFailureStatus?: 400 | 401 | 403;
  /** What a creation with an id that exists does (not shown). Default `refuse`. */
  readonly repeatedId?: 'refuse' | 'replace';
  /** What fields that NewPlant does not have do in a request (not shown). Default `ignore`. */
  readonly unknownFields?: 'ignore' | 'refuse';
  readonly limits?: Limits;
  /** Milliseconds that each answer waits. Default 0. */
  readonly delayMs?: number;
  /** Lets pages of other origins in: all (`true`), or those of a list. Default false. */
  readonly cors?: boolean | readonly string[];
  /** Called with every request that was answered; it holds no token. */
  readonly logger?: (entry: LogEntry) => void;
  /** How many of the last requests `received()` gives. Default 1,000. */
  readonly receivedRequests?: number;
  /** Named ways in which the server is made wrong; see `loadFaults`. */
  readonly faults?: readonly FaultName[];
}

/** Options of {@link startPlantStore}: those of the server, and where it listens. */
export interface ListenOptions extends PlantStoreOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: a free port. */
  readonly port?: number;
}

/** Options with every default filled in. */
export interface Settings {
  readonly tokens: readonly string[];
  readonly verify: TokenVerifier | undefined;
  readonly authenticationFailureStatus: 400 | 401 | 403;
  readonly repeatedId: 'refuse' | 'replace';
  readonly unknownFields: 'ignore' | 'refuse';
  readonly limits: Required<Limits>;
  readonly delayMs: number;
  readonly cors: boolean | readonly string[];
  readonly logger: ((entry: LogEntry) => void) | undefined;
  readonly receivedRequests: number;
  readonly faults: readonly FaultName[];
  readonly host: string;
  readonly port: number;
}

/** Whether a value is right for an option, or what it has to be. */
type Check = (value: unknown) => true | string;

const MOST_TIMEOUT = 2 ** 31 - 1;
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

const OPTION_CHECKS: Record<keyof ListenOptions, Check> = {
  token: (value) =>
    typeof value === 'function' ||
    isTokens(value) ||
    'a token of the characters A-Z a-z 0-9 - . _ ~ + / (then =), a list of these, or a function',
  authenticationFailureStatus: oneOf(400, 401, 403),
  repeatedId: oneOf('refuse', 'replace'),
  unknownFields: oneOf('ignore', 'refuse'),
  limits: (value) => isRecord(value) || 'an object',
  delayMs: integer(0, MOST_TIMEOUT),
  cors: (value) => typeof value === 'boolean' || isStrings(value) || 'true, false or a list of origins',
  logger: (value) => typeof value === 'function' || 'a function',
  receivedRequests: integer(0, 1_000_000),
  faults: (value) => isFaultNames(value) || 'a list of names of faults (plant-store serve --list-faults)',
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
 * @throws ToolkitError `invalid-option`, with a sentence that names the option, what it has to be and what it is
 */
export function settingsFrom(options: ListenOptions): Settings {
  refuseWrong('option', options, OPTION_CHECKS);
  refuseWrong('limit', options.limits ?? {}, LIMIT_CHECKS);
  const { token = randomToken() } = options;
  return {
    tokens: typeof token === 'function' ? [] : [token].flat(),
    verify: typeof token === 'function' ? token : undefined,
    authenticationFailureStatus: options.authenticationFailureStatus ?? 400,
    repeatedId: options.repeatedId ?? 'refuse',
    unknownFields: options.unknownFields ?? 'ignore',
    limits: {
      bodyBytes: options.limits?.bodyBytes ?? 1024 * 1024,
      headersTimeoutMs: options.limits?.headersTimeoutMs ?? 10_000,
      requestTimeoutMs: options.limits?.requestTimeoutMs ?? 30_000,
    },
    delayMs: options.delayMs ?? 0,
    cors: options.cors ?? false,
    logger: options.logger,
    receivedRequests: options.receivedRequests ?? 1000,
    faults: options.faults ?? [],
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
  };
}

function refuseWrong<T extends object>(kind: string, options: T, checks: Record<string, Check>): void {
  if (!isRecord(options)) throw new ToolkitError('invalid-option', 'the options must be an object');
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) {
      const known = Object.keys(checks).join(', ');
      throw new ToolkitError('invalid-option', `there is no ${kind} "${name}"; there are: ${known}`);
    }
    const verdict = value === undefined || check(value);
    if (verdict === true) continue;
    // A wrong token is still a secret.
    const got = name === 'token' ? '' : `; got ${name === 'faults' ? unknownFault(value) : shown(value)}`;
    throw new ToolkitError('invalid-option', `the ${kind} "${name}" must be ${verdict}${got}`);
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

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
