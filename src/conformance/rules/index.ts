import type { Rule } from '../rule.js';
import { authenticationRules } from './authentication.js';
import { bodyRules } from './body.js';
import { failureRules } from './failure.js';
import { idRules } from './ids.js';
import { stateRules } from './state.js';
import { successRules } from './success.js';
import { unspecifiedRules } from './unspecified.js';

const demands = [
  ...successRules,
  ...authenticationRules,
  ...bodyRules,
  ...idRules,
  ...failureRules,
  ...stateRules,
];

/** The id of a rule that demands something. */
export type DemandId = (typeof demands)[number]['id'];

/** The id of a rule. */
export type RuleId = DemandId | (typeof unspecifiedRules)[number]['id'];

/**
 * Every rule that is checked, in the order of the report: what the interface demands, by topic, and then what it
 * leaves open.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { rules } from 'plant-store-contract/conformance';
 *
 * const rule = rules.find(({ id }) => id === 'success/plant-fields-only');
 * assert.equal(rule?.level, 'documented');
 */
export const rules: readonly (Rule & { readonly id: RuleId })[] = [...demands, ...unspecifiedRules];
