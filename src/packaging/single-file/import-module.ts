import { ToolkitError } from '../../toolkit-error.js';

// Takes the place of src/cli/import-module.ts in the single file: a script in it cannot import, and a module could not find
// this package beside it.

export async function importModule(): Promise<unknown> {
  throw new ToolkitError(
    'missing-package',
    'the single file imports no modules; install plant-store-contract with npm',
  );
}
