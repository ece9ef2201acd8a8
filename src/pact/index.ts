/**
 * Pact for the plant store: consumer tests, provider verification, and the comparison of pacts with the interface.
 * @module
 */
export { ToolkitError, type ToolkitErrorCode } from '../toolkit-error.js';
export { auditPact } from './audit/audit.js';
export type { BrokerOptions } from './broker/broker.js';
export type { CallWithoutToken, CreationCall, Overrides, RejectionCall } from './consumer/interactions.js';
export type { ExecutableInteraction, InteractionBuilder, PactMock } from './consumer/plant-store-pact.js';
export {
  type PlantStorePact,
  type PlantStorePactOptions,
  plantStorePact,
  type ReadyInteraction,
} from './consumer/plant-store-pact.js';
export { providerStates } from './states.js';
export type { VerifyOptions } from './verification/options.js';
export type { VerifyReport } from './verification/report.js';
export {
  type StateContext,
  type StateHandler,
  type StateHandlers,
  type StateValues,
  statesWithoutHelp,
} from './verification/states.js';
export { verifyProvider } from './verification/verify.js';
