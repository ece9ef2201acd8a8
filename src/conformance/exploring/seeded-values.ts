import { createHash } from 'node:crypto';
import type { ProbeValues } from '../probe.js';

/** Ids are 1 to this prime: every id below 2^31 but the last. */
const PRIME = 2n ** 31n - 1n;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const NAME_LETTERS = 6;
const NAMES = 26n ** BigInt(NAME_LETTERS);
/** How many ids and names a draw may use. */
const PER_DRAW = 64n;

/**
 * Fresh values that follow from a seed, so that the same seed gives the same requests. No two draws have the same id or
 * name: the n-th value is a permutation of n, so nothing has to be remembered.
 */
export class SeededValues {
  private readonly ids: { readonly factor: bigint; readonly offset: bigint };
  private readonly names: { readonly factor: bigint; readonly offset: bigint };
  private readonly wrongToken: string;

  /** @param epoch other values for the same seed, for a provider that has the first ones already */
  constructor(
    private readonly token: string | { readonly current: string },
    private readonly seed: number,
    private readonly epoch: number,
  ) {
    this.ids = { factor: 1n + (this.hash('id factor') % (PRIME - 1n)), offset: this.hash('id offset') };
    // Coprime to 26^6, so that every name has one place.
    const factor = (this.hash('name factor') % (NAMES / 26n)) * 26n + 1n;
    this.names = { factor, offset: this.hash('name offset') };
    this.wrongToken = `wrong${this.hash('wrong token').toString(16).padStart(16, '0')}`;
  }

  /** The values of one draw. */
  of(draw: number): ProbeValues {
    const first = BigInt(draw) * PER_DRAW;
    let ids = first;
    let names = first;
    let between = 0;
    return {
      token: typeof this.token === 'string' ? this.token : this.token.current,
      wrongToken: this.wrongToken,
      freshId: () => Number(1n + ((this.ids.factor * (ids++ % PRIME) + this.ids.offset) % PRIME)),
      freshIdBetween: (low, high) => low + (this.hash(`between ${draw} ${between++}`) % (high - low + 1n)),
      freshName: () => nameFrom((this.names.factor * names++ + this.names.offset) % NAMES),
    };
  }

  private hash(what: string): bigint {
    return createHash('sha256').update(`${this.seed} ${this.epoch} ${what}`).digest().readBigUInt64BE();
  }
}

function nameFrom(place: bigint): string {
  let rest = Number(place);
  let letters = '';
  for (let at = 0; at < NAME_LETTERS; at++) {
    letters += LETTERS[rest % 26];
    rest = Math.floor(rest / 26);
  }
  return `Aloe${letters}`;
}
