import { pointer } from '../../validation/json-parser.js';
import type { Exchange, Fields, Secret } from '../exchange.js';
import { headerSecrets, secretsOf, TOKEN_VARIABLE } from './curl.js';

/** A secret this short stands in ordinary words: it is taken out of what was sent and what came only. */
export const SHORTEST = 6;

/** Puts the name of a variable in the place of what nobody may read. */
export interface Redaction {
  /** In a text that was sent, or came. */
  text(text: string): string;
  /** In every text of some data, those that the checker wrote included, also where a text was cut within a secret. */
  all<T>(data: T): T;
}

/** What is secret in a check: the token, what was made of it, and the values of further headers. */
export function redactionOf(exchanges: readonly Exchange[], token: string, headers: Fields): Redaction {
  const made = secretsOf(
    exchanges.map(({ request }) => request),
    token,
  ).filter(({ value }) => value === token || value.length >= SHORTEST);
  return redactionWith([...headerSecrets(headers), ...made], token);
}

/** The same for a token and what else is secret. */
export function redactionWith(others: readonly Secret[], token: string): Redaction {
  const plain = { value: token, shell: TOKEN_VARIABLE };
  const encoded = { ...plain, value: Buffer.from(token).toString('base64').replace(/=+$/, '') };
  const all = [...others.filter(({ value }) => value !== token), plain];
  const known = new Map(
    [...(token.length >= SHORTEST ? [encoded] : []), ...all].flatMap(({ value, shell }) =>
      formsOf(value).map((form) => [form, { value: form, shell }]),
    ),
  );
  const secrets = [...known.values()].sort((a, b) => b.value.length - a.value.length);
  const long = secrets.filter(({ value }) => value.length >= SHORTEST);
  return {
    text: (text) => redacted(text, secrets),
    all: (data) => mapTexts(data, (text) => withoutBeginnings(redacted(text, long), long)),
  };
}

/** How a text is written where it is quoted: as it is, in JSON, in a JSON pointer, and in a URL. */
export function formsOf(value: string): readonly string[] {
  const forms = [value, JSON.stringify(value).slice(1, -1), pointer([value]).slice(1)];
  return [...new Set([...forms, encodeURIComponent(value.toWellFormed())])];
}

function redacted(text: string, secrets: readonly Secret[]): string {
  return secrets.reduce((rest, { value, shell }) => rest.replaceAll(value, () => shell), text);
}

/** Where a text was cut, at its end or before a "…", after the beginning of a secret. */
function withoutBeginnings(text: string, secrets: readonly Secret[]): string {
  return text
    .split('…')
    .map((part) => withoutBeginning(part, secrets))
    .join('…');
}

function withoutBeginning(part: string, secrets: readonly Secret[]): string {
  const quote = part.endsWith('"') ? '"' : '';
  const tail = quote === '' ? part : part.slice(0, -1);
  for (const { value, shell } of secrets) {
    for (let length = Math.min(value.length - 1, tail.length); length >= SHORTEST; length--) {
      if (tail.endsWith(value.slice(0, length))) return tail.slice(0, -length) + shell + quote;
    }
  }
  return part;
}

function mapTexts<T>(data: T, map: (text: string) => string): T {
  if (typeof data === 'string') return map(data) as T;
  if (Array.isArray(data)) return data.map((item) => mapTexts(item, map)) as T;
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, mapTexts(value, map)])) as T;
}
