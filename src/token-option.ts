import { invalidOption, ToolkitError } from './toolkit-error.js';

/** A token, or what gives one when it is needed. */
export type TokenOption = string | (() => string | Promise<string>);

/** No header value with another character can be sent as it is. */
const SENDABLE = /^[\x21-\x7e]+$/;

/** @throws ToolkitError `invalid-option` where no token can be had, or none that a header can carry */
export async function tokenOf(given: TokenOption): Promise<string> {
  let token: unknown = given;
  if (typeof given === 'function') {
    try {
      token = await given();
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new ToolkitError('invalid-option', `no token could be had: ${why}`, { cause });
    }
  }
  if (typeof token === 'string' && SENDABLE.test(token)) return token;
  throw invalidOption(
    'the token must be a text of visible ASCII characters, as an Authorization header can carry it',
  );
}
