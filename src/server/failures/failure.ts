import type { Filled } from '../../defined-only.js';

/** What happens to the connection: no response, a reset instead of it, or half of its body and then its end. */
export const connectionFailures = ['hang', 'reset', 'truncate'] as const;

/** See {@link Failure.connection}. */
export type ConnectionFailure = (typeof connectionFailures)[number];

/** The creations that a failure applies to: those that match all of these. */
export interface FailureMatch {
  readonly name?: string | undefined;
  /** An int64. Beyond 2^53 it must be a bigint or a string of digits. */
  readonly id?: number | bigint | string | undefined;
  /** Header fields of the request with exactly these values. Names are in any case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * A failure on demand: how the server responds to valid, authorised creations instead of as usual. It is plain data, the
 * same in code, in the flag `--fail` and in the control interface.
 *
 * Without a `status`, the response is the usual one, delayed or incomplete.
 */
export type Failure = WithEffect<Members>;

/** A failure that `next` and `always` set: they say how often. */
export type SetFailure = WithEffect<Omit<Members, 'times'>>;

/** A failure needs at least one of these. */
type WithEffect<Of> = { [E in Effect]: Of & Filled<Pick<Members, E>> }[Effect];
type Effect = 'status' | 'connection' | 'delayMs';

interface Members {
  /** Any 4xx or 5xx. */
  readonly status?: number | undefined;
  /** The `error` of its Error: an int32. Default: as the option `errorCodes` says, otherwise the code `failure-set`. */
  readonly error?: number | undefined;
  /** The `message` of its Error. */
  readonly message?: string | undefined;
  /** A body instead of the Error; empty for none. */
  readonly body?: string | undefined;
  /** Further header fields of the response, such as `Retry-After`. `Content-Type` replaces that of the body. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How long the response is delayed. */
  readonly delayMs?: number | undefined;
  /** `hang`: never a response. `reset`: a connection reset instead. `truncate`: half of the body, then its end. */
  readonly connection?: ConnectionFailure | undefined;
  /**
   * Whether the plant is stored, so that a retry finds it. Default: if the client receives the whole head of a 200. Then it
   * knows that the plant was created.
   */
  readonly stored?: boolean | undefined;
  /** Which creations. Default: all. */
  readonly when?: FailureMatch | undefined;
  /** How many creations. Default: all. */
  readonly times?: number | undefined;
  /** Only every nth of them. Default 1. */
  readonly every?: number | undefined;
}

/** Whether a plant is stored although its creation fails. */
export function storesPlant({ status, connection, stored }: Failure): boolean {
  return stored ?? (status === undefined && connection !== 'hang' && connection !== 'reset');
}

/** A copy of a failure, which is plain data. */
export function copyOf<Data>(data: Data): Data {
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, copyOf(value)])) as Data;
}

/** An id as a bigint; `undefined` if it is not an int64, or a number that may be rounded. */
export function idOf(value: unknown): bigint | undefined {
  const isExact =
    typeof value === 'bigint' ||
    Number.isSafeInteger(value) ||
    (typeof value === 'string' && /^-?\d{1,19}$/.test(value));
  if (!isExact) return undefined;
  const id = BigInt(value as bigint | number | string);
  return BigInt.asIntN(64, id) === id ? id : undefined;
}
