import { authenticationCauses } from './authentication.js';
import type { Cause } from './cause.js';
import { creationCauses } from './creations.js';
import { exceptionCauses } from './exceptions.js';
import { failureBodyCauses } from './failure-bodies.js';
import { idCauses } from './ids.js';
import { keyCauses } from './keys.js';
import { stringCauses } from './strings.js';
import { typeCauses } from './types.js';

/** The known causes. The first one that explains a failure is reported, so the most specific ones are first. */
export const causes: readonly Cause[] = [
  ...authenticationCauses,
  ...creationCauses,
  ...keyCauses,
  ...idCauses,
  ...exceptionCauses,
  ...failureBodyCauses,
  ...typeCauses,
  ...stringCauses,
];
