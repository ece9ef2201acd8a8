/**
 * What an assertion gives: a promise where what was received has to be read. Linters ask then that it is awaited, and
 * nowhere else. Of that type the assertions of Vitest 3, 4 and 5 have the names of its members in common, in the
 * snapshots that it can be compared with. Where it is `any`, nobody can tell, and so the verdict is.
 */
export type Verdict<Assertion> = Assertion extends {
  toMatchSnapshot: { (shape: infer Shape, hint?: string): void; (hint?: string): void };
}
  ? VerdictOf<keyof Shape>
  : Untold;

type VerdictOf<Names> = string extends Names ? Untold : IsRead<Names> extends true ? Promise<void> : Known;

// biome-ignore lint/suspicious/noExplicitAny: linters ask nothing of it. So it is with `resolves` and `poll`, too.
type Untold = any;
// biome-ignore lint/suspicious/noConfusingVoidType: it is what a function gives.
type Known = void;

/** Messages of fetch and Blobs; responses of undici.request; of Playwright and Puppeteer. */
type IsRead<Names> = 'arrayBuffer' extends Names
  ? true
  : 'opaque' | 'trailers' extends Names
    ? true
    : 'securityDetails' | 'status' extends Names
      ? true
      : 'headersArray' | 'status' extends Names
        ? true
        : false;
