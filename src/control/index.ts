/**
 * Controls a running reference server from another process: `plant-store serve --control-port`.
 * @module
 */
export type { NumberedRequest, StoreEvent } from '../server/events.js';
export type { Failure, SetFailure } from '../server/failures/failure.js';
export type { RuntimeOptions } from '../server/options.js';
export { ToolkitError, type ToolkitErrorCode } from '../toolkit-error.js';
export {
  type ControlClient,
  type ControlClientOptions,
  createControlClient,
  type KnownFault,
  type RequestFilter,
  type RequestWait,
} from './control-client.js';
