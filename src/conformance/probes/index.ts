import type { Probe } from '../probe.js';
import { authenticationProbes } from './authentication.js';
import { bodyProbes } from './body.js';
import { idProbes } from './ids.js';
import { openProbes } from './open.js';
import { stateProbes } from './state.js';
import { stringProbes } from './strings.js';
import { validProbes } from './valid.js';

const registry = [
  ...validProbes,
  ...stringProbes,
  ...idProbes,
  ...bodyProbes,
  ...openProbes,
  ...stateProbes,
  ...authenticationProbes,
];

/** The name of a probe. */
export type ProbeName = (typeof registry)[number]['name'];

/** Every probe. They are sent phase by phase. The probes of one phase start in this order. */
export const probes: readonly Probe[] = registry;
