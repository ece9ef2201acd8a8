import { decodeEscapes, type Reading, readingsOf } from './readings.js';
import { remembering } from './remembering.js';
import { LongSecrets, type Secret, ShortSecrets, type Span, sizeOf, TinySecrets } from './secrets.js';

export type { Secret } from './secrets.js';

/** Takes secrets out of texts. */
export interface Redactor {
  /**
   * For a text that was sent or received, or that quotes one. It takes out a long secret anywhere, a short secret where
   * it is a whole word, and a tiny one where it is credentials. The text may have been cut anywhere.
   */
  message(text: string): string;
  /** For header fields that were sent or received: the name of a field shows that a tiny secret is in it. */
  fields(fields: Pairs): Pairs;
  /**
   * For every text of data that this package wrote. It takes out long secrets only, since a short secret may be a word
   * of this package. Such a text is cut only before a "…".
   */
  data<T>(data: T): T;
}

type Pairs = readonly (readonly [name: string, value: string])[];

/**
 * Takes secrets out of everything that this package writes: logs, reports, errors. It decodes a text and then compares:
 * escapes of URLs, JSON, HTML and JSON pointers, base64 (even as a part of a longer text), hexadecimal digits, and
 * mixtures of them; a long secret also in another letter case.
 *
 * @param secrets any number of them: a HAR file may hold thousands
 */
export function createRedactor(secrets: Iterable<Secret>): Redactor {
  const given = [...secrets].filter(({ value }) => value !== '');
  const values = new Set(given.map(({ value }) => value));
  // The decoded form of one secret may be another secret, which is shown as itself.
  const known = [...given, ...given.flatMap(decodedForms).filter(({ value }) => !values.has(value))];
  if (known.length === 0)
    return { message: (text) => text, fields: (fields) => fields, data: (data) => data };
  const ofSize = (size: ReturnType<typeof sizeOf>): Secret[] => known.filter((one) => sizeOf(one) === size);
  const long = new LongSecrets(ofSize('long'));
  const short = new ShortSecrets(ofSize('short'));
  const tiny = new TinySecrets(ofSize('tiny'));
  const leastBytes = known.every((one) => sizeOf(one) === 'long') ? 6 : 4;
  const inEvery = (text: string, least: 4 | 6, find: (reading: Reading) => readonly Span[]): Span[] =>
    readingsOf(text, least).flatMap((reading) =>
      find(reading).map((span) => ({ ...span, ...reading.placeOf(span) })),
    );
  const message = remembering((text) =>
    without(
      text,
      inEvery(text, leastBytes, ({ text: read, isEncoded }) => [
        // A whole short secret comes before the beginning of a long one that is equal to it.
        ...short.find(read, isEncoded),
        ...tiny.find(read),
        ...long.find(read, true),
      ]),
    ),
  );
  const written = remembering((text) =>
    without(
      text,
      inEvery(text, 6, ({ text: read, isEncoded }) => long.find(read, isEncoded)),
    ),
  );
  return {
    message,
    fields: (fields) =>
      fields.map(([name, value]) => [written(name), valueIn(name, message(`${name}: ${value}`))]),
    data: (data) => mapTexts(data, written),
  };
}

/**
 * A secret in each form that it has after decoding: as it is; as its UTF-8 bytes, one character each, if it is not ASCII
 * (`%C3%A4`, base64); with escapes decoded that it happens to contain (`~1`); and with spaces, if it was decoded as part
 * of a form.
 */
function decodedForms(secret: Secret): Secret[] {
  const { value } = secret;
  const forms = [
    value,
    Buffer.from(value).toString('latin1'),
    ...decodeEscapes(value).map(({ text }) => text),
    value.replaceAll('+', ' '),
  ];
  return [...new Set(forms)].map((form) => ({ ...secret, value: form }));
}

/** Where a text has a secret as it is: anywhere, or a tiny one where credentials are. */
export function placesOf(secret: Secret, text: string): number[] {
  if (secret.value === '') return [];
  if (sizeOf(secret) === 'tiny') return new TinySecrets([secret]).find(text).map(({ start }) => start);
  const places: number[] = [];
  for (
    let at = text.indexOf(secret.value);
    at !== -1;
    at = text.indexOf(secret.value, at + secret.value.length)
  )
    places.push(at);
  return places;
}

function valueIn(name: string, line: string): string {
  const before = `${name}: `;
  // Otherwise the secret begins in the name.
  return line.startsWith(before) ? line.slice(before.length) : line;
}

/** Replaces parts of a text; of parts that overlap, the first and longest. */
function without(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  let result = '';
  let from = 0;
  for (const { start, end, shown } of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < from) {
      from = Math.max(from, end);
      continue;
    }
    result += text.slice(from, start) + shown;
    from = end;
  }
  return result + text.slice(from);
}

function mapTexts<T>(data: T, map: (text: string) => string): T {
  if (typeof data === 'string') return map(data) as T;
  if (Array.isArray(data)) return data.map((item) => mapTexts(item, map)) as T;
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [map(key), mapTexts(value, map)]),
  ) as T;
}
