/**
 * Validation of values and of whole messages against the plant store interface.
 * @module
 */

export * from './portable.js';
export { loadPrism, type Prism, type PrismViolation } from './prism.js';
