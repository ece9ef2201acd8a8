import type { IncomingMessage } from 'node:http';
import { type Fields, headerValues } from './fields.js';

/** More than any client sends. An attacker could fill a head with fields of one character, which take much memory. */
export const MOST_FIELDS = 2_000;

/** What decides where a message begins and ends, and who gets it. `Connection` never changes it. */
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'host']);

/**
 * Why a request cannot be forwarded: another server might read it as another request, or as several (RFC 9112, sections
 * 6.3 and 11.2). Node's strict parser has rejected the rest: several lengths, one that is no number, or one beside a coding.
 *
 * @returns a sentence; `undefined` if every server reads the same request
 */
export function framingProblem({ httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (rawHeaders.length >= 2 * MOST_FIELDS) return `it has ${MOST_FIELDS} header fields or more`;
  if (httpVersion !== '1.0' && httpVersion !== '1.1') return `the request is in HTTP/${httpVersion}`;
  // It belongs to one connection, and is not forwarded. The fields that it names are not forwarded either.
  const options = optionsOf(headerValues(rawHeaders, 'connection'));
  for (const name of FRAMING) if (options.includes(name)) return `Connection names ${name}`;
  if (headerValues(rawHeaders, 'host').length > 1) return 'there is more than one Host';
  return codingProblem(httpVersion, rawHeaders, /^chunked$/i);
}

/**
 * Why a response cannot be forwarded. Its transfer coding belongs to one connection, and nobody could read its body without
 * it. Old servers send "identity", which means none.
 */
export function responseProblem({
  httpVersion,
  rawHeaders,
  statusCode = 0,
}: IncomingMessage): string | undefined {
  // Node passes on a 101 as a final response if it names no protocol.
  if (statusCode < 200) return `its status is ${statusCode}`;
  return codingProblem(httpVersion, rawHeaders, /^(?:chunked|identity)$/i);
}

function codingProblem(version: string, rawHeaders: readonly string[], known: RegExp): string | undefined {
  const codings = headerValues(rawHeaders, 'transfer-encoding');
  if (codings.length === 0) return undefined;
  if (version === '1.0') return 'Transfer-Encoding does not exist in HTTP/1.0';
  return known.test(codings.join()) ? undefined : 'Transfer-Encoding is not exactly "chunked"';
}

/** The options of `Connection`, in lower case. */
function optionsOf(connection: readonly string[]): readonly string[] {
  return connection.flatMap((value) => value.toLowerCase().split(',')).map((option) => option.trim());
}

/** Fields about one connection (RFC 9110, section 7.6.1), and `Trailer`: trailers are not forwarded. */
const HOP_BY_HOP = new Set(
  'connection keep-alive proxy-connection proxy-authorization proxy-authenticate te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/** The fields that are forwarded, in order and as written. */
export function endToEnd(headers: Fields): Fields {
  const named = new Set(optionsOf(headerValues(headers, 'connection')));
  return headers.filter(([name]) => {
    const field = name.toLowerCase();
    return !HOP_BY_HOP.has(field) && (!named.has(field) || FRAMING.has(field));
  });
}
