import type { Exchange, Expectation, Judgement, ProviderResponse } from '../exchange.js';
import type { HouseId, Probe } from '../probe.js';
import type { Context, Demand, RuleBase } from '../rule.js';

/** An exchange with a response. */
export type AnsweredExchange = Exchange & { readonly response: ProviderResponse };

/**
 * A rule of your own: what you demand of a provider beyond the interface. It has what a rule of the interface has, see
 * {@link Demand}, except for its level and its source. Its level is `house`.
 */
export interface HouseRule<Id extends HouseId = HouseId>
  extends Pick<RuleBase<Id>, 'id' | 'title'>,
    Partial<Pick<RuleBase<Id>, 'why' | 'judges' | 'sends' | 'dependsOn'>>,
    Partial<Pick<Demand, 'usualCause' | 'fix' | 'control' | 'nothingToJudge'>> {
  /**
   * Probes of its own, which are sent for it. Unless `judges` says otherwise, it judges these, and without any, the
   * exchanges of every probe.
   */
  readonly probes?: readonly HouseProbe[];
  /**
   * Judges one exchange of the operation. It is called for every response but those that say that there were too many
   * requests, and it may be called again. It must not wait: it returns no promise. If it throws, or takes too long, the
   * verdict is `error`.
   */
  judge(exchange: AnsweredExchange, context: Context): Judgement;
}

/** A probe of house rules. It has what a probe of the interface has, see {@link Probe}. */
export interface HouseProbe<Name extends HouseId = HouseId>
  extends Pick<
    Probe<Name>,
    'name' | 'title' | 'control' | 'together' | 'alone' | 'oneConnection' | 'requests'
  > {
  /** Default `open`: any response is right, as far as the interface says. */
  readonly expectation?: Expectation;
  /**
   * Probes of house rules are sent after those of the interface. One with a wrong token is of the phase `wrong-token`,
   * which comes last. Default `house`.
   */
  readonly phase?: 'house' | 'wrong-token';
}

/**
 * Checks the type of a house rule and keeps its id as a type. A module with house rules has a list of them as its default
 * export. `check --rules` and the option `houseRules` take them.
 *
 * @returns the same rule
 * @example
 * import assert from 'node:assert/strict';
 * import { checkConformance, creationWith, defineHouseRule, headerValues } from 'plant-store-contract/conformance';
 * import { startPlantStore } from 'plant-store-contract/server';
 *
 * // Judges every response of the check.
 * const date = defineHouseRule({
 *   id: 'house/date',
 *   title: 'Every response has the header Date.',
 *   judge({ response }) {
 *     if (headerValues(response.headers, 'date').length === 1) return undefined;
 *     return { expected: 'the header Date', actual: 'no such header' };
 *   },
 * });
 * // Sends a request of its own, and judges its response.
 * const strict = defineHouseRule({
 *   id: 'house/unknown-members-are-rejected',
 *   title: 'A plant with an unknown member is rejected.',
 *   probes: [
 *     {
 *       name: 'house/colour',
 *       title: 'a plant with the member "colour"',
 *       requests: (values) => [creationWith(values, { colour: '"green"' })],
 *     },
 *   ],
 *   judge({ response }) {
 *     if (response.status === 400) return undefined;
 *     return { expected: '400', actual: String(response.status) };
 *   },
 * });
 *
 * await using store = await startPlantStore({ token: 'secret' });
 * const report = await checkConformance({
 *   baseUrl: store.url,
 *   token: 'secret',
 *   only: ['success', 'house'],
 *   houseRules: [date, strict],
 * });
 * assert.equal(report.conclusion, 'breaks-house-rules');
 * assert.deepEqual(report.houseRules?.map(({ id, verdict }) => [id, verdict]), [
 *   ['house/date', 'pass'],
 *   ['house/unknown-members-are-rejected', 'fail'],
 * ]);
 */
export function defineHouseRule<const Id extends HouseId>(rule: HouseRule<Id>): HouseRule<Id> {
  return rule;
}
