import type { ErrorName } from './error-codes.js';

/** Decides whether a token is accepted. */
export type TokenVerifier = (token: string) => boolean | Promise<boolean>;

/** A reason for a rejection whose response can be chosen. A failure on demand says itself how it responds. */
export type RejectionReason = Exclude<ErrorName, 'malformed-http' | 'internal-error' | 'failure-set'>;

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** Any 4xx. */
export type ClientErrorStatus = `4${Digit}${Digit}` extends `${infer Status extends number}` ? Status : never;

/** How the server responds to a rejected request. */
export interface RejectionResponse {
  readonly status?: ClientErrorStatus | undefined;
  /** The `error` of the body: an int32. */
  readonly error?: number | undefined;
}

/** The options that can be changed while a server runs. Everything that the interface calls "not shown" is among them. */
export interface RuntimeOptions {
  /** The status for a missing, malformed or unknown token (not shown). Default 400, the documented failure. */
  readonly authenticationFailureStatus?: 400 | 401 | 403 | undefined;
  /** How the scheme `Bearer` may be written (not shown). Default `any`, as RFC 9110 says: `bearer` too. */
  readonly schemeCase?: 'any' | 'exact' | undefined;
  /** The response to each reason for a rejection (not shown). Default: 400, and the codes in `errorCodes`. */
  readonly rejections?: Readonly<Partial<Record<RejectionReason, RejectionResponse>>> | undefined;
  /** The `error` of all rejections: their own codes, their status, or one number. Default `own`. */
  readonly errorCodes?: 'own' | 'status' | number | undefined;
  /**
   * How a duplicate id is handled (not shown). `reject-different` accepts the same plant again, and rejects another one
   * with its id. Default `reject`.
   */
  readonly duplicateId?: 'reject' | 'replace' | 'reject-different' | undefined;
  /** How fields that NewPlant does not have are handled (not shown). Default `ignore`. */
  readonly unknownFields?: 'ignore' | 'reject' | undefined;
  /** Further media types that are read as JSON (not shown). `none` is a missing one. Default: none of them. */
  readonly mediaTypes?: readonly string[] | undefined;
  /** The delay of each response, in milliseconds. Default 0. */
  readonly delayMs?: number | undefined;
}

/** Options of which none is left out. */
type Filled<Options> = { readonly [Name in keyof Options]-?: Exclude<Options[Name], undefined> };

/** What decides how a request is answered: options with every default filled in. */
export interface Behaviour extends Filled<RuntimeOptions> {
  /** The accepted tokens; none if a function decides. */
  readonly tokens: readonly string[];
  readonly verify: TokenVerifier | undefined;
  /** The path before `/plants`, without a slash at its end. */
  readonly basePath: string;
  readonly bodyBytes: number;
  readonly cors: boolean;
}
