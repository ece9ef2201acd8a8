// @ts-check
// Node's own parser of HTTP, llhttp, without a connection: as strict as in a server. Node 20 to 26 have it under this name.
import { createRequire } from 'node:module';

const { HTTPParser, methods } = createRequire(import.meta.url)('_http_common');

/**
 * @typedef {object} NodeMessage
 * @property {string} [method]
 * @property {string} [target]
 * @property {number} [status]
 * @property {string} [reason]
 * @property {string} version
 * @property {string[]} headers names and values in turn
 * @property {Buffer} body
 * @property {boolean} complete
 */

/**
 * Reads bytes to the end of the connection.
 *
 * @param {Buffer} bytes
 * @param {'request' | 'response'} kind of all messages
 * @param {boolean} ends whether the connection ends there
 * @returns {{ messages: NodeMessage[], error?: string }} the error of what follows the messages
 */
export function nodeReads(bytes, kind, ends = true) {
  /** @type {NodeMessage[]} */
  const messages = [];
  /** @type {Buffer[]} */
  let parts = [];
  /** @type {string[]} */
  let early = [];
  let earlyTarget = '';
  const parser = new HTTPParser();
  parser.initialize(kind === 'request' ? HTTPParser.REQUEST : HTTPParser.RESPONSE, {}, 1 << 20, 0);
  // What comes in several parts: many fields, and the head of a request after trailers.
  parser[HTTPParser.kOnHeaders] = (/** @type {string[]} */ fields, /** @type {string} */ target) => {
    early.push(...fields);
    earlyTarget += target;
  };
  parser[HTTPParser.kOnHeadersComplete] = (
    /** @type {number} */ major,
    /** @type {number} */ minor,
    /** @type {string[] | undefined} */ headers,
    /** @type {number | undefined} */ method,
    /** @type {string | undefined} */ target,
    /** @type {number | undefined} */ status,
    /** @type {string | undefined} */ reason,
  ) => {
    const start =
      kind === 'request'
        ? { method: methods[method ?? 0], target: target ?? earlyTarget }
        : { status: status ?? 0, reason: reason ?? '' };
    const version = `${major}.${minor}`;
    const rest = { version, headers: headers ?? early, body: Buffer.concat(parts), complete: false };
    messages.push({ ...start, ...rest });
    early = [];
    earlyTarget = '';
    return 0;
  };
  parser[HTTPParser.kOnBody] = (/** @type {Buffer} */ chunk) => void parts.push(Buffer.from(chunk));
  parser[HTTPParser.kOnMessageComplete] = () => {
    const last = messages.at(-1);
    if (last === undefined) return;
    last.body = Buffer.concat(parts);
    last.complete = true;
    parts = [];
    early = [];
    earlyTarget = '';
  };
  try {
    const read = parser.execute(bytes);
    if (read instanceof Error) return { messages, error: /** @type {any} */ (read).code };
    if (read < bytes.length) return { messages, error: 'it stops before the end' };
    const end = ends ? parser.finish() : undefined;
    return end instanceof Error ? { messages, error: /** @type {any} */ (end).code } : { messages };
  } finally {
    parser.close();
  }
}
