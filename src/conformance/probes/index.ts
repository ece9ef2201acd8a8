import type { Probe } from '../probe.js';
import { authenticationProbes } from './authentication.js';
import { bodyProbes } from './body.js';
import { validProbes } from './valid.js';

/** Every probe, in the order in which they are sent: controls first, wrong tokens last. */
export const probes: readonly Probe[] = [...validProbes, ...bodyProbes, ...authenticationProbes];
