import { definedOnly } from '../defined-only.js';
import type { Profile } from '../report/profile.js';
import { MAX_DEPTH } from '../validation/json-parser.js';
import { UNLIMITED } from './constraints.js';
import type { ErrorName } from './error-codes.js';
import type { Failure } from './failures/failure.js';
import type { FaultName } from './faults/names.js';
import { checkOptions } from './option-checks.js';
import type { ReceivedRequest } from './store.js';

/** Decides whether a token is accepted. */
export type TokenVerifier = (token: string) => boolean | Promise<boolean>;

/** What the logger receives for each request, after its response is made. */
export type LogEntry = ReceivedRequest;

/** How large and how slow a request may be. The interface documents no limits; these are limits of the server. */
export interface Limits {
  /** Largest body in bytes. Default 1,048,576. */
  readonly bodyBytes?: number;
  /**
   * How many plants are stored. Each further one removes the oldest. Default 1,500,000, which take about 500 MB with names
   * of usual length.
   */
  readonly plants?: number;
  /** Milliseconds for the header section of a request to arrive. Default 10,000. */
  readonly headersTimeoutMs?: number;
  /** Milliseconds for a whole request to arrive. Default 30,000. */
  readonly requestTimeoutMs?: number;
  /** Most levels of arrays and objects in a body, of which the plant is the first. Default 500. */
  readonly depth?: number;
  /** Most characters (code points) of a name, from 30. Default: no limit. */
  readonly longestName?: number;
  /** Most characters of a tag, from 9. Default: no limit. */
  readonly longestTag?: number;
  /** The smallest id, up to 1. Default -2^63. */
  readonly smallestId?: number | bigint;
}

/** The reasons of failures on demand. Each failure says itself how it responds. */
type FailureReason = 'failure-preferred' | 'failure-set';

/** A reason for a rejection whose response can be chosen. */
export type RejectionReason = Exclude<ErrorName, 'malformed-http' | 'internal-error' | FailureReason>;

/** How the server responds to a rejected request. */
export interface RejectionResponse {
  /** Any 4xx. */
  readonly status?: number;
  /** The `error` of the body: an int32. */
  readonly error?: number;
}

