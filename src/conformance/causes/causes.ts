import type { Cause } from './cause.js';
import { authenticationCauses, creationCauses, exceptionCauses, failureBodyCauses } from './responses.js';
import { idCauses, keyCauses, stringCauses, typeCauses } from './values.js';

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
