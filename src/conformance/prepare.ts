import { counted } from '../report/wording.js';
import { type Exchange, type Expectation, isUnsent } from './exchange.js';
import { type ActiveExpectations, activeExpectations } from './expected-failures.js';
import { LOCKED_OUT } from './judge/facts.js';
import { type CheckOptions, type CheckSettings, checkSettings, type ExpectedFailure } from './options.js';
import { freshValues, PHASES, type Probe } from './probe.js';
import { reproduceLine } from './reproduce.js';
import { requestsOf } from './row.js';
import type { AnyRule } from './rule.js';
import { everything, type SelectionOptions, select, selectRow, selectSaved } from './selection.js';
import { unsendableProbes } from './send/handler.js';

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

/** A request that a check would send. */
export interface PlannedRequest extends Pick<Probe, 'title' | 'expectation'> {
  /** The name of its probe. */
  readonly probe: string;
  /** A command for bash or zsh that sends it, with new ids each time. */
  readonly command: string;
}

/** Requests that a check has left out. */
export interface Omission {
  /** A clause without a full stop. */
  readonly why: string;
  /** The number of requests that are left out, and the number of requests of the whole check. */
  readonly requests: number;
  readonly of: number;
}

/** Everything that a check needs, except the token, which may come from an asynchronous function. */
export interface PreparedCheck {
  readonly settings: Omit<CheckSettings, 'tokens'>;
  /** The rules to judge. */
  readonly rules: readonly AnyRule[];
  /** The probes to send. */
  readonly probes: readonly Probe[];
  /** The probes that cannot be sent to this kind of provider, each with the reason. */
  readonly leftOut: ReadonlyMap<Probe, string>;
  readonly expectations: ActiveExpectations;
  /** The same for another list: what fails may be added to it. */
  readonly expectationsIn: (list: readonly ExpectedFailure[]) => ActiveExpectations;
  /** How much will be sent. */
  readonly plan: Plan;
  /** The only row that is judged, if there is one. */
  readonly row: Probe | undefined;
}

/**
 * Turns options into a check that is ready to run. `checkConformance`, `dryRun`, the command line, and the suite all
 * use it. It sends nothing.
 *
 * @param options those of a check, and the name of the only row that is sent
 * @throws ToolkitError `invalid-option`, with a sentence that names the option
 */
export function prepareCheck({
  row,
  ...options
}: Omit<CheckOptions, 'token'> & { readonly row?: string }): PreparedCheck {
  const all = everything(options.houseRules);
  const settings = checkSettings(options);
  const expectationsIn = (list: readonly ExpectedFailure[]): ActiveExpectations =>
    activeExpectations(list, all.rules);
  const expectations = expectationsIn(options.expectedFailures ?? []);
  const { replay } = options;
  const selected =
    row !== undefined
      ? selectRow(all, row)
      : replay !== undefined
        ? selectSaved(all, replay)
        : select(all, options);
  const leftOut = unsendableProbes(selected.probes, settings.fetch);
  const probes = selected.probes.filter((probe) => !leftOut.has(probe));
  return {
    settings,
    rules: options.strict === true ? selected.rules.map(strictly) : selected.rules,
    ...{ probes, leftOut, expectations, expectationsIn },
    plan: planOf(probes),
    row: probes.find(({ name }) => name === row),
  };
}

/** A rule that is an error if it is broken. */
function strictly(rule: AnyRule): AnyRule {
  return rule.level === 'unspecified' ? rule : { ...rule, severity: 'error' };
}

/**
 * What a check has left out, because there was no time for it or the client was locked out.
 *
 * @param run what it left out, and the rate that the provider allows, if it limits its rate
 * @param probes all that were to be sent
 */
export function omissionOf(
  run: {
    readonly exchanges: readonly Exchange[];
    readonly leftOut: ReadonlyMap<Probe, string>;
    readonly sender: {
      readonly whyUsedUp: string | undefined;
      readonly rate: { readonly learned: number | undefined };
    };
  },
  probes: readonly Probe[],
): Omission | undefined {
  if (run.leftOut.size === 0) return undefined;
  const names = new Set(run.exchanges.filter((one) => !isUnsent(one)).map(({ probe }) => probe));
  const isSent = (probe: Probe): boolean => names.has(probe.name) && !run.leftOut.has(probe);
  const unsent = probes.filter((probe) => ![probe, ...(probe.parts ?? [])].some(isSent));
  const total = (some: readonly Probe[]): number =>
    some.reduce((sum, { requests }) => sum + requests.length, 0);
  return { why: whyLeftOut(run), requests: total(unsent), of: total(probes) };
}

function whyLeftOut({ leftOut, sender }: Parameters<typeof omissionOf>[0]): string {
  if ([...leftOut.values()].includes(LOCKED_OUT)) return `${LOCKED_OUT}. Lift this for the check`;
  if (sender.whyUsedUp !== undefined) return sender.whyUsedUp;
  const { learned } = sender.rate;
  if (learned === undefined) return 'the provider is slow';
  return `the provider limits its rate, to about ${counted(Math.ceil(learned), 'request')} per second`;
}

/** So many requests may be sent again, even if a check sends only a few. */
const LEAST_AGAIN = 20;

/** Takes the place of a token in requests that are only counted or printed. */
const NO_TOKEN = 'the-token-of-nobody';

/** Counts the requests of probes, and the plants that they create. */
function planOf(probes: readonly Probe[]): Plan {
  const requests = probes.flatMap((probe) =>
    probe.requests.map(({ expectation = probe.expectation, otherOperation }) => ({
      expectation,
      isElsewhere: otherOperation !== undefined,
    })),
  );
  const count = (wanted: Expectation): number =>
    requests.filter(({ expectation, isElsewhere }) => expectation === wanted && !isElsewhere).length;
  return {
    requests: requests.length,
    again: Math.max(LEAST_AGAIN, Math.floor(requests.length / 2)),
    plants: count('created'),
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
 * Lists every request that {@link checkConformance} would send, in order. It sends nothing.
 *
 * @throws ToolkitError `invalid-option`, naming the option
 * @example
 * import assert from 'node:assert/strict';
 * import { dryRun } from 'plant-store-contract/conformance';
 *
 * const [first] = dryRun({ baseUrl: 'http://localhost:3000', only: ['auth'] });
 * assert.equal(first?.title, 'a plain plant without a tag');
 * assert.match(first?.command ?? '', /curl -i 'http:\/\/localhost:3000\/plants'/);
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
        command: reproduceLine(probe, requestsOf(probe, values), { ...settings, tokens: [NO_TOKEN] }),
      })),
  );
}
