import { type Fields, secretsOf } from '../http/fields.js';
import { createRedactor, type Redactor } from '../output/redaction.js';
import { withoutAccessTokens } from '../server/token.js';
import { parseBearer } from '../validation/bearer.js';

/** Takes the secrets out of what a page shows. */
export interface Hider {
  /** A text that was sent or received, or that quotes one. */
  text(text: string): string;
  fields(fields: Fields): Fields;
}

/** So many credentials of requests are remembered: a provider may send back those of an earlier request. */
const MOST_SEEN = 50;

/** Fields whose whole value is a secret. */
const SECRET_FIELDS = /^(?:(?:proxy-)?authorization|cookie|set-cookie|x-api-key|x-auth-token)$/i;

/** A well-formed token stays one, so that a saved exchange gets the same verdict. */
const HIDDEN_BEARER = 'Bearer redacted';
const HIDDEN = '[redacted]';

/** Whether a value shows that there was a well-formed bearer token. */
export function isHiddenBearer(value: string): boolean {
  return value === HIDDEN_BEARER;
}

/** Knows the secrets of a server, and those that clients sent lately. */
export class SecretHider {
  private readonly seen = new Set<string>();
  private hider: Hider;

  /** @param own the tokens of the server, and that of the control interface */
  constructor(private readonly own: readonly string[]) {
    this.hider = this.build();
  }

  /** @param headers of the request whose exchange is shown */
  forExchange(headers: Fields): Hider {
    const fresh = secretsOf(headers).filter(
      (secret) => secret !== '' && !this.seen.has(secret) && !this.own.includes(secret),
    );
    if (fresh.length === 0) return this.hider;
    for (const secret of this.seen) {
      if (this.seen.size <= MOST_SEEN) break;
      this.seen.delete(secret);
    }
    for (const secret of fresh) this.seen.add(secret);
    this.hider = this.build();
    return this.hider;
  }

  private build(): Hider {
    return hiderWith(createRedactor([...this.own, ...this.seen].map((value) => ({ value }))));
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
