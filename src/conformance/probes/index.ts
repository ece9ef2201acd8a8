import type { Probe } from '../probe.js';
import { authenticationProbes } from './authentication.js';
import { bodyProbes } from './body.js';
import { idProbes } from './ids.js';
import { leniencyProbes } from './leniency.js';
import { stateProbes } from './state.js';
import { textProbes } from './texts.js';
import { validProbes } from './valid.js';

/** Every probe. They are sent phase by phase; within a phase, begun in this order. */
export const probes: readonly Probe[] = [
  ...validProbes,
  ...textProbes,
  ...idProbes,
  ...bodyProbes,
  ...leniencyProbes,
  ...stateProbes,
  ...authenticationProbes,
];
