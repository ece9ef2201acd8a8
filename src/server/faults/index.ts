import { errorFaults } from './errors.js';
import { inputFaults } from './input.js';
import { responseFaults } from './responses.js';
import { stateFaults } from './state.js';
import { tokenFaults } from './tokens.js';

/** Every fault of the reference server. */
export const faults = { ...tokenFaults, ...inputFaults, ...responseFaults, ...errorFaults, ...stateFaults };
