import type { Rule } from '../rule.js';
import { authenticationRules } from './authentication.js';
import { bodyRules } from './body.js';
import { failureRules } from './failure.js';
import { successRules } from './success.js';

/**
 * Every rule of the interface that is checked, in the order of the report.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { rules } from 'plant-store-contract/conformance';
 *
 * const rule = rules.find(({ id }) => id === 'success/plant-fields-only');
 * assert.equal(rule?.level, 'documented');
 */
export const rules: readonly Rule[] = [
  ...successRules,
  ...authenticationRules,
  ...bodyRules,
  ...failureRules,
];
