import { excerpt } from '../report/body.js';
import { counted } from '../report/wording.js';
import { reasonOf, ToolkitError } from '../toolkit-error.js';
import type { FetchedPact } from './broker/fetched-pact.js';
import { openPact, type Pact } from './pact-file.js';
import type { FoundPacts, UnreadSource } from './pact-sources.js';

/** The name of the provider in pacts, unless the user gives another. */
export const PROVIDER = 'plant-store';

/** A pact that is not used. */
export interface LeftOutPact {
  /** The file or the URL. */
  readonly where: string;
  readonly consumer: string;
  readonly provider: string;
  /** `other-provider`: it is about another provider. `empty`: it has no HTTP interaction, so it proves nothing. */
  readonly reason: 'other-provider' | 'empty';
}

/** The pacts with one provider, out of many. */
export interface SelectedPacts {
  readonly pacts: readonly { readonly source: FetchedPact; readonly pact: Pact }[];
  readonly leftOut: readonly LeftOutPact[];
  readonly unread: readonly UnreadSource[];
}

/**
 * Reads the pacts with one provider. A consumer usually has pacts with several providers in one folder. The interactions of
 * the others are not read.
 *
 * @throws ToolkitError if no pact remains, which names everything that is wrong: `no-pact`, `invalid-pact` or
 *   `wrong-provider`
 */
export function selectPacts(provider: string, found: FoundPacts): SelectedPacts {
  const pacts: SelectedPacts['pacts'][number][] = [];
  const leftOut: LeftOutPact[] = [];
  const unread: UnreadSource[] = [];
  for (const source of found) {
    if ('problem' in source) {
      unread.push(source);
      continue;
    }
    const { text, where } = source;
    try {
      const { read, ...parties } = openPact(text, where);
      const isOther = parties.provider !== provider;
      const pact = isOther ? undefined : read();
      if (pact !== undefined && pact.interactions.length > 0) pacts.push({ source, pact });
      else leftOut.push({ where, ...parties, reason: isOther ? 'other-provider' : 'empty' });
    } catch (problem) {
      if (!(problem instanceof ToolkitError)) throw problem;
      unread.push({ where, problem });
    }
  }
  if (pacts.length === 0) throw nothingLeft(provider, leftOut, unread);
  return { pacts, leftOut, unread };
}

function nothingLeft(
  provider: string,
  leftOut: readonly LeftOutPact[],
  unread: readonly UnreadSource[],
): ToolkitError {
  const empty = leftOut.filter(isEmpty).map(inWords);
  const problems = unread.map(({ problem }) => problem);
  const [first] = problems;
  if (first !== undefined)
    return new ToolkitError(first.code, [...problems.map(reasonOf), ...empty].join('; '), { cause: first });
  if (empty.length > 0) return new ToolkitError('no-pact', empty.join('; '));
  const others = leftOut.map(inWords).join('; ');
  return new ToolkitError(
    'wrong-provider',
    `there is no pact with "${provider}": ${others}. If one of these names is right, name the provider.`,
  );
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
