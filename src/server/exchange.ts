/** A request as every way in hands it to the pipeline. */
export interface IncomingRequest {
  readonly method: string;
  /** The request target as received: a path with its query, or an absolute URL. */
  readonly target: string;
  /** Names and values in turn, as received and in order. */
  readonly headers: readonly string[];
  /** The whole body, or `undefined` where it is larger than the limit and was not read. */
  readonly body: Uint8Array | undefined;
  /** What the way in found wrong with the message itself, as a sentence. */
  readonly malformed?: string | undefined;
  /** The same object for all requests of one connection. */
  readonly connection: object;
}

/** A response as the pipeline gives it to the way out. */
export interface Answer {
  readonly status: number;
  /** Names and values in turn. `content-length` is left to the way out. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array;
  /**
   * How it reaches the client: `whole`; `hang`, not at all; `reset`, the connection is reset instead;
   * `truncated`, half of the body comes and the connection ends. All but the first are faults.
   */
  readonly delivery?: 'whole' | 'hang' | 'reset' | 'truncated' | 'short-length';
}

/** A value now, or later. */
export type Eventually<T> = T | Promise<T>;

/** Answers requests; never throws, and never rejects. It knows nothing of how they come and go. */
export type Pipeline = (request: IncomingRequest) => Eventually<Answer>;

const NONE: readonly string[] = Object.freeze([]);

/** The values of one header field, in order. `name` is in lower case. */
export function fieldValues(headers: readonly string[], name: string): readonly string[] {
  let values: string[] | undefined;
  for (let i = 0; i < headers.length; i += 2) {
    const field = headers[i] as string;
    if (field.length !== name.length || field.toLowerCase() !== name) continue;
    if (values === undefined) values = [headers[i + 1] as string];
    else values.push(headers[i + 1] as string);
  }
  return values ?? NONE;
}

/** The path of a request target, without query. An absolute URL is allowed, RFC 9112 section 3.2.2. */
export function pathOf(target: string): string {
  const path = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const query = path.indexOf('?');
  return query === -1 ? path : path.slice(0, query);
}
