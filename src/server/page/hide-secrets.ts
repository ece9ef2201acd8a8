import type { Fields } from '../../http/fields.js';
import type { SeenSecrets } from '../../proxy/seen-secrets.js';
import type { Redactor } from '../../report/redaction.js';
import { parseBearer } from '../../validation/bearer.js';
import { withoutAccessTokens } from '../token.js';

/** Takes the secrets out of what a page shows. */
export interface Hider {
  /** A text that was sent or received, or that quotes one. */
  text(text: string): string;
  fields(fields: Fields): Fields;
}

/** Fields whose whole value is a secret. */
const SECRET_FIELDS = /^(?:(?:proxy-)?authorization|cookie|set-cookie|x-api-key|x-auth-token)$/i;

/** A well-formed token stays one, so that a saved exchange gets the same verdict. */
const HIDDEN_BEARER = 'Bearer redacted';
const HIDDEN = '[redacted]';

/** Whether a value shows that there was a well-formed bearer token. */
export function isHiddenBearer(value: string): boolean {
  return value === HIDDEN_BEARER;
}

/** Hides the secrets of a server, and those that clients sent. */
export class SecretHider {
  private last: { readonly redactor: Redactor; readonly hider: Hider } | undefined;

  /** @param secrets all that there are, also of requests that are under way */
  constructor(private readonly secrets: SeenSecrets) {}

  /** @param headers of the request whose exchange is shown */
  forExchange(headers: Fields): Hider {
    const redactor = this.secrets.redactorFor(headers);
    if (this.last?.redactor !== redactor) this.last = { redactor, hider: hiderWith(redactor) };
    return this.last.hider;
  }
}

function hiderWith(redactor: Redactor): Hider {
  const text = (given: string): string => withoutAccessTokens(redactor.message(given));
  return {
    text,
    fields: (fields) =>
      redactor
        .fields(fields)
        .map(([name, value], index) => [
          name,
          shownField(name, withoutAccessTokens(value), fields[index]?.[1]),
        ]),
  };
}

/**
 * The value of a field, hidden if it is a secret by its name.
 *
 * @param original the value as it was sent
 */
export function shownField(name: string, value: string, original = value): string {
  return SECRET_FIELDS.test(name) ? hidden(original) : value;
}

function hidden(value: string): string {
  return parseBearer(value).ok ? HIDDEN_BEARER : HIDDEN;
}
