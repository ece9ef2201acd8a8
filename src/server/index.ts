/**
 * The reference server: a plant store that conforms to the interface, for tests.
 * @module
 */
export type { Listening } from '../http/address.js';
export { type Profile, readProfile } from '../report/profile.js';
export { ToolkitError, type ToolkitErrorCode } from '../toolkit-error.js';
export { type ErrorName, errorCodes, Rejection } from './error-codes.js';
export type { IncomingRequest, OutgoingResponse } from './exchange.js';

export type {
  ConnectionFailure,
  Failure,
  FailureMatch,
  FailureStatus,
  SetFailure,
} from './failures/failure.js';
export { type Fault, type FaultName, type FaultTools, faultNames, loadFaults } from './faults/names.js';
export { type Imitation, imitationOf } from './imitation.js';
export { type RunningPlantStore, startPlantStore } from './listen.js';
export type { ListenOptions, PlantStoreOptions, RuntimeOptions, Settings } from './options.js';
export { createPlantStore, type PlantStore } from './plant-store.js';
export type {
  ClientErrorStatus,
  RejectionReason,
  RejectionResponse,
  TokenVerifier,
} from './settings.js';
export type { Steps } from './steps.js';
export type { PlantMap, ReceivedRequest } from './store.js';
