import { FRESH_ID, type Piece, type RequestDraft } from './draft.js';

/** A string, or the pieces of one. */
export type Pieces = Piece | readonly Piece[];

/** The pieces of a JSON string. Only what must be escaped is escaped. */
export function jsonString(text: Pieces): readonly Piece[] {
  return ['"', ...listOf(text).map((piece) => (typeof piece === 'string' ? escaped(piece) : piece)), '"'];
}

/** The creation of a plant with any strings. */
export function plantDraft({ name, tag }: { readonly name: Pieces; readonly tag?: Pieces }): RequestDraft {
  const members = ['{"name":', ...jsonString(name), ',"id":', FRESH_ID];
  return {
    body: tag === undefined ? [...members, '}'] : [...members, ',"tag":', ...jsonString(tag), '}'],
    plant: { name, id: FRESH_ID, ...(tag !== undefined && { tag }) },
  };
}

/** Pieces as a list. */
function listOf(pieces: Pieces): readonly Piece[] {
  return Array.isArray(pieces) ? pieces : [pieces as Piece];
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
