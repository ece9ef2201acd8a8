import type { Fields } from '../../http/fields.js';
import type { SeenSecrets } from '../../proxy/seen-secrets.js';
import type { Redactor } from '../../report/redaction.js';
import { parseBearer } from '../../validation/header-values.js';
import { withoutAccessTokens } from '../token.js';

/** Takes the secrets out of an exchange that a page shows. */
export interface ExchangeRedactor {
  /** A text that was sent or received, or that quotes one. */
  text(text: string): string;
  fields(fields: Fields): Fields;
}

/** Fields whose whole value is a secret. */
const SECRET_FIELDS = /^(?:(?:proxy-)?authorization|cookie|set-cookie|x-api-key|x-auth-token)$/i;

/** A well-formed token stays one, so that a saved exchange gets the same verdict. */
export const HIDDEN_BEARER = 'Bearer redacted';
const HIDDEN = '[redacted]';

/** Makes the redactor of each exchange: of the secrets of a server, and those that clients sent. */
export class ExchangeRedactors {
  /** For most exchanges, the secrets are those of the last one. */
  private last: { readonly of: Redactor; readonly redactor: ExchangeRedactor } | undefined;

  /** @param secrets all that there are, also of requests that are under way */
  constructor(private readonly secrets: SeenSecrets) {}

  /** @param headers of the request whose exchange is shown */
  for(headers: Fields): ExchangeRedactor {
    const of = this.secrets.redactorFor(headers);
    if (this.last?.of !== of) this.last = { of, redactor: exchangeRedactor(of) };
    return this.last.redactor;
  }
}

function exchangeRedactor(redactor: Redactor): ExchangeRedactor {
  return {
    text: (given) => withoutAccessTokens(redactor.message(given)),
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
