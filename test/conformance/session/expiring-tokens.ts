import { createPlantStore, startPlantStore } from 'plant-store-contract/server';

/** Gives tokens that expire, and knows which of them are valid. */
export interface Issuer {
  /** Every token so far. */
  readonly given: readonly string[];
  /** How often each token was accepted: the last one counts. */
  readonly accepted: number;
  /** A new token. */
  issue(): string;
  accepts(token: string): boolean;
}

/**
 * An issuer of tokens.
 *
 * @param isValid whether a token is still accepted after so many requests with a valid token
 */
export function startIssuer(isValid: (accepted: number) => boolean): Issuer {
  const given: string[] = [];
  let accepted = 0;
  return {
    given,
    get accepted() {
      return accepted;
    },
    issue() {
      accepted = 0;
      given.push(`token-${given.length + 1}-${'of these tests'.replaceAll(' ', '-')}`);
      return given.at(-1) as string;
    },
    accepts(token) {
      if (token !== given.at(-1) || !isValid(accepted)) return false;
      accepted++;
      return true;
    },
  };
}

const OPTIONS = { authenticationFailureStatus: 401 } as const;

/** The reference server with the tokens of an issuer, on a port. */
export const startWith = (issuer: Issuer) =>
  startPlantStore({ ...OPTIONS, token: (token) => issuer.accepts(token) });

/** The same as a function. */
export const createWith = (issuer: Issuer) =>
  createPlantStore({ ...OPTIONS, token: (token) => issuer.accepts(token) });
