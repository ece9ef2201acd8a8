/**
 * Pact for the plant store: consumer tests, provider verification, and the comparison of pacts with the interface.
 * @module
 */
export { ToolkitError, type ToolkitErrorCode } from '../toolkit-error.js';
export {
  type AuditedInteraction,
  type AuditedPact,
  type AuditReport,
  auditPact,
  type PactProblem,
} from './audit/audit.js';
export { type PactProblemKind, pactProblemKinds } from './audit/problem.js';
export type { BrokerOptions, ConsumerVersionSelector, Publication } from './broker/broker.js';
export type {
  CallWithoutToken,
  CreationCall,
  CreationOverrides,
  InvalidPlantOverrides,
  MissingTokenOverrides,
  RejectionCall,
  RejectionOverrides,
} from './consumer/interactions.js';
export type { ExecutableInteraction, InteractionBuilder, PactMock } from './consumer/plant-store-pact.js';
export {
  type PlantStorePact,
  type PlantStorePactOptions,
  plantStorePact,
  type ReadyInteraction,
} from './consumer/plant-store-pact.js';
export type { LeftOutPact } from './pact-sources.js';
export { providerStates } from './states.js';
export type { VerifiedInteraction } from './verification/judge.js';
export type { VerifyOptions } from './verification/options.js';
export type { Mismatch } from './verification/pact-verifier.js';
export type { InteractionTally, VerifiedPact, VerifyReport } from './verification/report.js';
export {
  type StateContext,
  type StateHandler,
  type StateHandlers,
  type StateSetup,
  type StateValues,
  statesWithoutHelp,
} from './verification/states.js';
export { verifyProvider } from './verification/verify.js';
