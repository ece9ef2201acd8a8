import type { Expectation } from './exchange.js';
import type { CheckOptions } from './options.js';
import { settingsWithoutToken } from './options.js';
import { PHASES, type Probe } from './probe.js';
import { curlLines } from './reporting/curl.js';
import { type SelectionOptions, select } from './selection.js';
import { beyondRequests } from './sending/beyond-requests.js';
import { freshMaterial } from './sending/material.js';

/** What a check will do to a provider. */
export interface Plan {
  /** How many requests are sent. One that is to create a plant and is refused is sent once more. */
  readonly requests: number;
  /** How many of them a provider that conforms accepts in any case: each creates a plant. */
  readonly plants: number;
  /** How many more a provider may accept. Bad requests that it accepts come on top. */
  readonly more: number;
}

/** A request that a check would send. */
export interface PlannedRequest {
  /** The name of its probe, and what that sends, as a noun. */
  readonly probe: string;
  readonly title: string;
  readonly expectation: Expectation;
  /** Lines for a shell that send the requests of the probe; with new ids at each run. */
  readonly curl: readonly string[];
}

/** Stands where the token would; nobody's. */
const NO_TOKEN = 'the-token-of-nobody';

/**
 * Says how much {@link checkConformance} will send, without sending it. There is no way to delete a plant, so who
 * checks a provider with lasting data wants to know.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { planCheck } from 'plant-store-contract/conformance';
 *
 * const { requests, plants, more } = planCheck();
 * assert.ok(plants > 0 && plants + more < requests);
 */
export function planCheck(selection: SelectionOptions = {}): Plan {
  return planOf(select(selection).probes);
}

/** The same of probes that are chosen already. */
export function planOf(probes: readonly Probe[]): Plan {
  const material = freshMaterial(NO_TOKEN);
  const requests = probes.flatMap((probe) =>
    probe.requests(material).map((request) => ({ expectation: probe.expectation, ...request })),
  );
  const count = (wanted: Expectation): number =>
    requests.filter(({ expectation, elsewhere }) => expectation === wanted && elsewhere === undefined).length;
  return { requests: requests.length, plants: count('created'), more: count('open') };
}

/**
 * Every request that {@link checkConformance} would send, in its order, without sending any.
 *
 * @throws ToolkitError `invalid-option`, naming the option
 * @example
 * import assert from 'node:assert/strict';
 * import { dryRun } from 'plant-store-contract/conformance';
 *
 * const [first] = dryRun({ baseUrl: 'http://localhost:3000', only: ['auth'] });
 * assert.equal(first?.title, 'a plain plant without a tag');
 * assert.match(first?.curl.join() ?? '', /-X POST 'http:\/\/localhost:3000\/plants'/);
 */
export function dryRun(options: Omit<CheckOptions, 'token'>): PlannedRequest[] {
  const settings = settingsWithoutToken(options);
  const material = freshMaterial(NO_TOKEN);
  const { probes } = select(options);
  const leftOut = beyondRequests(probes, settings.fetch);
  return PHASES.flatMap((phase) =>
    probes
      .filter((probe) => probe.phase === phase && !leftOut.has(probe))
      .map((probe) => ({
        probe: probe.name,
        title: probe.title,
        expectation: probe.expectation,
        curl: curlLines(probe.requests(material), { ...settings, token: NO_TOKEN }, probe),
      })),
  );
}
