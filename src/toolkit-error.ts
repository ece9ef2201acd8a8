/** Why a {@link ToolkitError} was thrown. */
export type ToolkitErrorCode =
  | 'invalid-option'
  | 'port-in-use'
  | 'cannot-listen'
  | 'cannot-connect'
  | 'provider-not-testable'
  | 'does-not-conform'
  | 'missing-package'
  | 'no-pact'
  | 'invalid-pact'
  | 'invalid-message'
  | 'wrong-provider'
  | 'conflicting-interactions'
  | 'pact-broke';

/**
 * The one error class of this package. It is thrown for misuse and for a broken environment; that a message or a
 * provider does not conform is a value, except where a function is called `assert…`.
 */
export class ToolkitError extends Error {
  override readonly name = 'ToolkitError';

  /**
   * @param code what went wrong, for programs
   * @param message what went wrong, for people: a sentence that names what and where
   * @param options the `cause`, where another error is behind it
   */
  constructor(
    readonly code: ToolkitErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The error for an option that is wrong: a sentence that names it. */
export function invalidOption(message: string, options?: ErrorOptions): ToolkitError {
  return new ToolkitError('invalid-option', message, options);
}

/** @throws ToolkitError `invalid-option` unless an option is an integer between two others */
export function checkInteger(what: string, value: number, low: number, high: number, unit = ''): void {
  if (!Number.isInteger(value) || value < low || value > high)
    throw invalidOption(`${what} must be a whole number from ${low} to ${high}${unit}`);
}

/** Why something failed, as a sentence. The reason of "fetch failed" is in its cause, which may have only a code. */
export function reasonOf(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  const { cause, message, name } = problem;
  const { code = '', syscall = '' } = problem as NodeJS.ErrnoException;
  const ofFile = FILE_CALLS.test(syscall) ? FILE_REASONS[code] : undefined;
  if (ofFile !== undefined) return ofFile;
  if (isWithoutTls(problem)) return 'the server does not use TLS; write http:// instead of https://';
  const [, ofTls] = OF_OPENSSL.exec(message) ?? [];
  if (ofTls !== undefined) return ofTls;
  if (message === 'fetch failed' && cause instanceof Error) return reasonOf(cause);
  return message || code || name;
}

/** OpenSSL puts the reason between numbers and the names of its own functions and files. */
const OF_OPENSSL = /:error:[^:]*:[^:]*:[^:]*:([^:]+):/;

const FILE_CALLS = /^(?:open|read|stat|lstat|access|scandir)$/;
/** Errors of the file system in words. */
const FILE_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
};

/** Whether a TLS handshake failed because the server responded with something else, such as HTTP. */
export function isWithoutTls({ code = '', message }: NodeJS.ErrnoException): boolean {
  return /^(?:EPROTO|ERR_SSL_)/.test(code) && NO_TLS.test(`${code} ${message}`);
}

/** OpenSSL reads the first bytes of the response as the version or the length of a TLS record. */
const NO_TLS = /wrong.version.number|packet.length.too.long|http.request/i;
