import { createRequire } from 'node:module';
import { ToolkitError } from '../toolkit-error.js';

// The declarations of the whole of Pact import those of Express, which Pact does not install. These files do not.
type V3 = typeof import('@pact-foundation/pact/src/v3/index.js');
type V4 = typeof import('@pact-foundation/pact/src/v4/index.js');

type ConsumerPact = Pick<V3, 'HTTPResponseStatusClass' | 'MatchersV3'> & Pick<V4, 'PactV4'>;

/**
 * Finds Pact, an optional peer of this package. It is large, so only the code that uses it loads it.
 *
 * @returns a `require` that resolves as Pact itself does, so that it also finds Pact's dependencies
 * @throws ToolkitError `missing-package`, with what to install
 */
export function requireOfPact(): NodeJS.Require {
  try {
    // Beside this package only: the working directory may be a checkout of strangers.
    const { resolve } = createRequire(import.meta.url);
    return createRequire(resolve('@pact-foundation/pact/package.json'));
  } catch (cause) {
    throw new ToolkitError(
      'missing-package',
      'Pact is not installed. Run: npm install --save-dev @pact-foundation/pact (16.5 or later, or 17.1 or later)',
      { cause },
    );
  }
}

/**
 * Pact JS for consumer tests, and its version. Half of Pact, the verifier included, is of no use here. Without it, a worker
 * needs a third less time and 20 MB less. And the other half of Pact 16 requires an ES module, which Jest cannot do.
 */
export function loadPact(): { readonly pact: ConsumerPact; readonly version: string } {
  // By its path: its name leads to another version, if Pact is installed under two names.
  const require = requireOfPact();
  const { PactV4 }: V4 = require('./src/v4/index.js');
  const { MatchersV3, HTTPResponseStatusClass }: V3 = require('./src/v3/index.js');
  const { version } = require('./package.json');
  return { pact: { PactV4, MatchersV3, HTTPResponseStatusClass }, version };
}
