/** Header fields in order, names as written. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** A request as it came, or as it is to be sent on. */
export interface ForwardedRequest {
  readonly method: string;
  /** The request target: path and query, as written. */
  readonly target: string;
  readonly headers: Fields;
  readonly body: Uint8Array;
}

/** A response as it came. */
export interface ForwardedResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: Fields;
  readonly body: Uint8Array;
  /** Whether it came to its end. */
  readonly complete: boolean;
}

/** One request that was forwarded, and what became of it. */
export interface ForwardedExchange {
  /** As it was sent on. */
  readonly request: ForwardedRequest;
  readonly response?: ForwardedResponse;
  /** Why there is no response, as a sentence. */
  readonly failure?: string;
  readonly durationMs: number;
}

/** Pairs of a flat list: `rawHeaders` of Node. */
export function fieldsFrom(flat: readonly string[]): Fields {
  return Array.from(
    { length: flat.length / 2 },
    (_, i) => [flat[2 * i] as string, flat[2 * i + 1] as string] as const,
  );
}

/** The values of one header field, in order. `name` is in lower case. */
export function valuesOf(headers: Fields, name: string): string[] {
  return headers.filter(([field]) => field.toLowerCase() === name).map(([, value]) => value);
}

/** Fields about one connection, which end with it (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'proxy-authenticate'],
  ...['te', 'transfer-encoding', 'upgrade'],
]);

/** The fields that go on to the next hop, in their order and as they are written. */
export function endToEnd(headers: Fields): Fields {
  const named = new Set(
    valuesOf(headers, 'connection').flatMap((value) => value.toLowerCase().split(/\s*,\s*/)),
  );
  return headers.filter(([name]) => {
    const field = name.toLowerCase();
    return !HOP_BY_HOP.has(field) && !named.has(field);
  });
}
