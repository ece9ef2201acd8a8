/**
 * The reference server: a plant store that conforms to the interface, for tests.
 * @module
 */
export type { Listening } from '../http/address.js';
export { type Profile, readProfile } from '../report/profile.js';
export { ToolkitError, type ToolkitErrorCode } from '../toolkit-error.js';
export type {
  Behaviour,
  ClientErrorStatus,
  RejectionReason,
  RejectionResponse,
  RuntimeOptions,
  TokenVerifier,
} from './behaviour.js';
export { type ErrorName, errorCodes, Rejection } from './error-codes.js';
export type { IncomingRequest, OutgoingResponse } from './exchange.js';

export type {
  ConnectionFailure,
  Failure,
  FailureMatch,
  SetFailure,
} from './failures/failure.js';
export type { Fault, FaultTools } from './faults/fault.js';
export { type FaultName, faultNames, loadFaults } from './faults/index.js';
export { type Imitation, imitationOf } from './imitation.js';
export type { ReceivedRequest } from './journal.js';
export { type RunningPlantStore, startPlantStore } from './listen.js';
export type { ListenOptions, PlantStoreOptions } from './options.js';
export { createPlantStore, type PlantStore } from './plant-store.js';
export type { PlantMap } from './plants.js';
export type { Steps } from './steps.js';
