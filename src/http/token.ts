import { invalidOption, reasonOf, ToolkitError } from '../toolkit-error.js';

/** A token, or a function that returns one when it is needed. */
export type TokenOption = string | (() => string | Promise<string>);

/** A header value with other characters cannot be sent unchanged. */
const SENDABLE = /^[\x21-\x7e]+$/;

/** @throws ToolkitError `invalid-option` if there is no token, or a header cannot carry it */
export async function tokenOf(given: TokenOption): Promise<string> {
  let token: unknown = given;
  if (typeof given === 'function') {
    try {
      token = await given();
    } catch (cause) {
      if (cause instanceof ToolkitError) throw cause;
      throw invalidOption(`the token function failed: ${reasonOf(cause)}`, { cause });
    }
  }
  if (typeof token === 'string' && SENDABLE.test(token)) return token;
  if (typeof token === 'string' && /^bearer\s/i.test(token))
    throw invalidOption(
      'the token must not begin with "Bearer": leave out the word, and pass the token alone',
    );
  throw invalidOption(
    'the token must be a string of visible ASCII characters, so that an Authorization header can carry it',
  );
}
