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
  const why = whyUnsendable(token);
  if (why !== undefined) throw invalidOption(`the token ${why}`);
  return token as string;
}

/** What is wrong with a token, to follow its name; `undefined` if an Authorization header can carry it. */
export function whyUnsendable(token: unknown): string | undefined {
  if (typeof token === 'string') {
    if (SENDABLE.test(token)) return undefined;
    if (/^bearer\s/i.test(token))
      return 'must not begin with "Bearer": leave out the word, and pass the token alone';
    // A file that an editor wrote ends with one, and so does what was pasted into the settings of a CI system.
    if (/[\r\n]$/.test(token)) return 'ends with a line break: leave it out';
  }
  return 'must be a string of visible ASCII characters, so that an Authorization header can carry it';
}
