/** A request on one side of a limit. */
export interface LimitSide {
  /** What was sent, as a noun: "a name of 255 letters". */
  readonly sent: string;
  /** What came back, in a few words: "200", "400". */
  readonly got: string;
  /** Lines for a POSIX shell that send it, with a new id. */
  readonly reproduce: readonly string[];
}

/** The limits that are looked for, in the order in which they are searched and reported. What may end a provider comes last. */
export const limitTitles = {
  'longest-name': 'Longest name',
  'longest-tag': 'Longest tag',
  'largest-body': 'Largest body',
  'largest-depth': 'Largest depth',
} as const;

/** What a limit limits. */
export type LimitId = keyof typeof limitTitles;

/** A limit of a provider that the interface does not show, as far as it could be found. */
export interface DiscoveredLimit {
  readonly id: LimitId;
  /**
   * - `found`: `value` is accepted, and the next value is rejected.
   * - `not-found`: everything that was tried is accepted, up to `upTo`.
   * - `unknown`: it could not be found, for `reason`.
   */
  readonly outcome: 'found' | 'not-found' | 'unknown';
  /** For people. */
  readonly sentence: string;
  /**
   * For programs: the last accepted value. A name or a tag in characters, a body in bytes, and the depth in levels of JSON, of
   * which the plant is the first. Only if it was found.
   */
  readonly value?: string;
  /** For programs: the farthest value that was tried. Only if no limit was found. */
  readonly upTo?: string;
  /** Why it could not be found. A clause without a full stop. */
  readonly reason?: string;
  readonly accepted?: LimitSide;
  readonly rejected?: LimitSide;
}

/** About how many requests the search sends, and how many plants it creates, if the provider has few limits. */
export const planOfDiscovery = { requests: 40, plants: 25 } as const;

/** What a search knows of a limit. */
export type Finding = Omit<DiscoveredLimit, 'id'>;
