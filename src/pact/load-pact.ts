import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ToolkitError } from '../toolkit-error.js';

type PactPackage = typeof import('@pact-foundation/pact');

/** Where Pact may be installed: next to this package, or in the project where the command runs. */
const PLACES = [import.meta.url, join(process.cwd(), 'package.json')];

/**
 * Finds Pact, an optional peer of this package. It is large, so only the code that uses it loads it.
 *
 * @returns a `require` that resolves as Pact itself does, so that it also finds Pact's dependencies
 * @throws ToolkitError `missing-package`, with what to install
 */
export function requireOfPact(): NodeJS.Require {
  let cause: unknown;
  for (const place of PLACES) {
    try {
      return createRequire(createRequire(place).resolve('@pact-foundation/pact/package.json'));
    } catch (problem) {
      cause ??= problem;
    }
  }
  throw new ToolkitError(
    'missing-package',
    'Pact is not installed. Run: npm install --save-dev @pact-foundation/pact (16.5 or later, or 17.1 or later)',
    { cause },
  );
}

/** Pact JS for consumer tests, and its version. */
export function loadPact(): { readonly pact: PactPackage; readonly version: string } {
  const require = requireOfPact();
  return {
    pact: require('@pact-foundation/pact'),
    version: require('@pact-foundation/pact/package.json').version,
  };
}
