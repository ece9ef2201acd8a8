import { headingOf } from '../report/exchange-text.js';
import type { Expectation } from './exchange.js';
import { type ActiveExpectations, activeExpectations } from './expected-failures.js';
import { type CheckOptions, type CheckSettings, checkSettings, type ExpectedFailure } from './options.js';
import { reproduceLine } from './reproduce.js';
import { PHASES, type Probe, requestsOf } from './row.js';
import type { AnyRule } from './rule.js';
import { everything, type SelectionOptions, select, selectRow } from './selection.js';
import type { ServedHandler } from './send/handler.js';
import { hasWrongTokens, inParts } from './send/order.js';
import { freshValues } from './template.js';

/** How much a check will send. */
export interface Plan {
  /** The number of requests, without those that are sent again, and without the parts of bundles that are not accepted. */
  readonly requests: number;
  /**
   * How many requests are sent again at most: valid creations that were rejected, requests that the provider had no time
   * for, and failures, to see whether they repeat.
   */
  readonly again: number;
  /** How many plants a conforming provider creates at least. */
  readonly plants: number;
  /** How many more plants a conforming provider may create. Accepted invalid requests add to that. */
  readonly more: number;
}

/** Everything that a check needs, except the token, which may come from an asynchronous function. */
export interface PreparedCheck {
  readonly settings: Omit<CheckSettings, 'tokens'>;
  /** The rules to judge. */
  readonly rules: readonly AnyRule[];
  /** The probes to send. */
  readonly probes: readonly Probe[];
  readonly expectations: ActiveExpectations;
  /** The same for another list: what fails may be added to it. */
  readonly expectationsIn: (list: readonly ExpectedFailure[]) => ActiveExpectations;
  /** How much will be sent. */
  readonly plan: Plan;
  /** The only row that is judged, if there is one. */
  readonly row: Probe | undefined;
  /** The provider, if it is a function. Requests go where it is served. */
  readonly served?: ServedHandler;
}

/**
 * Turns options into a check that is ready to run. `checkConformance`, `dryRun`, the command line, and the suite all
 * use it. It sends nothing.
 *
 * @throws ToolkitError `invalid-option`, with a sentence that names the option
 */
export function prepareCheck(options: Omit<CheckOptions, 'token'>): PreparedCheck {
  const { row } = options;
  const all = everything(options.houseRules);
  const settings = checkSettings(options);
  const expectationsIn = (list: readonly ExpectedFailure[]): ActiveExpectations =>
    activeExpectations(list, all.rules);
  const { expectedFailures = [] } = options;
  const expectations = expectationsIn(expectedFailures);
  const selected = row === undefined ? select(all, options) : selectRow(all, row);
  const { rules, probes } = selected;
  return {
    settings,
    rules: options.strict === true ? rules.map(strictly) : rules,
    probes,
    expectations,
    expectationsIn,
    plan: planOf(probes),
    row: selected.row,
  };
}

/** A rule that is an error if it is broken. */
function strictly(rule: AnyRule): AnyRule {
  return rule.level === 'unspecified' ? rule : { ...rule, severity: 'error' };
}

/** How many requests may always be sent again, even if a check sends only a few. */
const LEAST_AGAIN = 20;

/** Takes the place of a token in requests that are only counted or printed. */
const NO_TOKEN = 'the-token-of-nobody';

/** Counts the requests of probes, and the plants that they create. */
function planOf(probes: readonly Probe[]): Plan {
  const requests = probes.flatMap((probe) =>
    probe.requests.map(({ expectation = probe.expectation, otherOperation }) =>
      otherOperation === undefined ? expectation : undefined,
    ),
  );
  const count = (wanted: Expectation): number => requests.filter((one) => one === wanted).length;
  // Plain plants show which connections the provider serves, and whether wrong tokens prove anything.
  const looks = 1 + inParts(probes, [], false).filter(hasWrongTokens).length;
  return {
    requests: requests.length + looks,
    again: Math.max(LEAST_AGAIN, Math.floor(requests.length / 2)),
    plants: count('created') + looks,
    more: count('open'),
  };
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
export function planCheck({ houseRules, ...options }: SelectionOptions = {}): Plan {
  return planOf(select(everything(houseRules), options).probes);
}

/**
 * Every row that {@link checkConformance} would send, in order, each with a command for a shell. It sends nothing.
 *
 * @throws ToolkitError `invalid-option`, naming the option
 */
export function dryRun(options: Omit<CheckOptions, 'token'>): string {
  const { settings, probes } = prepareCheck(options);
  const values = freshValues(NO_TOKEN);
  const target = { ...settings, tokens: [NO_TOKEN] };
  return probes
    .toSorted((a, b) => PHASES.indexOf(a.phase) - PHASES.indexOf(b.phase))
    .map((probe) => `${headingOf(probe)}\n${reproduceLine(probe, requestsOf(probe, values), target)}\n\n`)
    .join('');
}
