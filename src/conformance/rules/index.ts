import type { Demand, Observation } from '../rule.js';
import { topics } from '../topics/index.js';
import { observationsOf } from '../topics/topic.js';

const demands = topics.flatMap(({ rules: own = [] }) => own);
const observations = topics.flatMap(observationsOf);

/** The id of a rule that demands something. */
export type DemandId = (typeof demands)[number]['id'];

/** The id of a rule of the level `unspecified`. */
export type ObservationId = (typeof observations)[number]['id'];

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
  ...observations,
];

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
