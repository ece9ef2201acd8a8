import { randomBytes, randomInt } from 'node:crypto';
import type { Secret } from '../report/redaction.js';
import { madeOfToken } from './token-edit.js';

/**
 * A text with placeholders. They are filled in when a request is made, so that a row can be sent again with new values. In one
 * row, the same placeholder stands for the same value.
 *
 * - `<NAME>`, `<NAME2>`: names that the run has not used; `<NAME ESCAPED>`: with its letters as escapes of JSON
 * - `<ID>`, `<ID2>`: ids that the run has not used; `<ID*128+1>`, `<ID-5>`: ids made of them
 * - `<TOKEN>`: the right token; `<TOKEN xx{}>`: a text made of it, see `token-edit.ts`
 * - `<WRONG TOKEN>`: a well-formed token that the provider does not know
 * - `<HEX 16>`: so many random hexadecimal digits, others each time: two requests with one number may count as one request
 * - `<BYTES ff>`: bytes, in hexadecimal
 * - `<PAD 4096>`: spaces, so that the whole text has this length in bytes
 * - `<REPEAT 400 [>`: a text, so many times
 *
 * Everything else stands for itself, other angle brackets too.
 */
export type Template = string;

const PLACEHOLDER = new RegExp(
  `<(?:${[
    String.raw`(?<name>NAME)(?<ofName>\d*)(?<escaped> ESCAPED)?`,
    String.raw`(?<id>ID)(?<ofId>\d*)(?<times>\*-?\d+)?(?<plus>[+-]\d+)?`,
    '(?<token>TOKEN)(?: (?<edit>[^>]+))?',
    '(?<wrong>WRONG TOKEN)',
    String.raw`HEX (?<hex>\d+)`,
    'BYTES (?<bytes>[0-9a-f]+)',
    String.raw`PAD (?<pad>\d+)`,
    String.raw`REPEAT (?<count>\d+) (?<text>[^>]+)`,
  ].join('|')})>`,
  'g',
);

/** The bounds of the fresh ids of a row, both included. Default: positive, and below 2^31. */
export type IdBounds = readonly [low: bigint, high: bigint];

/** What a template became. */
export interface FilledIn {
  /** A text, or bytes if they are not UTF-8. */
  readonly content: string | Buffer;
  /** The id in it: that of the first `<ID>`, or of the first of the others. */
  readonly id?: bigint;
  /** What is made of the token. */
  readonly secrets: readonly Required<Secret>[];
}

/** The groups of a placeholder. */
type Groups = Readonly<Record<string, string | undefined>>;

/** Fills in the templates of one row. The same placeholder gets the same value in all of them. */
export class Filler {
  private readonly made = new Map<string, string | bigint>();

  constructor(
    private readonly values: ProbeValues,
    private readonly bounds?: IdBounds,
  ) {}

  /** @returns `undefined` if the token does not allow it: what is made of it cannot be made */
  fillIn(template: Template): FilledIn | undefined {
    const parts: (string | Buffer)[] = [];
    const secrets: Required<Secret>[] = [];
    const ids: { readonly of: string; readonly id: bigint }[] = [];
    let padding: { readonly at: number; readonly to: number } | undefined;
    let at = 0;
    for (const match of template.matchAll(PLACEHOLDER)) {
      parts.push(template.slice(at, match.index));
      at = match.index + match[0].length;
      const groups: Groups = match.groups ?? {};
      const { edit, pad, id, ofId = '' } = groups;
      if (pad !== undefined) padding = { at: parts.length, to: Number(pad) };
      else if (id !== undefined) {
        const made = this.idOf(groups);
        ids.push({ of: ofId, id: made });
        parts.push(String(made));
      } else if (edit !== undefined) {
        const made = madeOfToken(edit, this.values.token);
        if (made === undefined) return undefined;
        if (made !== this.values.token) secrets.push({ value: made, shown: `<TOKEN ${edit}>` });
        parts.push(made);
      } else parts.push(this.valueOf(groups));
    }
    parts.push(template.slice(at));
    if (padding !== undefined) {
      const missing = padding.to - parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
      parts.splice(padding.at, 0, ' '.repeat(Math.max(0, missing)));
    }
    const { id } = ids.find(({ of }) => of === '') ?? ids[0] ?? {};
    return { content: joined(parts), secrets, ...(id !== undefined && { id }) };
  }

