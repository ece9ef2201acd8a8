import { availabilityFaults } from './availability.js';
import { errorFaults, quotingFaults } from './errors.js';
import { fieldFaults } from './fields.js';
import { jsonTextFaults } from './json-texts.js';
import { keyFaults } from './keys.js';
import { rareInputFaults } from './rare-input.js';
import { readingFaults } from './reading.js';
import { renderingFaults, stringFaults } from './rendering.js';
import { sequenceFaults } from './sequences.js';
import { stateFaults } from './state.js';
import { authenticationFaults, tokenFaults } from './tokens.js';
import { transportFaults } from './transport.js';
import { idFaults, typeFaults } from './types.js';
import { validationFaults } from './validation.js';

/** Every fault of the reference server. */
export const faults = {
  ...authenticationFaults,
  ...tokenFaults,
  ...readingFaults,
  ...fieldFaults,
  ...validationFaults,
  ...keyFaults,
  ...jsonTextFaults,
  ...idFaults,
  ...typeFaults,
  ...renderingFaults,
  ...stringFaults,
  ...errorFaults,
  ...quotingFaults,
  ...stateFaults,
  ...transportFaults,
  ...sequenceFaults,
  ...availabilityFaults,
  ...rareInputFaults,
};
