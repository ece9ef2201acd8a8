// @ts-check
// Damages messages of HTTP.

const INSERTED = [
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding : chunked\r\n',
  'Content-Length: 3\r\n',
  'Content-Length: +3\r\n',
  'Connection: content-length\r\n',
  'Connection: close, transfer-encoding\r\n',
  'Expect: 100-continue\r\n',
  'Upgrade: h2c\r\nConnection: Upgrade\r\n',
  ...['\r', '\n', '\0', ' ', '\t', ':', ';', '0\r\n\r\n', '\r\n'],
];

/**
 * Puts something that changes the framing into a message, up to twice, most often at the beginning of a line.
 *
 * @param {string} message
 * @param {() => number} random
 */
export function damaged(message, random) {
  /** @type {<T>(list: readonly T[]) => T} */
  const one = (list) => /** @type {any} */ (list[Math.floor(random() * list.length)]);
  let bytes = message;
  for (let damages = Math.floor(random() * 3); damages > 0; damages--) {
    const lines = [...bytes.matchAll(/\r\n/g)].map(({ index }) => index + 2);
    const at = random() < 0.7 && lines.length > 0 ? one(lines) : Math.floor(random() * bytes.length);
    bytes = bytes.slice(0, at) + one(INSERTED) + bytes.slice(at + (random() < 0.2 ? 1 : 0));
  }
  return bytes;
}
