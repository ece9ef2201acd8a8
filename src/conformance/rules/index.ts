import type { Demand, Observation } from '../rule.js';
import { failureRules } from '../topics/failure/rules.js';
import { idRules } from '../topics/ids/rules.js';
import { unknownMemberRules } from '../topics/keys/rules.js';
import { successRules } from '../topics/success/rules.js';
import { tokenRules } from '../topics/tokens/rules.js';
import { bodyRules } from './body.js';
import { headerFieldRules } from './header-fields.js';
import { stateRules } from './state.js';
import { transferRules } from './transfer.js';
import { unspecifiedRules } from './unspecified.js';

const demands = [
  ...successRules,
  ...tokenRules,
  ...bodyRules,
  ...unknownMemberRules,
  ...headerFieldRules,
  ...idRules,
  ...transferRules,
  ...failureRules,
  ...stateRules,
];

/** The id of a rule that demands something. */
export type DemandId = (typeof demands)[number]['id'];

/** The id of a rule of the level `unspecified`. */
export type ObservationId = (typeof unspecifiedRules)[number]['id'];

/** The id of a rule. */
export type RuleId = DemandId | ObservationId;

/**
 * Every rule, in the order of the report: first what the interface demands, by topic, and then what it leaves open.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { rules } from 'plant-store-contract/conformance';
 *
 * const rule = rules.find(({ id }) => id === 'success/plant-fields-only');
 * assert.equal(rule?.level, 'documented');
 */
export const rules: readonly (Demand<DemandId> | Observation<ObservationId>)[] = [
  ...demands,
  ...unspecifiedRules,
];
