import type { Expectation, Fields, ProbeRequest, Secret, Transfer } from '../exchange.js';
import type { ControlName, Phase, Probe, ProbeValues } from '../probe.js';
import { type DrawnRow, probeOf } from '../row.js';
import type { FamilyName, GeneratedName } from './family.js';
import { newIdInShell } from './new-ids.js';
import { properHeaders } from './requests.js';
import { madeOfToken, type OtherText, type TokenEdit, type TokenPart } from './token-pieces.js';

/**
 * A piece of text. Fresh values and the token are filled in when the request is made, so that a draft can be sent again.
 *
 * - `fresh`: a value that the run has not used. Pieces with the same `of` (default 0) stand for the same value in the
 *   whole probe. An id may be between two bounds, both included. `times` and `plus` make another id of it.
 * - `token`: the right token, or a part of it.
 * - `edit`: a text made of the right token. If the token does not allow it, the probe has no requests.
 * - `unlessToken`: a text. If it is the right token, the probe has no requests.
 * - `wrongToken`: a well-formed token that the provider does not know.
 * - `base64`: bytes that are not UTF-8.
 * - `padTo`: spaces, so that all the pieces together have this length in bytes.
 */
export type Piece =
  | string
  | { readonly fresh: 'name'; readonly of?: number }
  | FreshId
  | TokenPart
  | TokenEdit
  | OtherText
  | { readonly wrongToken: true }
  | { readonly base64: string }
  | { readonly padTo: number };

/** An id that the run has not used, or an id made of it. All numbers are decimal. */
export interface FreshId {
  readonly fresh: 'id';
  readonly of?: number;
  /** The bounds of the fresh id. They are less than 2^32 apart. Default: positive, and below 2^31. */
  readonly between?: readonly [low: string, high: string];
  readonly times?: string;
  readonly plus?: string;
}

/** A request as plain data. */
export interface RequestDraft {
  /** Default: a plain plant's headers, with the right token. */
  readonly headers?: readonly (readonly [name: string, value: Piece | readonly Piece[]])[];
  readonly body: Piece | readonly Piece[];
  /** The plant that the body means, if it is a NewPlant. */
  readonly plant?: {
    readonly name: Piece | readonly Piece[];
    readonly id: Piece | readonly Piece[];
    readonly tag?: Piece | readonly Piece[];
  };
  /** Default: the expectation of the probe. */
  readonly expectation?: Expectation;
  readonly idMayExist?: boolean;
  readonly query?: Piece | readonly Piece[];
  readonly chunked?: boolean;
  readonly isWellFormed?: false;
  /** A shell command that writes the body, if the body is too long for a command line. `"$id"` is the id. */
  readonly shellBody?: string;
  readonly withoutUserAgent?: true;
  readonly transfer?: Transfer;
}

/** A probe as plain data: it can be generated, made smaller, saved, and read again. */
export interface ProbeDraft {
  readonly name: GeneratedName;
  /** What is sent, as a noun. */
  readonly title: string;
  readonly expectation: Expectation;
  readonly phase: Phase;
  readonly control?: ControlName;
  /** The ids of the rules that it is sent for. */
  readonly rules: readonly string[];
  readonly together?: boolean;
  readonly alone?: boolean;
  readonly oneConnection?: boolean;
  readonly requests: readonly RequestDraft[];
}

/** A name or an id that the run has not used. */
export const FRESH_NAME: Piece = { fresh: 'name' };
export const FRESH_ID: Piece = { fresh: 'id' };

/** A probe in one of the two notations, while families move from one to the other. */
export type AnyDraft = ProbeDraft | DrawnRow;

/** Makes a probe of plain data. */
export function probeFrom(draft: AnyDraft): Probe<GeneratedName> {
  if ('sends' in draft) return probeOf(draft);
  const { requests, ...probe } = draft;
  return {
    ...probe,
    requests(values) {
      if (!requests.every((request) => isAllowed(request, values.token))) return [];
      const fillIn = filler(values);
      let before: FreshId | undefined;
      return requests.map((request) => {
        const made = requestFrom(request, fillIn, values.token);
        const piece = piecesOf(request.body).find(isFreshId);
        const newId = piece === undefined ? undefined : newIdInShell(piece, before);
        before = piece ?? before;
        const { shellBody } = request;
        if (newId === undefined && shellBody === undefined) return made;
        const shell = {
          ...(newId !== undefined && { newId }),
          ...(shellBody !== undefined && { body: shellBody }),
        };
        return { ...made, shell };
      });
    },
  };
}

/** The name of the family in the name of a generated probe. */
export function familyOf(name: GeneratedName): FamilyName {
  return name.slice(0, name.indexOf('/')) as FamilyName;
}

interface FilledIn {
  /** A text, or bytes if they are not UTF-8. */
  readonly content: string | Buffer;
  /** The first id in it. */
  readonly id?: number | bigint;
  /** What is made of the token. */
  readonly secrets: readonly Required<Secret>[];
}

type FillIn = (pieces: Piece | readonly Piece[]) => FilledIn;

