import { expect } from 'vitest';
import type { PlantStoreMatchers } from '../matchers/index.js';
import * as matchers from '../matchers/index.js';
import type { Verdict } from './verdict.js';

type Options = Parameters<PlantStoreMatchers['toConformToPlantStore']>;

declare global {
  // The one place that the assertions of Vitest 3, 4 and 5 all inherit from.
  namespace Chai {
    interface Assertion {
      /** That a response is as the interface says. Await it where the response has to be read. */
      toConformToPlantStore<Self>(this: Self, ...options: Options): Verdict<Self>;
      /** That a value is a Plant, or a response a 200 with one. */
      toBePlant<Self>(this: Self): Verdict<Self>;
      /** That a value, or the body of a request, is a NewPlant. */
      toBeNewPlant<Self>(this: Self): Verdict<Self>;
      /** That a value is an Error, or a response a 4xx with one. */
      toBePlantStoreError<Self>(this: Self): Verdict<Self>;
    }
  }
}

declare module 'vitest' {
  // What stands in the place of a value: `expect.toBePlant()`, and `expect.not.toBePlant()`.
  interface AsymmetricMatchersContaining extends PlantStoreMatchers<unknown> {}
}

expect.extend(matchers);
