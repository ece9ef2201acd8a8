import type { Exchange } from '../exchange.js';
import { type FamilyName, familyOf, type GeneratedName, type Probe } from '../probe.js';
import type { DrawnRow } from '../row.js';
import type { ExploredFailure } from './exploration.js';

/** How many failures of one rule in one family are made small. Most further ones have the same cause. */
const MOST_OF_A_KIND = 3;

/** How many intermittent failures are kept as evidence. All are counted. */
const MOST_KEPT = 5;

/** A probe and exchanges that the check keeps, because they cannot be sent again. */
export interface KeptSequence {
  readonly probe: Probe;
  readonly exchanges: readonly Exchange[];
}

/** The failures that exploring has found, without duplicates. */
export class Findings {
  readonly failures: ExploredFailure[] = [];
  readonly intermittent: Record<string, number> = {};
  /** The first intermittent failures. */
  readonly kept: KeptSequence[] = [];
  /** How many of a kind were made small, and the work that is under way. */
  private readonly kinds = new Map<string, { count: number; work: Promise<void> }>();

  /**
   * Counts a failure that did not repeat.
   *
   * @param failed the exchanges that failed
   * @param again those that did not
   */
  addIntermittent(rule: string, probe: Probe, failed: readonly Exchange[], again: readonly Exchange[]): void {
    this.intermittent[rule] = (this.intermittent[rule] ?? 0) + 1;
    if (this.kept.length === MOST_KEPT) return;
    const name = `${familyOf(probe.name as GeneratedName)}/intermittent-${this.kept.length + 1}` as const;
    const renamed = (role: Exchange['role']) => (one: Exchange) => ({ ...one, probe: name, role });
    this.kept.push({
      probe: { ...probe, name },
      exchanges: [...failed.map(renamed('superseded')), ...again.map(renamed('judged'))],
    });
  }

  /** Whether another failure of this kind is of use. */
  wants(family: FamilyName, rule: string): boolean {
    return (this.kinds.get(`${family} ${rule}`)?.count ?? 0) < MOST_OF_A_KIND;
  }

  /**
   * Adds a failure, if it is not like another one. Failures of one kind are made small one after the other.
   *
   * @param foundAfter how many requests had been sent
   * @param makeSmall returns the smallest row that fails
   */
  async add(
    family: FamilyName,
    rule: string,
    foundAfter: number,
    makeSmall: () => Promise<DrawnRow>,
  ): Promise<void> {
    const key = `${family} ${rule}`;
    const kind = this.kinds.get(key) ?? { count: 0, work: Promise.resolve() };
    this.kinds.set(key, kind);
    if (kind.count === MOST_OF_A_KIND) return;
    kind.count++;
    kind.work = kind.work.then(async () => this.keep(family, { rule, foundAfter, row: await makeSmall() }));
    await kind.work;
  }

  private keep(family: FamilyName, { rule, foundAfter, row }: ExploredFailure): void {
    const isKnown = this.failures.some(
      (failure) =>
        failure.rule === rule &&
        JSON.stringify(failure.row) === JSON.stringify({ ...row, name: failure.row.name }),
    );
    if (isKnown) return;
    const name = `${family}/explored-${this.failures.length + 1}` as const;
    this.failures.push({ rule, foundAfter, row: { ...row, name } });
  }
}
