/**
 * Pact for the plant store: consumer tests, provider verification, and pacts held against the interface.
 * @module
 */
export { ToolkitError, type ToolkitErrorCode } from '../toolkit-error.js';
export * from './audit/index.js';
export * from './consumer/index.js';
export { verificationJson } from './reporting/verification-json.js';
export { verificationJunit } from './reporting/verification-junit.js';
export { verificationText } from './reporting/verification-text.js';
export { providerStates } from './states.js';
export type { BrokerOptions, ConsumerVersionSelector } from './verification/broker.js';
export type { Mismatch } from './verification/native-result.js';
export type { VerifyOptions } from './verification/options.js';
export {
  type StateContext,
  type StateHandler,
  type StateHandlers,
  type StateSetup,
  type StateValues,
  statesWithoutHelp,
} from './verification/state-handlers.js';
export {
  type InteractionVerdict,
  type Verification,
  type VerificationConclusion,
  type VerifiedExchange,
  type VerifiedInteraction,
  type VerifiedPact,
  verificationExitCode,
} from './verification/verification.js';
export { verifyProvider } from './verification/verify.js';
