import type { Expectation } from '../exchange.js';
import type { ControlName, Phase } from '../probe.js';
import { FRESH_ID, FRESH_NAME, type Piece, type ProbeDraft, type RequestDraft } from './draft.js';
import type { GeneratedName } from './family.js';

const PLACEHOLDER = /<(NAME|ID)(\d?)>/g;

/**
 * A text as pieces. `<NAME>` and `<ID>` stand for a fresh name and a fresh id, `<NAME2>` and `<ID2>` for others.
 * `{"id":<ID>}` becomes `['{"id":', { fresh: 'id' }, '}']`.
 */
function piecesIn(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { 0: placeholder, 1: kind, 2: of, index } of text.matchAll(PLACEHOLDER)) {
    if (index > at) pieces.push(text.slice(at, index));
    const piece = kind === 'NAME' ? FRESH_NAME : FRESH_ID;
    pieces.push(of === '' ? piece : ({ ...(piece as object), of: Number(of) } as Piece));
    at = index + placeholder.length;
  }
  if (at < text.length) pieces.push(text.slice(at));
  return pieces;
}

/** A plant as texts with `<NAME>` and `<ID>`. */
export interface PlantText {
  readonly name: string;
  readonly id: string;
  readonly tag?: string;
}

/** The plainest plant. */
export const PLAIN: PlantText = { name: '<NAME>', id: '<ID>' };

/** A request with a body as text, and the plant that it means. */
export function requestOf(
  text: string,
  plant?: PlantText,
  others?: Omit<RequestDraft, 'body' | 'plant'>,
): RequestDraft {
  return {
    body: piecesIn(text),
    ...(plant !== undefined && {
      plant: {
        name: piecesIn(plant.name),
        id: piecesIn(plant.id),
        ...(plant.tag !== undefined && { tag: piecesIn(plant.tag) }),
      },
    }),
    ...others,
  };
}

/** What the drafts of a table have in common. */
interface Shared {
  readonly expectation: Expectation;
  readonly phase: Phase;
  readonly control: ControlName;
  readonly rules: readonly string[];
}

/** A probe of one request. */
export function oneRequest(
  name: GeneratedName,
  title: string,
  request: RequestDraft,
  shared: Shared,
): ProbeDraft {
  return { name, title, ...shared, requests: [request] };
}
