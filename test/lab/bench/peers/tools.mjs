import { cats } from './tools/cats.mjs';
import { checks } from './tools/check.mjs';
import { dredd } from './tools/dredd.mjs';
import { pact } from './tools/pact.mjs';
import { portman } from './tools/portman.mjs';
import { prism } from './tools/prism.mjs';
import { schemathesisRuns } from './tools/schemathesis.mjs';
import { specmatic } from './tools/specmatic.mjs';

/** In the order of the table. */
export const TOOLS = [...checks, ...schemathesisRuns, specmatic, dredd, portman, pact, prism, cats];
