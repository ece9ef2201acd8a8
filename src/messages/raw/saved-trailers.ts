import type { Fields } from '../../conformance/exchange.js';
import { headerValues } from '../../validation/message.js';

/** Without the trailers that `curl -i` writes behind a body: they were announced, and the body is an object. */
export function withoutTrailers(stored: Uint8Array, fields: Fields): Uint8Array {
  const announced = headerValues(fields, 'trailer').flatMap((value) => value.toLowerCase().split(','));
  const names = new Set(announced.map((name) => name.trim()));
  if (names.size === 0) return stored;
  const to = stored.lastIndexOf(CLOSING_BRACE) + 1;
  const lines = Buffer.from(stored.subarray(to)).toString('latin1').split(/\r?\n/);
  const isTrailer = (line: string): boolean => names.has(line.slice(0, line.indexOf(':')).toLowerCase());
  return lines.every((line) => line === '' || isTrailer(line)) ? stored.subarray(0, to) : stored;
}

const CLOSING_BRACE = 0x7d;
