import type { Eventually } from './exchange.js';
import type { Settings } from './options.js';

/** The decision on a token: the function of the options, or a comparison that takes the same time for all. */
export function tokenVerifier({ tokens, verify }: Settings): (token: string) => Eventually<boolean> {
  if (verify !== undefined) {
    return (token) => {
      const accepted = verify(token);
      // A promise of another realm, or of a library, is one as well.
      return typeof accepted === 'boolean' ? accepted : Promise.resolve(accepted);
    };
  }
  const accepted = tokens.map((token) => Buffer.from(token));
  return (token) => {
    const presented = Buffer.from(token);
    let found = false;
    // Every token is compared, whichever matches. Only the length of a token can show in the time.
    for (const candidate of accepted) {
      if (candidate.length === presented.length && equalInConstantTime(candidate, presented)) found = true;
    }
    return found;
  };
}

/**
 * Looks at every byte of two equally long texts, whatever it finds. `timingSafeEqual` does the same, and loading
 * node:crypto for it takes a tenth of the start of a server.
 */
function equalInConstantTime(a: Uint8Array, b: Uint8Array): boolean {
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= (a[i] as number) ^ (b[i] as number);
  return difference === 0;
}

/** Shorter tokens are too likely to be words of an ordinary text to be taken out of it. */
const SHORTEST_REDACTED = 8;
/** So much of the beginning of a token is a secret as well, where a text was cut inside of it. */
const SHORTEST_BEGINNING = 4;

/**
 * Takes tokens out of texts: those given, plain, percent-encoded, or cut off by a message that shortens what it
 * quotes; and what is called `access_token` (RFC 6750, section 2).
 */
export function redactor(tokens: readonly string[]): (text: string) => string {
  // The longest first: one token may begin with another.
  const secrets = tokens
    .filter(({ length }) => length >= SHORTEST_REDACTED)
    .sort((a, b) => b.length - a.length);
  const patterns = [...secrets.map(wholePattern), ...secrets.map(cutPattern)];
  return (text) =>
    patterns
      .reduce((redacted, pattern) => redacted.replaceAll(pattern, '[token]'), text)
      .replace(/(access_token["']?\s*[=:]\s*["']?)[^&\s"']+/g, '$1[token]');
}

/** So much of a long token tells it from others; a pattern of all of it could be too large to compile. */
const LONGEST_COMPARED = 60;

function wholePattern(token: string): RegExp {
  const rest = token.length > LONGEST_COMPARED ? '(?:[A-Za-z0-9\\-._~+/=]|%[0-9A-Fa-f]{2})*' : '';
  return new RegExp(characters(token).join('') + rest, 'g');
}

/** A beginning of the token right before the mark of a cut: abcd, or abcde, or abcdef … then `"…`. */
function cutPattern(token: string): RegExp {
  const all = characters(token);
  const rest = all.slice(SHORTEST_BEGINNING).reduceRight((tail, character) => `(?:${character}${tail})?`, '');
  return new RegExp(`${all.slice(0, SHORTEST_BEGINNING).join('')}${rest}(?="…)`, 'g');
}

/** Each character, as itself or percent-encoded in either case. */
function characters(token: string): string[] {
  return Array.from(token.slice(0, LONGEST_COMPARED), (character) => {
    const [high = '', low = ''] = character.charCodeAt(0).toString(16);
    const itself = character.replace(/[^A-Za-z0-9]/, '\\$&');
    return `(?:${itself}|%[${high}${high.toUpperCase()}][${low}${low.toUpperCase()}])`;
  });
}
