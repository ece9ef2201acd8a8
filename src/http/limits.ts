/** The limits on what is read from outside, in bytes. Every part of the package uses these. */
export const limits = {
  /** A body of a message: as it is received, and again after its content codings are undone. */
  body: 2 * 2 ** 20,
  /** A pact in a file. */
  pact: 2 ** 20,
  /** A file that a flag names: certificates, a list, failures, a profile. The largest is a report of a check. */
  file: 64 * 2 ** 20,
  /** Saved messages, from a file or from standard input. */
  messages: 64 * 2 ** 20,
  /** A body in saved messages, also after its content codings are undone. They are read one by one. */
  savedBody: 16 * 2 ** 20,
} as const;

/** A limit, as in "longer than 2 MiB". */
export function limitInWords(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes} bytes` : `${bytes / 2 ** 20} MiB`;
}
