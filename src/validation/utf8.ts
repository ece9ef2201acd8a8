/** The shortest code point of each length, in bytes: a longer form of a smaller one is malformed (RFC 3629, section 3). */
const LEAST = [0, 0, 0x80, 0x800, 0x10000] as const;

/** The offset of the first sequence that is not well-formed UTF-8 (RFC 3629); -1 if there is none. */
export function malformedUtf8At(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; ) {
    if ((bytes[at] as number) < 0x80) {
      at++;
      continue;
    }
    const point = codePointAt(bytes, at);
    if (point === -1) return at;
    at += lengthOf(bytes[at] as number);
  }
  return -1;
}

/** The code point that begins at an offset; -1 if the sequence there is not well-formed. */
export function codePointAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  const length = lengthOf(first);
  if (length === 1) return first;
  if (length === 0) return -1;
  let point = first & (0x7f >> length);
  for (let next = 1; next < length; next++) {
    const byte = bytes[at + next];
    if (byte === undefined || (byte & 0xc0) !== 0x80) return -1;
    point = point * 64 + (byte & 0x3f);
  }
  const isSurrogate = point >= 0xd800 && point <= 0xdfff;
  return point < (LEAST[length] as number) || point > 0x10ffff || isSurrogate ? -1 : point;
}

/** How long the sequence is that begins with a byte; 0 if none does. */
export function lengthOf(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc0) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf8 ? 4 : 0;
}
