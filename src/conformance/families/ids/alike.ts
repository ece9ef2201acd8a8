import { FRESH_ID, type FreshId, type Piece, type ProbeDraft, type RequestDraft } from '../draft.js';

/** A multiple of 128 with ten digits, below 2^31: a float rounds the next number to it. */
const TEN_DIGITS: FreshId = { fresh: 'id', between: ['7812500', '16777215'], times: '128' };

/** One plant of a sequence. */
function plantWith(id: Piece | readonly Piece[], of: number, others?: Partial<RequestDraft>): RequestDraft {
  const name: Piece = { fresh: 'name', of };
  const pieces = Array.isArray(id) ? (id as readonly Piece[]) : [id as Piece];
  return { body: ['{"name":"', name, '","id":', ...pieces, '}'], plant: { name, id: pieces }, ...others };
}

/** A provider may reject negative ids. */
function isNegative(id: Piece | readonly Piece[]): boolean {
  return Array.isArray(id) ? id[0] === '-' : BigInt((id as FreshId).plus ?? 0) < 0n;
}

/**
 * Plants whose ids a provider may take for the first one, and then another plant with the first id. Only a provider that
 * rejects the last one shows that it keeps the ids apart.
 */
export function idsAlike(
  what: string,
  title: string,
  first: FreshId,
  others: readonly (Piece | readonly Piece[])[],
): ProbeDraft {
  const { plant: _, ...again } = plantWith(first, others.length + 2);
  return {
    name: `ids/${what}`,
    title,
    expectation: 'created',
    phase: 'state',
    rules: ['request/ids-are-exact'],
    requests: [
      plantWith(first, 1),
      ...others.map((id, at) => plantWith(id, at + 2, isNegative(id) ? { expectation: 'open' } : {})),
      { ...again, expectation: 'open', idMayExist: true },
    ],
  };
}

/** Sequences of plants with ids that are alike in fewer bits or in some of their digits. */
export const alikeIds: readonly ProbeDraft[] = [
  idsAlike(
    'alike-in-fewer-bits',
    'plants whose ids differ by 2^31, 2^48, 2^62 and 2^63',
    FRESH_ID as FreshId,
    [2n ** 31n, 2n ** 48n, 2n ** 62n, -(2n ** 63n)].map((more) => ({ fresh: 'id', plus: String(more) })),
  ),
  idsAlike(
    'alike-in-digits',
    'plants whose ids differ by 1, by a digit at the end, by a digit at the beginning, or by the sign',
    TEN_DIGITS,
    [{ ...TEN_DIGITS, plus: '1' }, [TEN_DIGITS, '0'], ['7', TEN_DIGITS], ['-', TEN_DIGITS]],
  ),
];