function requestFrom(draft: RequestDraft, fillIn: FillIn, token: string): ProbeRequest {
  const { headers, body, plant, expectation, idMayExist, query, chunked } = draft;
  const { transfer, isWellFormed, withoutUserAgent } = draft;
  const secrets: Required<Secret>[] = [];
  const text = (pieces: Piece | readonly Piece[]): string => {
    const filledIn = fillIn(pieces);
    secrets.push(...filledIn.secrets);
    return filledIn.content.toString();
  };
  const { content, id, secrets: inBody } = fillIn(body);
  secrets.push(...inBody);
  const fields: Fields = headers?.map(([name, value]) => [name, text(value)]) ?? properHeaders(token);
  return {
    headers: fields,
    body: typeof content === 'string' ? Buffer.from(content) : content,
    // The digits of another fresh id may be part of the name.
    ...(id !== undefined && { id: plant === undefined ? id : idFrom(BigInt(text(plant.id))) }),
    ...(plant !== undefined && {
      plant: {
        name: text(plant.name),
        id: idFrom(BigInt(text(plant.id))),
        ...(plant.tag !== undefined && { tag: text(plant.tag) }),
      },
    }),
    ...(expectation !== undefined && { expectation }),
    ...(idMayExist !== undefined && { idMayExist }),
    ...(query !== undefined && { query: text(query) }),
    ...(chunked !== undefined && { chunked }),
    ...(isWellFormed !== undefined && { isWellFormed }),
    ...(withoutUserAgent !== undefined && { withoutUserAgent }),
    ...(secrets.length > 0 && { secrets }),
    ...(transfer !== undefined && { transfer }),
  };
}

/** Whether the token allows a request: what is made of it can be made, and nothing else is the same by chance. */
function isAllowed({ headers = [], body, query }: RequestDraft, token: string): boolean {
  const isAllowedIn = (pieces: Piece | readonly Piece[]): boolean => {
    for (const piece of piecesOf(pieces)) {
      if (typeof piece === 'string') continue;
      if ('unlessToken' in piece && piece.unlessToken === token) return false;
      if (('token' in piece || 'edit' in piece) && madeOfToken(piece, token) === undefined) return false;
    }
    return true;
  };
  return (
    isAllowedIn(body) &&
    headers.every(([, value]) => isAllowedIn(value)) &&
    (query === undefined || isAllowedIn(query))
  );
}

/** Fills in pieces. The same fresh piece gets the same value in the whole probe. */
function filler(values: ProbeValues): FillIn {
  const made = new Map<string, string | number | bigint>();
  const fresh = (piece: FreshId | { readonly fresh: 'name'; readonly of?: number }): string | bigint => {
    const key = `${piece.fresh} ${piece.of ?? 0}`;
    const value = made.get(key) ?? (piece.fresh === 'name' ? values.freshName() : freshId(piece, values));
    made.set(key, value);
    if (typeof value === 'string') return value;
    const { times = '1', plus = '0' } = piece as FreshId;
    return BigInt(value) * BigInt(times) + BigInt(plus);
  };
  return (pieces) => {
    const parts: (string | Buffer)[] = [];
    let id: number | bigint | undefined;
    const secrets: Required<Secret>[] = [];
    let padding: { readonly at: number; readonly to: number } | undefined;
    for (const piece of piecesOf(pieces)) {
      if (typeof piece === 'string') parts.push(piece);
      else if ('base64' in piece) parts.push(Buffer.from(piece.base64, 'base64'));
      else if ('unlessToken' in piece) parts.push(piece.unlessToken);
      else if ('padTo' in piece) padding = { at: parts.length, to: piece.padTo };
      else if ('wrongToken' in piece) parts.push(values.wrongToken);
      else if ('token' in piece || 'edit' in piece) {
        const made = madeOfToken(piece, values.token);
        if (made === undefined) continue;
        if (made.value !== values.token) secrets.push(made);
        parts.push(made.value);
      } else {
        const value = fresh(piece);
        if (typeof value === 'bigint') id ??= idFrom(value);
        parts.push(String(value));
      }
    }
    if (padding !== undefined) {
      const missing = padding.to - parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
      parts.splice(padding.at, 0, ' '.repeat(Math.max(0, missing)));
    }
    return { content: joined(parts), secrets, ...(id !== undefined && { id }) };
  };
}

function joined(parts: readonly (string | Buffer)[]): string | Buffer {
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

function piecesOf(pieces: Piece | readonly Piece[]): readonly Piece[] {
  return Array.isArray(pieces) ? (pieces as readonly Piece[]) : [pieces as Piece];
}

function isFreshId(piece: Piece): piece is FreshId {
  return typeof piece === 'object' && 'fresh' in piece && piece.fresh === 'id';
}

function freshId({ between }: FreshId, { freshId, freshIdBetween }: ProbeValues): number | bigint {
  return between === undefined ? freshId() : freshIdBetween(BigInt(between[0]), BigInt(between[1]));
}

/** An id as a number if a number holds it exactly. */
function idFrom(id: bigint): number | bigint {
  return id >= Number.MIN_SAFE_INTEGER && id <= Number.MAX_SAFE_INTEGER ? Number(id) : id;
}
