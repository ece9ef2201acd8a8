import { readJson } from '../validation/json.js';
import type { JsonValue } from '../validation/json-value.js';

/** The body of a request as JSON. */
export interface ParsedBody {
  /**
   * The body as JSON, read exactly: an integer beyond 2^53 is a `bigint`. `undefined` if the body is not JSON. Of equal
   * keys, the last one counts.
   */
  readonly json: JsonValue | undefined;
}

/** Adds the body as JSON. It is parsed when it is read first: most log entries are never read so closely. */
export function withJson<Request extends { readonly body: Uint8Array }>(
  request: Request,
): Request & ParsedBody {
  return Object.defineProperty(request, 'json', {
    enumerable: true,
    configurable: true,
    get() {
      const read = readJson(request.body);
      const value = read.ok ? read.value : undefined;
      Object.defineProperty(request, 'json', { value, enumerable: true });
      return value;
    },
  }) as Request & ParsedBody;
}
