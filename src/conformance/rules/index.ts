import type { Demand, Observation } from '../rule.js';
import { failure } from '../topics/failure.js';
import { headers } from '../topics/headers.js';
import { idRules } from '../topics/ids/rules.js';
import { jsonTextRules } from '../topics/json-texts/rules.js';
import { keyRules } from '../topics/keys/rules.js';
import { sequences } from '../topics/sequences.js';
import { success } from '../topics/success.js';
import { tokens } from '../topics/tokens.js';
import { transport } from '../topics/transport.js';
import { typeRules } from '../topics/types/rules.js';
import { unspecifiedRules } from '../topics/unspecified/rules.js';

const demands = [
  ...(success.rules ?? []),
  ...(tokens.rules ?? []),
  ...jsonTextRules,
  ...typeRules,
  ...keyRules,
  ...(headers.rules ?? []),
  ...idRules,
  ...(transport.rules ?? []),
  ...(failure.rules ?? []),
  ...(sequences.rules ?? []),
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
