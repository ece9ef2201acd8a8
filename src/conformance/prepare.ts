import { curlLines } from './curl.js';
import { planOfDiscovery } from './discovery/limit.js';
import type { Expectation } from './exchange.js';
import { type ActiveExpectations, activeExpectations } from './expected-failures.js';
import { type CheckOptions, type CheckSettings, checkSettings } from './options.js';
import { PHASES, type Probe } from './probe.js';
import type { Rule } from './rule.js';
import { type SelectionOptions, select } from './selection.js';
import { unsendableProbes } from './sending/fetch-handler.js';
import { freshValues } from './sending/fresh-values.js';

/** How much a check will send. */
export interface Plan {
  /** The number of requests. A valid creation that is rejected is sent once more. */
  readonly requests: number;
  /** How many plants a conforming provider creates at least. */
  readonly plants: number;
  /** How many more plants a conforming provider may create. Accepted invalid requests add to that. */
  readonly more: number;
}

/** A request that a check would send. */
export interface PlannedRequest extends Pick<Probe, 'title' | 'expectation'> {
  /** The name of its probe. */
  readonly probe: string;
  /** Lines for a POSIX shell that send the requests of the probe, with new ids each time. */
  readonly curl: readonly string[];
}

/** Everything that a check needs, except the token, which may come from an asynchronous function. */
export interface PreparedCheck {
  readonly settings: Omit<CheckSettings, 'token'>;
  /** The rules to judge. */
  readonly rules: readonly Rule[];
  /** The probes to send. */
  readonly probes: readonly Probe[];
  /** The probes that cannot be sent to this kind of provider, each with the reason. */
  readonly leftOut: ReadonlyMap<Probe, string>;
  readonly expectations: ActiveExpectations;
  /** How much will be sent. */
  readonly plan: Plan;
}

/**
 * Turns options into a check that is ready to run. `checkConformance`, `dryRun`, the command line, and the suite all
 * use it. It sends nothing.
 *
 * @throws ToolkitError `invalid-option`, with a sentence that names the option
 */
export function prepareCheck(options: Omit<CheckOptions, 'token'>): PreparedCheck {
  const { rules, probes: chosen } = select(options);
  const expectations = activeExpectations(options.expectedFailures ?? []);
  const settings = checkSettings(options);
  const leftOut = unsendableProbes(chosen, settings.fetch);
  const probes = chosen.filter((probe) => !leftOut.has(probe));
  return {
    settings,
    rules,
    probes,
    leftOut,
    expectations,
    plan: settings.discover ? withDiscovery(planOf(probes)) : planOf(probes),
  };
}

/** Takes the place of a token in requests that are only counted or printed. */
const NO_TOKEN = 'the-token-of-nobody';

/** Counts the requests of probes, and the plants that they create. */
function planOf(probes: readonly Probe[]): Plan {
  const values = freshValues(NO_TOKEN);
  const requests = probes.flatMap((probe) =>
    probe.requests(values).map((request) => ({ expectation: probe.expectation, ...request })),
  );
  const count = (wanted: Expectation): number =>
    requests.filter(({ expectation, elsewhere }) => expectation === wanted && elsewhere === undefined).length;
  return { requests: requests.length, plants: count('created'), more: count('open') };
}

/** The search for limits sends more requests to a provider that has many. */
function withDiscovery({ requests, plants, more }: Plan): Plan {
  const { requests: asked, plants: created } = planOfDiscovery;
  return { requests: requests + asked, plants, more: more + created };
}

/**
 * Says how many requests {@link checkConformance} will send, and how many plants they create. It sends nothing. The
 * interface has no way to delete a plant, so this matters for a provider with lasting data.
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

/**
 * Lists every request that {@link checkConformance} would send, in order. It sends nothing.
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
  const { settings, probes } = prepareCheck(options);
  const values = freshValues(NO_TOKEN);
  return PHASES.flatMap((phase) =>
    probes
      .filter((probe) => probe.phase === phase)
      .map((probe) => ({
        probe: probe.name,
        title: probe.title,
        expectation: probe.expectation,
        curl: curlLines(probe.requests(values), { ...settings, token: NO_TOKEN }, probe),
      })),
  );
}
