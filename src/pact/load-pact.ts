import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ToolkitError } from '../toolkit-error.js';

type PactPackage = typeof import('@pact-foundation/pact');

/** Where Pact may be installed: beside this package, or where the command runs. */
const PLACES = [import.meta.url, join(process.cwd(), 'package.json')];

/**
 * Pact, an optional peer of this package: it is big, and only what talks to it loads it.
 *
 * @returns a `require` from inside Pact, so that what it depends on is found as well
 * @throws ToolkitError `missing-package`, saying what to install
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
    'Pact is not installed: npm install --save-dev @pact-foundation/pact (16.5 or later, or 17.1 or later)',
    { cause },
  );
}

/** Pact JS itself, for consumer tests, and its version. */
export function loadPact(): { readonly pact: PactPackage; readonly version: string } {
  const require = requireOfPact();
  return {
    pact: require('@pact-foundation/pact'),
    version: require('@pact-foundation/pact/package.json').version,
  };
}
