/**
 * A typed client of the plant store: exact ids, tolerant of what a newer provider may add, and clear about what is
 * wrong.
 * @module
 */
export type { TokenOption } from '../token-option.js';
export { ToolkitError, type ToolkitErrorCode } from '../toolkit-error.js';
export { NoAnswerError, PlantStoreError, UnexpectedAnswerError } from './errors.js';
export {
  type CallOptions,
  createPlantClient,
  type PlantClient,
  type PlantClientOptions,
} from './plant-client.js';
