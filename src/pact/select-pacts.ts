import { excerpt } from '../report/body.js';
import { counted } from '../report/wording.js';
import { reasonOf, ToolkitError } from '../toolkit-error.js';
import { openPact, type Pact } from './pact-file.js';
import type { PactSource } from './pact-sources.js';

/** The name of the provider in pacts, unless the user gives another. */
export const PROVIDER = 'plant-store';

/** A pact that was read, and where it comes from. */
export interface SelectedPact<Source extends PactSource> {
  readonly source: Source;
  readonly pact: Pact;
}

/** A pact that is not used. */
export interface LeftOutPact {
  /** The file or the URL. */
  readonly where: string;
  readonly consumer: string;
  readonly provider: string;
  /** `other-provider`: it is about another provider. `empty`: it has no HTTP interaction, so it proves nothing. */
  readonly reason: 'other-provider' | 'empty';
}

/**
 * The pacts with one provider, out of many. A consumer usually has pacts with several providers in one folder. The
 * interactions of the others are not read.
 */
export class PactSelection<Source extends PactSource> {
  readonly pacts: SelectedPact<Source>[] = [];
  readonly leftOut: LeftOutPact[] = [];
  private readonly problems: ToolkitError[] = [];

  constructor(private readonly provider: string) {}

  /** Why sources could not be read: sentences without their ends. */
  get unread(): string[] {
    return this.problems.map(reasonOf);
  }

  /** Adds the pacts of a source. What cannot be read is a problem, which {@link check} throws. */
  async add(sources: Promise<readonly Source[]>): Promise<void> {
    await this.attempt(async () => {
      for (const source of await sources) await this.attempt(() => this.select(source));
    });
  }

  /**
   * Checks that everything could be read and that a pact remains.
   *
   * @throws ToolkitError that names everything that is wrong: `no-pact` or `invalid-pact` if something cannot be read;
   *   if no pact remains, `wrong-provider` or `no-pact`
   */
  check(): void {
    const empty = this.leftOut.filter(isEmpty).map(inWords);
    const [first] = this.problems;
    if (first !== undefined) {
      const all = [...this.unread, ...empty].join('; ');
      throw new ToolkitError(first.code, all, { cause: first });
    }
    if (this.pacts.length > 0) return;
    if (empty.length > 0) throw new ToolkitError('no-pact', empty.join('; '));
    const others = this.leftOut.map(inWords).join('; ');
    throw new ToolkitError(
      'wrong-provider',
      `there is no pact with "${this.provider}": ${others}. If one of these names is right, name the provider.`,
    );
  }

  private select(source: Source): void {
    const { text, where } = source;
    const { consumer, provider, read } = openPact(text, where);
    if (provider !== this.provider) {
      this.leftOut.push({ where, consumer, provider, reason: 'other-provider' });
      return;
    }
    const pact = read();
    if (pact.interactions.length > 0) this.pacts.push({ source, pact });
    else this.leftOut.push({ where, consumer, provider, reason: 'empty' });
  }

  private async attempt(work: () => unknown): Promise<void> {
    try {
      await work();
    } catch (cause) {
      if (!(cause instanceof ToolkitError)) throw cause;
      this.problems.push(cause);
    }
  }
}

/** Sentences for the notes of a report. */
export function leftOutInWords(leftOut: readonly LeftOutPact[]): string[] {
  return leftOut.map((pact) => `Left out: ${inWords(pact)}.`);
}

/** What of a pact is not HTTP, and so not used: one sentence without its end, or none. */
export function otherTypesInWords(types: readonly string[], where: string): string[] {
  if (types.length === 0) return [];
  const number = counted(types.length, 'interaction');
  const are = types.length === 1 ? 'is' : 'are';
  return [
    `${where} has ${number} that ${are} not HTTP, left out here: ${excerpt([...new Set(types)].join(', '))}`,
  ];
}

/** Whether a pact has nothing to use, and so proves nothing. */
export function isEmpty({ reason }: LeftOutPact): boolean {
  return reason === 'empty';
}

function inWords({ where, provider, reason }: LeftOutPact): string {
  return reason === 'empty' ? `${where} has no HTTP interaction` : `${where} is a pact with "${provider}"`;
}
