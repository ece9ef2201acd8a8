/**
 * Pact for the plant store: consumer tests, options for Pact's verifier, and the comparison of pacts with the interface.
 * @module
 */
export { ToolkitError, type ToolkitErrorCode } from '../toolkit-error.js';
export { auditPact } from './audit/audit.js';
export type { CallWithoutToken, CreationCall, Overrides, RejectionCall } from './consumer/interactions.js';
export type { ExecutableInteraction, InteractionBuilder, PactMock } from './consumer/plant-store-pact.js';
export {
  type PlantStorePact,
  type PlantStorePactOptions,
  plantStorePact,
  type ReadyInteraction,
} from './consumer/plant-store-pact.js';
export { providerStates } from './states.js';
export {
  type PactVerifierOptions,
  type PactVerifierSettings,
  pactVerifierOptions,
  type StateFunction,
  type StateHandler,
  type StateParameters,
  type StateValues,
} from './verification/verifier-options.js';
