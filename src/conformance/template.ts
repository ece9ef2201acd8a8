import type { Secret } from '../report/redaction.js';
import type { ProbeValues } from './probe.js';
import { madeOfToken } from './token-edit.js';

/**
 * A text with placeholders. They are filled in when a request is made, so that a row can be sent again with new values. In one
 * row, the same placeholder stands for the same value.
 *
 * - `<NAME>`, `<NAME2>`: names that the run has not used; `<NAME ESCAPED>`: with its letters as escapes of JSON
 * - `<ID>`, `<ID2>`: ids that the run has not used; `<ID*128+1>`, `<ID-5>`: ids made of them
 * - `<TOKEN>`: the right token; `<TOKEN xx{}>`: a text made of it, see `token-edit.ts`
 * - `<WRONG TOKEN>`: a well-formed token that the provider does not know
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
    'BYTES (?<bytes>[0-9a-f]+)',
    String.raw`PAD (?<pad>\d+)`,
    String.raw`REPEAT (?<count>\d+) (?<text>[^>]+)`,
  ].join('|')})>`,
  'g',
);

/** A piece of a template. */
type Piece =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'name'; readonly of: string; readonly isEscaped: boolean }
  | IdPiece
  | { readonly is: 'token'; readonly edit: string | undefined }
  | { readonly is: 'wrong-token' }
  | { readonly is: 'bytes'; readonly bytes: Buffer }
  | { readonly is: 'pad'; readonly to: number }
  | { readonly is: 'repeat'; readonly times: number; readonly text: string };

/** An id: a fresh one, multiplied, and then added to. */
interface IdPiece {
  readonly is: 'id';
  readonly of: string;
  readonly times: bigint;
  readonly plus: bigint;
}

/**
 * Reads a template.
 *
 * `{"id":<ID+1>}` becomes the text `{"id":`, an id, and the text `}`.
 */
function piecesOf(template: Template): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  const addText = (text: string): void => {
    if (text !== '') pieces.push({ is: 'text', text });
  };
  for (const match of template.matchAll(PLACEHOLDER)) {
    addText(template.slice(at, match.index));
    at = match.index + match[0].length;
    pieces.push(pieceFrom(match));
  }
  addText(template.slice(at));
  return pieces;
}

/** The id of a text: the first `<ID>`, or the first of the others. */
function idIn(pieces: readonly Piece[]): IdPiece | undefined {
  const ids = pieces.filter((piece): piece is IdPiece => piece.is === 'id');
  return ids.find(({ of }) => of === '') ?? ids[0];
}

function pieceFrom({ groups = {} }: RegExpMatchArray): Piece {
  const { name, ofName = '', escaped, id, ofId = '', times, plus } = groups;
  const { token, edit, wrong, bytes, pad, count, text = '' } = groups;
  if (name !== undefined) return { is: 'name', of: ofName, isEscaped: escaped !== undefined };
  if (id !== undefined)
    return { is: 'id', of: ofId, times: BigInt(times?.slice(1) ?? 1), plus: BigInt(plus ?? 0) };
  if (token !== undefined) return { is: 'token', edit };
  if (wrong !== undefined) return { is: 'wrong-token' };
  if (bytes !== undefined) return { is: 'bytes', bytes: Buffer.from(bytes, 'hex') };
  if (pad !== undefined) return { is: 'pad', to: Number(pad) };
  return { is: 'repeat', times: Number(count), text };
}

/** The bounds of the fresh ids of a row, both included. Default: positive, and below 2^31. */
export type IdBounds = readonly [low: bigint, high: bigint];

/** What a template became. */
export interface FilledIn {
  /** A text, or bytes if they are not UTF-8. */
  readonly content: string | Buffer;
  /** The id in it: see {@link idIn}. */
  readonly id?: bigint;
  /** What is made of the token. */
  readonly secrets: readonly Required<Secret>[];
}

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
    let id: bigint | undefined;
    const pieces = piecesOf(template);
    const idPiece = idIn(pieces);
    let padding: { readonly at: number; readonly to: number } | undefined;
    for (const piece of pieces) {
      if (piece.is === 'pad') padding = { at: parts.length, to: piece.to };
      else if (piece.is === 'token' && piece.edit !== undefined) {
        const made = madeOfToken(piece.edit, this.values.token);
        if (made === undefined) return undefined;
        if (made !== this.values.token) secrets.push({ value: made, shown: `<TOKEN ${piece.edit}>` });
        parts.push(made);
      } else {
        const value = this.valueOf(piece);
        if (piece === idPiece) id = value as bigint;
        parts.push(typeof value === 'bigint' ? String(value) : value);
      }
    }
    if (padding !== undefined) {
      const missing = padding.to - parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
      parts.splice(padding.at, 0, ' '.repeat(Math.max(0, missing)));
    }
    return { content: joined(parts), secrets, ...(id !== undefined && { id }) };
  }

  private valueOf(piece: Exclude<Piece, { is: 'pad' }>): string | Buffer | bigint {
    const { values } = this;
    switch (piece.is) {
      case 'text':
        return piece.text;
      case 'name':
        return spelled(
          this.fresh(`name ${piece.of}`, () => values.freshName()),
          piece.isEscaped,
        );
      case 'id':
        return BigInt(this.fresh(`id ${piece.of}`, () => this.freshId())) * piece.times + piece.plus;
      case 'token':
        return values.token;
      case 'wrong-token':
        return values.wrongToken;
      case 'bytes':
        return piece.bytes;
      case 'repeat':
        return piece.text.repeat(piece.times);
    }
  }

  private freshId(): bigint {
    return this.bounds === undefined
      ? BigInt(this.values.freshId())
      : BigInt(this.values.freshIdBetween(...this.bounds));
  }

  private fresh<T extends string | bigint>(key: string, make: () => T): T {
    const value = (this.made.get(key) as T | undefined) ?? make();
    this.made.set(key, value);
    return value;
  }
}

function spelled(name: string, isEscaped: boolean): string {
  if (!isEscaped) return name;
  return name.replace(/./g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function joined(parts: readonly (string | Buffer)[]): string | Buffer {
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}
