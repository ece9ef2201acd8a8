import { type Probe, probeOf } from '../row.js';
import { type Demand, merged, observationsOf, type Rule, rowsOf, type Topic } from '../rule.js';
import { failureTopic } from './failure.js';
import { headers } from './headers.js';
import { ids } from './ids.js';
import { jsonTexts } from './json-texts.js';
import { keys } from './keys.js';
import { rejections } from './rejections.js';
import { sequences } from './sequences.js';
import { strings } from './strings.js';
import { success } from './success.js';
import { tokens } from './tokens.js';
import { transport } from './transport.js';
import { types } from './types.js';

const ofRequests = [success, tokens, jsonTexts, types, keys, headers, ids, strings, rejections, transport];

/** Every topic, in the order of the report, which is also that of sending within a phase. */
export const topics: readonly Topic[] = [...ofRequests, failureTopic(rulesOf(ofRequests)), sequences];

/** Every core probe. They are sent phase by phase. The probes of one phase start in this order. */
export const probes: readonly Probe[] = merged(topics.flatMap(rowsOf)).map(probeOf);

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
export const rules: readonly Rule[] = [...rulesOf(topics), ...topics.flatMap(observationsOf)];

/**
 * The version of the rules: `docs/versioning.md` says what it promises. It is also in every report of a check.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { rulesVersion } from 'plant-store-contract/conformance';
 *
 * assert.match(rulesVersion, /^1\.\d+\.\d+$/);
 */
export const rulesVersion = '1.0.0';

function rulesOf(some: readonly Topic[]): readonly Demand[] {
  return some.flatMap(({ rules: own = [] }) => own);
}
