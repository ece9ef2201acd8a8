// @ts-check
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { damaged } from '../inputs/mutate.mjs';
import { one, some, upTo } from '../inputs/pick.mjs';
import { must } from '../run.mjs';

/** @typedef {import('../run.mjs').Random} Random */

const LONGEST = 10_000;
const MOST_CODINGS = 4;

/** @type {Readonly<Record<string, (body: Buffer) => Buffer>>} */
const ENCODERS = {
  gzip: (body) => gzipSync(body),
  'x-gzip': (body) => gzipSync(body, { level: 0 }),
  GZip: (body) => Buffer.concat([gzipSync(body.subarray(0, 3)), gzipSync(body.subarray(3))]),
  deflate: (body) => deflateSync(body),
  ' Deflate ': (body) => deflateSync(body, { level: 9, windowBits: 9 }),
  // Some servers leave the wrapper out.
  DEFLATE: (body) => deflateRawSync(body),
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
  identity: (body) => body,
};
const UNKNOWN = ['zstd', 'compress', '', 'gzip;q=1', '__proto__', 'toString', 'gzip\0', 'br br'];

/**
 * `decodeContent`: what is encoded comes back; what is damaged or too long comes back as a sentence,
 * or is what was encoded.
 *
 * @type {import('../run.mjs').Reader}
 */
export const codings = {
  title: 'content codings',
  async prepare(load) {
    const { decodeContent } = await load('validation/content-coding.js');
    return {
      input(random) {
        const names = [
          one(Object.keys(ENCODERS), random),
          ...(random() < 0.3 ? some(4, random, () => one(Object.keys(ENCODERS), random)) : []),
        ];
        const body = bodyOf(random);
        let bytes = names.reduce(
          (encoded, name) => /** @type {(body: Buffer) => Buffer} */ (ENCODERS[name])(encoded),
          body,
        );
        const change = random();
        const kind = change < 0.4 ? 'whole' : change < 0.9 ? 'damaged' : 'unknown';
        if (kind === 'damaged') bytes = damaged(bytes, random);
        if (kind === 'unknown') names.splice(upTo(names.length, random), 0, one(UNKNOWN, random));
        const values = random() < 0.5 ? names : [names.join(',')];
        return { kind, body, bytes, names, values };
      },
      check({ kind, body, bytes, names, values }) {
        const decoded = decodeContent(bytes, values, LONGEST);
        if (typeof decoded === 'string') {
          must(/^the \P{C}+$/u.test(decoded) && decoded.length < 200, () => `not a sentence: ${decoded}`);
          const isLong = body.length > LONGEST / 2 || bytes.length > LONGEST / 2;
          const mayFail = kind !== 'whole' || isLong || names.length > MOST_CODINGS;
          must(mayFail, () => `rejects what was encoded: ${decoded}`);
          return 'rejected';
        }
        must(kind !== 'unknown', () => 'accepts an unknown coding');
        must(decoded.length <= LONGEST || names.every(isIdentity), () => `${decoded.length} bytes`);
        if (kind === 'whole') must(body.equals(decoded), () => 'not what was encoded');
        if (kind === 'damaged' && names.some(hasChecksum) && !names.some(isIdentity) && !isDoubled(bytes))
          must(body.equals(decoded) || bytes.length === 0, () => 'accepts what is not what was encoded');
        return 'accepted';
      },
    };
  },
};

/** Whether a whole member of gzip may have been doubled: several members are one body. @param {Buffer} bytes */
const isDoubled = (bytes) => bytes.indexOf(GZIP_START, 1) !== -1;
const GZIP_START = Buffer.from([0x1f, 0x8b, 8]);

const isIdentity = (/** @type {string} */ name) => name === 'identity';
/** gzip and zlib have one. */
const hasChecksum = (/** @type {string} */ name) => /gzip|^deflate$|^ Deflate $/.test(name);

/** @type {(random: Random) => Buffer} */
function bodyOf(random) {
  const kind = random();
  if (kind < 0.5) return Buffer.from('{"name":"Aloe","id":7}');
  if (kind < 0.9) return Buffer.from(some(200, random, () => upTo(255, random)));
  return Buffer.alloc(upTo(LONGEST * 2, random), 'a');
}