  /** An id: a fresh one, multiplied, and then added to. */
  private idOf({ ofId = '', times, plus }: Groups): bigint {
    const { values, bounds } = this;
    const id = this.fresh(`id ${ofId}`, () =>
      bounds === undefined ? BigInt(values.freshId()) : BigInt(values.freshIdBetween(...bounds)),
    );
    return id * BigInt(times?.slice(1) ?? 1) + BigInt(plus ?? 0);
  }

  private valueOf(groups: Groups): string | Buffer {
    const { name, ofName = '', escaped, token, hex, bytes, count, text = '' } = groups;
    const { values } = this;
    if (name !== undefined) {
      const made = this.fresh(`name ${ofName}`, () => values.freshName());
      return spelled(made, escaped !== undefined);
    }
    if (token !== undefined) return values.token;
    if (hex !== undefined) return hexDigits(Number(hex));
    if (bytes !== undefined) return Buffer.from(bytes, 'hex');
    return count === undefined ? values.wrongToken : text.repeat(Number(count));
  }

  private fresh<T extends string | bigint>(key: string, make: () => T): T {
    const value = (this.made.get(key) as T | undefined) ?? make();
    this.made.set(key, value);
    return value;
  }
}

/** Random digits. The first is no zero, and so the whole is none. */
function hexDigits(count: number): string {
  const digits = randomBytes(count)
    .toString('hex')
    .slice(0, count - 1);
  return `${randomInt(1, 16).toString(16)}${digits}`;
}

function spelled(name: string, isEscaped: boolean): string {
  if (!isEscaped) return name;
  return name.replace(/./g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function joined(parts: readonly (string | Buffer)[]): string | Buffer {
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/** What requests are made of: the token of the run, and values that no other request of the run has. */
export interface ProbeValues {
  readonly token: string;
  /** A random id that this run has not used: positive, below 2^31. */
  freshId(): number;
  /** A random id that this run has not used, from `low` to `high`, both included. */
  freshIdBetween(low: bigint, high: bigint): bigint;
  /** A name that this run has not used: 10 ASCII letters. A provider may require unique names. */
  freshName(): string;
  /** A well-formed token that the provider does not know. */
  readonly wrongToken: string;
}

const IDS_BELOW = 2 ** 31;
const MOST_TRIES = 100;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const NAME_LETTERS = 6;

/** Every fresh name in a text. */
export const FRESH_NAME: RegExp = new RegExp(`Aloe[a-z]{${NAME_LETTERS}}`, 'g');

/**
 * Values for the probes of one run. They are random, so that runs do not collide.
 *
 * @param token the token, or where it is read each time: before exploring, there may be another one
 */
export function freshValues(token: string | { readonly current: string }): ProbeValues {
  const used = new Set<number | bigint | string>();
  const fresh = <T extends number | bigint | string>(make: () => T): T => {
    let value = make();
    // Of ids with one digit there are eight. Exploring draws more, and their rows allow that the id exists.
    for (let tries = 0; used.has(value) && tries < MOST_TRIES; tries++) value = make();
    used.add(value);
    return value;
  };
  return {
    get token() {
      return typeof token === 'string' ? token : token.current;
    },
    // A usual length, and no character that a base64 decoder could read as padding.
    wrongToken: `wrong${randomBytes(15).toString('hex')}`,
    freshId: () => fresh(() => randomInt(1, IDS_BELOW)),
    freshIdBetween: (low, high) => fresh(() => low + (randomBytes(9).readBigUInt64BE(1) % (high - low + 1n))),
    freshName: () =>
      fresh(() => `Aloe${Array.from({ length: NAME_LETTERS }, () => LETTERS[randomInt(26)]).join('')}`),
  };
}
