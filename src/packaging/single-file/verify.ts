import type { verifyProvider as WithPact } from '../../pact/verification/verify.js';
import { ToolkitError } from '../../toolkit-error.js';

// Takes the place of src/pact/verification/verify.ts in the single file. The command keeps its flags there: options files
// have them. It loads this before it starts a provider.

throw new ToolkitError(
  'missing-package',
  'verify is not in this file, because Pact has native code; install plant-store-contract and @pact-foundation/pact with npm',
);

export declare const verifyProvider: typeof WithPact;
