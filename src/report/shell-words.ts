import { COMMAND_IN_LINE, UNSEEN_IN_LINE } from './escape.js';

/** A word of a POSIX shell, in single quotes. */
export function singleQuoted(text: string): string {
  // A log that shows the line would otherwise give a command to a CI system: `##[error]`.
  return `'${text.replaceAll("'", "'\\''").replace(COMMAND_IN_LINE, "#''")}'`;
}

/** Whether bytes fit on one line of a shell: UTF-8 in which all can be seen, without a byte-order mark. */
export function isLine(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString();
  const hasUnseen = text.includes('\ufeff') || text.search(UNSEEN_IN_LINE) !== -1;
  return !hasUnseen && Buffer.from(text).equals(bytes);
}

/** Bytes, as characters of Latin-1, as the format of `printf`. */
export function printfFormat(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    .replace(/[^\x20-\x7e]/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
