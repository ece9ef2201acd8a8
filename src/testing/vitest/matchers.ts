import { expect } from 'vitest';
import type { PlantStoreMatchers } from '../matchers/index.js';
import * as matchers from '../matchers/index.js';

type Options = Parameters<PlantStoreMatchers['toConformToPlantStore']>;

declare global {
  // The assertions of Vitest 3, 4 and 5 all inherit from this.
  namespace Chai {
    interface Assertion {
      /** Expects a response that conforms to the interface. Await it for a response of fetch. */
      toConformToPlantStore<Self>(this: Self, ...options: Options): Verdict<Self>;
      /** Expects a Plant, or a 200 with one. */
      toBePlant<Self>(this: Self): Verdict<Self>;
      /** Expects a NewPlant, or a request with one. */
      toBeNewPlant<Self>(this: Self): Verdict<Self>;
      /** Expects an Error, or a 4xx with one. */
      toBePlantStoreError<Self>(this: Self): Verdict<Self>;
    }
  }
}

declare module 'vitest' {
  // Asymmetric matchers: `expect.toBePlant()`, `expect.not.toBePlant()`.
  interface AsymmetricMatchersContaining extends PlantStoreMatchers<unknown> {}
}

expect.extend(matchers);

/**
 * The type of an assertion's result: a promise for a message of fetch, so linters ask for `await` only there. The assertions of
 * Vitest 3, 4 and 5 share no type parameter for what was received, but all mention its members in `toMatchSnapshot`. For
 * `any` the verdict is `any`.
 */
type Verdict<Assertion> = Assertion extends {
  toMatchSnapshot: { (shape: infer Shape, hint?: string): void; (hint?: string): void };
}
  ? VerdictOf<keyof Shape>
  : Unknown;

type VerdictOf<Names> = string extends Names ? Unknown : 'arrayBuffer' extends Names ? Promise<void> : Done;

// biome-ignore lint/suspicious/noExplicitAny: linters do not ask for `await`; this also applies to `resolves` and `poll`.
type Unknown = any;
// biome-ignore lint/suspicious/noConfusingVoidType: it is the result of a function.
type Done = void;
