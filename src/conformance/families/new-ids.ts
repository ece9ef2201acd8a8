import type { FreshId } from './draft.js';

/**
 * An arithmetic expression for a shell that makes a new id like a fresh one. `RANDOM` stands for 32 random bits, and `id`
 * for the id of the request before. A shell has no number beyond int64, so a longer one is made of text and a fresh id.
 *
 * For `{ fresh: 'id', plus: '65536' }` after `{ fresh: 'id' }`, it is `id + 65536`.
 *
 * @param before the fresh id in the request before
 * @returns `undefined`: an ordinary id
 */
export function newIdInShell(piece: FreshId, before: FreshId | undefined): string | undefined {
  const { between, times, plus } = piece;
  if (before !== undefined && (before.of ?? 0) === (piece.of ?? 0)) return fromIdBefore(piece, before);
  if (between === undefined && times === undefined && plus === undefined) return undefined;
  return product(baseOf(between), times, plus);
}

function baseOf(between: FreshId['between']): string {
  if (between === undefined) return '(RANDOM / 2 + 1)';
  const [low, high] = between;
  return `(${low} + RANDOM % ${BigInt(high) - BigInt(low) + 1n})`;
}

function fromIdBefore(piece: FreshId, before: FreshId): string {
  if ((piece.times ?? '1') === (before.times ?? '1'))
    return plusInWords('id', BigInt(piece.plus ?? 0) - BigInt(before.plus ?? 0));
  const base = plusInWords('id', -BigInt(before.plus ?? 0));
  return product(
    before.times === undefined ? `(${base})` : `(${base}) / ${before.times}`,
    piece.times,
    piece.plus,
  );
}

function product(base: string, times: string | undefined, plus: string | undefined): string {
  return plusInWords(times === undefined ? base : `${base} * ${times}`, BigInt(plus ?? 0));
}

function plusInWords(base: string, plus: bigint): string {
  if (plus === 0n) return base;
  return plus < 0n ? `${base} - ${-plus}` : `${base} + ${plus}`;
}
