import type { Command } from 'commander';
import { ToolkitError } from '../../toolkit-error.js';

// Takes the place of src/cli/verify.ts in the single file.

/** `plant-store verify` in the single file: says why it is not there. */
export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .summary('not in this file: verify a provider against pacts')
    .description(
      'Not in this file. Pact has native code: install plant-store-contract and @pact-foundation/pact with npm.',
    )
    .argument('[anything...]')
    .allowUnknownOption()
    .action(() => {
      throw new ToolkitError(
        'missing-package',
        'verify is not in this file, because Pact has native code; install plant-store-contract and @pact-foundation/pact with npm',
      );
    });
}