/** Options of the reference server. Everything that the interface calls "not shown" is an option with a default. */
export interface PlantStoreOptions {
  /**
   * The profile of a provider, which `readProfile` reads: the server behaves like that provider. The other options count
   * more. See `imitationOf` for what it imitates.
   */
  readonly profile?: Profile;
  /**
   * The accepted token, several tokens, or a function that decides. Default: a random token, which `token` of the
   * server returns.
   */
  readonly token?: string | readonly string[] | TokenVerifier;
  /** The status for a missing, malformed or unknown token (not shown). Default 400, the documented failure. */
  readonly authenticationFailureStatus?: 400 | 401 | 403;
  /** The `WWW-Authenticate` of those responses, or `false` for none. Default: `Bearer`, with the reason. */
  readonly challenge?: string | false;
  /**
   * Which spellings of `Bearer <token>` are accepted. Default `rfc`: the scheme in any case, and several spaces after it.
   * `exact-scheme` and `one-space` accept only one of these, and `exact` neither.
   */
  readonly authorizationSyntax?: 'rfc' | 'exact-scheme' | 'one-space' | 'exact';
  /** How a request with several Authorization headers is handled. Default `reject`; with `first`, the first one counts. */
  readonly duplicateAuthorization?: 'reject' | 'first';
  /** The response to each reason for a rejection (not shown). Default: 400, and the codes in `errorCodes`. */
  readonly rejections?: Readonly<Partial<Record<RejectionReason, RejectionResponse>>>;
  /** The `error` of all rejections: their own codes, their status, or one number. Default `own`. */
  readonly errorCodes?: 'own' | 'status' | number;
  /**
   * How a duplicate id is handled (not shown). `reject-different` accepts the same plant again, and rejects another one
   * with its id. Default `reject`.
   */
  readonly duplicateId?: 'reject' | 'replace' | 'reject-different';
  /** How a duplicate name is handled (not shown). Default `accept`. */
  readonly duplicateName?: 'accept' | 'reject';
  /** How fields that NewPlant does not have are handled (not shown). Default `ignore`. */
  readonly unknownFields?: 'ignore' | 'reject';
  /** How a key that occurs twice is handled (not shown). Default `reject`; with `last`, the last one counts. */
  readonly duplicateKeys?: 'reject' | 'last';
  /** How an id written as `7.0` or `7e0` is handled (not shown). Default `accept`. */
  readonly fractionalIds?: 'accept' | 'reject';
  /** How a byte-order mark before the JSON is handled (not shown). Default `reject`. */
  readonly byteOrderMark?: 'reject' | 'accept';
  /** Further media types that are read as JSON (not shown). `none` is a missing one. Default: none of them. */
  readonly mediaTypes?: readonly string[];
  /** What a name must match (not shown). It must accept ASCII letters. Default: anything. */
  readonly namePattern?: string | RegExp;
  /** What a tag must match (not shown). It must accept lower-case ASCII letters. Default: anything. */
  readonly tagPattern?: string | RegExp;
  readonly limits?: Limits;
  /** The delay of each response, in milliseconds. Default 0. */
  readonly delayMs?: number;
  /** Origins whose pages may call the server: all (`true`), or those of a list. Default false. */
  readonly cors?: boolean | readonly string[];
  /** Called for each request. Tokens are redacted. */
  readonly logger?: (entry: LogEntry) => void;
  /** How many requests `received()` returns at most, the last ones. Default 1,000. */
  readonly receivedRequests?: number;
  /** Failures on demand that are set from the start. Default: none. */
  readonly failures?: readonly Failure[];
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

/** Options without a default. */
type Optional = 'logger' | 'challenge' | 'namePattern' | 'tagPattern';
type OptionalLimit = 'smallestId';

/** Options with every default filled in. */
export interface Settings extends Required<Omit<ListenOptions, 'token' | 'limits' | 'profile' | Optional>> {
  readonly tokens: readonly string[];
  readonly verify: TokenVerifier | undefined;
  readonly challenge: ListenOptions['challenge'];
  readonly namePattern: ListenOptions['namePattern'];
  readonly tagPattern: ListenOptions['tagPattern'];
  readonly limits: Required<Omit<Limits, OptionalLimit>> & Pick<Limits, OptionalLimit>;
  readonly logger: ListenOptions['logger'];
}

const DEFAULT_LIMITS: Settings['limits'] = {
  bodyBytes: 1024 * 1024,
  plants: 1_500_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  depth: MAX_DEPTH,
  longestName: UNLIMITED,
  longestTag: UNLIMITED,
};

const DEFAULTS = {
  authenticationFailureStatus: 400,
  challenge: undefined,
  authorizationSyntax: 'rfc',
  duplicateAuthorization: 'reject',
  rejections: {},
  errorCodes: 'own',
  duplicateId: 'reject',
  duplicateName: 'accept',
  unknownFields: 'ignore',
  duplicateKeys: 'reject',
  fractionalIds: 'accept',
  byteOrderMark: 'reject',
  mediaTypes: [],
  namePattern: undefined,
  tagPattern: undefined,
  delayMs: 0,
  cors: false,
  logger: undefined,
  receivedRequests: 1000,
  failures: [],
  faults: [],
  host: '127.0.0.1',
  port: 0,
} as const;

/**
 * Fills in the defaults.
 *
 * @throws ToolkitError `invalid-option`, with a sentence that names the option, what it must be, and its value
 */
export function settingsFrom(options: Omit<ListenOptions, 'profile'>): Settings {
  checkOptions(options);
  const { token = randomToken(), limits, ...others } = options;
  return {
    ...DEFAULTS,
    ...definedOnly(others),
    tokens: typeof token === 'function' ? [] : [token].flat(),
    verify: typeof token === 'function' ? token : undefined,
    limits: { ...DEFAULT_LIMITS, ...definedOnly(limits ?? {}) },
  };
}

function randomToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return Buffer.from(bytes).toString('base64url');
}
