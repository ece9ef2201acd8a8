// How the tricks are written down.

/**
 * @typedef {object} Trick
 * @property {string} name
 * @property {string} bytes in Latin-1
 * @property {string} [body] that of the one request that is forwarded; left out if the request is rejected
 * @property {boolean} [closes] whether the connection ends after the response, so that nothing after it is read
 * @property {string[]} [trailers] those that are forwarded
 */

const [MAJOR, MINOR] = String(process.versions.llhttp).split('.').map(Number);
/** Whether Node's parser takes a tab after a length for white space, as RFC 9110, section 5.5 does. Node 20 rejects it. */
export const TRIMS_TABS = MAJOR > 9 || (MAJOR === 9 && MINOR >= 4);

export const BODY = '{"name":"Aloe","id":7}';
export const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: store\r\n\r\n';
export const CHUNKS = '16\r\n{"name":"Aloe","id":7}\r\n0\r\n\r\n';
export const CHUNKED = 'Transfer-Encoding: chunked';

/** @param {string[]} fields */
export const head = (...fields) => ['POST /plants HTTP/1.1', 'Host: store', ...fields, '', ''].join('\r\n');

export const length = (bytes = BODY) => `Content-Length: ${bytes.length}`;

/** @type {(name: string, bytes: string, body?: string) => Trick} */
export const forwarded = (name, bytes, body = BODY) => ({ name, bytes, body });

/** The same, and the connection ends after the response. @type {(name: string, bytes: string, body?: string) => Trick} */
export const last = (name, bytes, body = BODY) => ({ name, bytes, body, closes: true });

/** @type {(name: string, bytes: string) => Trick} */
export const rejected = (name, bytes) => ({ name, bytes });
