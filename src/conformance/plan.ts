import { probes } from './probes/index.js';
import { freshMaterial } from './run.js';

/** What a check will do to a provider. */
export interface Plan {
  /** How many requests are sent. A control that is refused is sent once more. */
  readonly requests: number;
  /** How many of them are valid and create a plant. Bad requests create more where they are accepted. */
  readonly plants: number;
}

/**
 * Says what {@link checkConformance} will send, without sending it. There is no way to delete a plant, so who
 * checks a provider with lasting data wants to know.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { planCheck } from 'plant-store-contract/conformance';
 *
 * const { requests, plants } = planCheck();
 * assert.ok(plants > 0 && plants < requests);
 */
export function planCheck(): Plan {
  const material = freshMaterial('token');
  const counts = probes.map((probe) => ({ kind: probe.kind, count: probe.requests(material).length }));
  return {
    requests: counts.reduce((sum, { count }) => sum + count, 0),
    plants: counts.reduce((sum, { kind, count }) => sum + (kind === 'invalid' ? 0 : count), 0),
  };
}
