/**
 * Controls a running reference server from another process: `plant-store serve --control-port`.
 * @module
 */

export { ToolkitError, type ToolkitErrorCode } from '../../toolkit-error.js';
export type { NumberedRequest, StoreEvent } from '../events.js';
export type { Failure, SetFailure } from '../failures/failure.js';
export type { RuntimeOptions } from '../options.js';
export {
  type ControlClient,
  type ControlClientOptions,
  createControlClient,
  type KnownFault,
  type RequestFilter,
  type RequestWait,
} from './control-client.js';
