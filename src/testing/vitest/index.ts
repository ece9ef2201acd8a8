/**
 * For tests in Vitest 3, 4 or 5. Importing this module registers `toConformToPlantStore`, `toBePlant`, `toBeNewPlant` and
 * `toBePlantStoreError` with `expect`. `conformanceSuite` is in `plant-store-contract/conformance`, since Jest and
 * node:test use it too.
 * @module
 */
import './matchers.js';

export { type PlantStoreFixtures, plantStoreTest } from './fixture.js';
