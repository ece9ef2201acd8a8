/** A request on one side of a limit. */
export interface LimitSide {
  /** What was sent, as a noun: "a name of 255 letters". */
  readonly sent: string;
  /** What came back, in a few words: "200", "400". */
  readonly got: string;
  /** Lines for a POSIX shell that send it, with a new id. */
  readonly reproduce: readonly string[];
}

/** The limits that are looked for, in the order of reports. */
export const limitTitles = {
  'shortest-name': 'Shortest name',
  'longest-name': 'Longest name',
  'characters-of-name': 'Characters rejected in a name',
  'shortest-tag': 'Shortest tag',
  'longest-tag': 'Longest tag',
  'characters-of-tag': 'Characters rejected in a tag',
  'smallest-id': 'Smallest id',
  'largest-id': 'Largest id',
  'largest-body': 'Largest body',
  'requests-per-second': 'Requests per second',
} as const;

/** What a limit limits. */
export type LimitId = keyof typeof limitTitles;

/** A limit of a provider that the interface does not show, as far as it could be found. */
export interface DiscoveredLimit {
  readonly id: LimitId;
  /**
   * - `found`: `value` is accepted, and the next value is rejected.
   * - `not-found`: everything that was tried is accepted, up to `upTo`.
   * - `several`: there is no single limit: something beyond a rejected value is accepted.
   * - `unknown`: it could not be found, for `reason`.
   */
  readonly outcome: 'found' | 'not-found' | 'several' | 'unknown';
  /** For people. */
  readonly sentence: string;
  /** For programs: the last accepted value, or the rejected characters. Only if it was found. */
  readonly value?: string;
  /** For programs: the farthest value that was tried. Only if no limit was found. */
  readonly upTo?: string;
  /** Whether another search may find a slightly different value. */
  readonly approximate?: true;
  /** Why it could not be found. A clause without a full stop. */
  readonly reason?: string;
  readonly accepted?: LimitSide;
  readonly rejected?: LimitSide;
}

/** About how many requests the search sends, and how many plants it creates, if the provider has few limits. */
export const planOfDiscovery = { requests: 130, plants: 90 } as const;

/** What a search knows of a limit before the sentence is written. */
export type Finding = Omit<DiscoveredLimit, 'id'>;
