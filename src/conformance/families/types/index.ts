import { bodyProbes } from './bodies.js';
import { singleTypeProbes } from './single.js';
import { fieldProbes } from './values.js';

/** JSON values of other types: of the whole body, and of each field. */
export const typeProbes = [...singleTypeProbes, ...bodyProbes, ...fieldProbes];
