/**
 * A typed client of the plant store. Ids are exact, and further fields of a newer provider are ignored.
 * @module
 */
export type { TokenOption } from '../../http/token.js';
export { ToolkitError, type ToolkitErrorCode } from '../../toolkit-error.js';
export { NoResponseError, PlantStoreError, UnexpectedResponseError } from './errors.js';
export {
  type CallOptions,
  createPlantClient,
  type PlantClient,
  type PlantClientOptions,
} from './plant-client.js';
