/**
 * The version of the rules: `spec/VERSIONING.md` says what it promises. It is also in every report of a check.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { rulesVersion } from 'plant-store-contract/conformance';
 *
 * assert.match(rulesVersion, /^1\.\d+\.\d+$/);
 */
export const rulesVersion = '1.0.0';
