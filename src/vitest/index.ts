/**
 * For tests that run in Vitest 3, 4 or 5: importing this registers `toConformToPlantStore`, `toBePlant`,
 * `toBeNewPlant` and `toBePlantStoreError` with its `expect`. `conformanceSuite` is in `./conformance`: it is for Jest
 * and node:test as well, and Jest cannot load a module that imports Vitest.
 * @module
 */
import './matchers.js';

export { type PlantStoreFixtures, plantStoreTest } from './fixture.js';
