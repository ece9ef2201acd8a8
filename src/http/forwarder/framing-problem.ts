import { type HeaderFields, headerValues } from '../fields.js';

/** What decides where a request begins and ends, and who gets it. */
export const FRAMING: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'host']);

/** What is known of a message when its head has come. */
interface Framing {
  readonly httpVersion: string;
  readonly headers: HeaderFields;
}

/**
 * Why a request cannot be forwarded: another server might read it as another request, or as several (RFC 9112, sections
 * 6.3 and 11.2). Node's parser rejects most of these already, but not if NODE_OPTIONS makes it lenient.
 *
 * @returns a sentence; `undefined` if every server reads the same request
 */
export function framingProblem({ httpVersion, headers }: Framing): string | undefined {
  if (httpVersion !== '1.0' && httpVersion !== '1.1') return `the request is in HTTP/${httpVersion}`;
  // It belongs to one connection, and is not forwarded. The fields that it names are not forwarded either.
  const options = optionsOf(headerValues(headers, 'connection'));
  for (const name of FRAMING) if (options.includes(name)) return `Connection names ${name}`;
  if (headerValues(headers, 'host').length > 1) return 'there is more than one Host';
  const lengths = headerValues(headers, 'content-length');
  const codings = headerValues(headers, 'transfer-encoding');
  if (lengths.length > 1) return 'there is more than one Content-Length';
  if (lengths.some((length) => !/^\d+$/.test(length))) return 'Content-Length is not a number';
  if (codings.length === 0) return undefined;
  if (lengths.length > 0) return 'there are both Content-Length and Transfer-Encoding';
  if (httpVersion === '1.0') return NO_CODING_IN_1_0;
  return codings.join().toLowerCase() === 'chunked' ? undefined : WRONG_CODING;
}

/**
 * Why a response cannot be forwarded. Its transfer coding belongs to one connection, and nobody could read its body without
 * it. Old servers send "identity", which means none.
 *
 * @returns a sentence; `undefined` if it can be forwarded
 */
export function responseProblem({ httpVersion, headers }: Framing, status: number): string | undefined {
  // Node passes on a 101 as a final response if it names no protocol.
  if (status < 200) return `its status is ${status}`;
  const codings = headerValues(headers, 'transfer-encoding');
  if (codings.length === 0) return undefined;
  if (httpVersion === '1.0') return NO_CODING_IN_1_0;
  return /^(?:chunked|identity)$/i.test(codings.join()) ? undefined : WRONG_CODING;
}

const NO_CODING_IN_1_0 = 'Transfer-Encoding does not exist in HTTP/1.0';
const WRONG_CODING = 'Transfer-Encoding is not exactly "chunked"';

/** The options of `Connection`, in lower case. */
export function optionsOf(connection: readonly string[]): readonly string[] {
  // Most messages have no such field.
  if (connection.length === 0) return connection;
  return connection.flatMap((value) => value.toLowerCase().split(',')).map((option) => option.trim());
}
