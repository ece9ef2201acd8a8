/**
 * Arbitraries for fast-check: plants that are valid, plants that are not, and spellings of plants in JSON.
 * @module
 */
export { invalidNewPlant } from './invalid-new-plant.js';
export { type NewPlantConstraints, newPlant } from './new-plant.js';
export { plantJson } from './plant-json.js';
