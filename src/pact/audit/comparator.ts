import { openApiDocument } from '../../spec/index.js';

/** One difference between a pact and an OpenAPI document, as the comparator reports it. */
export interface Difference {
  readonly type: 'error' | 'warning';
  /** As `request.body.incompatible`. */
  readonly code: string;
  readonly message: string;
  /** Where in the pact: `[root].interactions[0].request.body.name`. */
  readonly mockDetails?: { readonly location: string };
}

/** The comparator, after a document: what it compares has to be a pact of plain JSON values. */
interface Comparator {
  compare(pact: unknown): AsyncIterable<Difference>;
}

// The types of the package cannot be resolved by NodeNext.
interface ComparatorPackage {
  readonly Comparator: new (options: unknown) => Comparator;
}

let loaded: Promise<Comparator> | undefined;

/**
 * What `@pactflow/openapi-pact-comparator` says of a pact against the interface. It reads numbers as doubles.
 *
 * @param pact plain JSON values
 * @returns none where it cannot read the pact: it is a second opinion only
 */
export async function differencesOf(pact: object): Promise<readonly Difference[]> {
  loaded ??= load();
  const comparator = await loaded;
  const differences: Difference[] = [];
  try {
    for await (const difference of comparator.compare(pact)) differences.push(difference);
  } catch {
    // Headers that fetch refuses, for one.
    return [];
  }
  return differences;
}

async function load(): Promise<Comparator> {
  const { Comparator } = (await import('@pactflow/openapi-pact-comparator')) as unknown as ComparatorPackage;
  // It writes into the document.
  const oas = structuredClone(openApiDocument);
  // Version 1 takes the document, version 2 an object that holds it.
  return new Comparator({ ...oas, oas });
}
