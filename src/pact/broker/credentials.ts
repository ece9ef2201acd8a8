import { checkSendable } from '../../http/fields.js';
import type { Secret } from '../../report/redaction.js';
import { invalidOption } from '../../toolkit-error.js';

/** Credentials for a server: a bearer token, or a user name and a password. */
export interface Credentials {
  readonly token?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/** @throws ToolkitError `invalid-option` if there are two kinds of credentials, or a header cannot carry them */
export function checkCredentials(credentials: Credentials): void {
  if (credentials.token !== undefined && credentials.username !== undefined)
    throw invalidOption('the broker needs a token or a user and a password, not both');
  const authorization = authorizationOf(credentials);
  if (authorization !== undefined) checkSendable('Authorization', authorization);
}

/** The value of the `Authorization` header; `undefined` without credentials. */
export function authorizationOf({ token, username, password = '' }: Credentials): string | undefined {
  if (token !== undefined) return `Bearer ${token}`;
  if (username === undefined) return undefined;
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** The user and the password in a URL. */
export function inUrl({ username, password }: URL): Credentials | undefined {
  if (username === '' && password === '') return undefined;
  return { username: decoded(username), password: decoded(password) };
}

/** A `%` that begins no escape stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** What no output may show. */
export function secretsIn({ token = '', password = '' }: Credentials): Secret[] {
  return [
    { value: token, shown: '$PACT_BROKER_TOKEN' },
    { value: password, shown: '$PACT_BROKER_PASSWORD' },
  ];
}
