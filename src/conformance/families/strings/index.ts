import { pairProbes } from './pairs.js';
import { plainStringProbes } from './plain.js';
import { nameProbes, tagProbes } from './single.js';

/** Names and tags that a provider may reject. */
export const openStringProbes = [...nameProbes, ...tagProbes, ...pairProbes];

/** Names and tags of all kinds. What is accepted comes back unchanged. */
export const stringProbes = [...plainStringProbes, ...openStringProbes];
