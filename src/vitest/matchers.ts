import { expect } from 'vitest';
import type { PlantStoreMatchers } from '../matchers/index.js';
import * as matchers from '../matchers/index.js';

declare global {
  // The one place that the assertions of Vitest 3, 4 and 5 all inherit from.
  namespace Chai {
    interface Assertion {
      /** That a response is as the interface says. Await it where the response has to be read. */
      toConformToPlantStore(...options: Parameters<PlantStoreMatchers['toConformToPlantStore']>): void;
      /** That a value is a Plant, or a response a 200 with one. */
      toBePlant(): void;
      /** That a value, or the body of a request, is a NewPlant. */
      toBeNewPlant(): void;
      /** That a value is an Error, or a response a 4xx with one. */
      toBePlantStoreError(): void;
    }
  }
}

expect.extend(matchers);
