import { definedOnly } from '../defined-only.js';
import { HOUSE_LEVEL } from '../report/conclusion.js';
import { invalidOption, reasonOf } from '../toolkit-error.js';
import {
  type Exchange,
  type Expectation,
  isDescribed,
  isUnprocessed,
  type Judgement,
  type ProviderResponse,
} from './exchange.js';
import { givenProbe } from './given-row.js';
import { type ControlName, type HouseId, isHouseProbe, type Probe, type Row } from './row.js';
import type { Context, HouseDemand } from './rule.js';

/** An exchange with a response. */
export type AnsweredExchange = Exchange & { readonly response: ProviderResponse };

/**
 * A rule of your own: what you demand of a provider beyond the interface. It has what a rule of the interface has, except
 * for its source. Its level is `house`. A module with house rules has a list of them as its default export: `check --rules` and the
 * option `houseRules` take them.
 *
 * @example
 * import type { HouseRule } from 'plant-store-contract/conformance';
 *
 * export const strict: HouseRule = {
 *   id: 'house/unknown-members-are-rejected',
 *   title: 'A plant with an unknown member is rejected.',
 *   rows: [
 *     {
 *       name: 'house/colour',
 *       title: 'a plant with the member "colour"',
 *       requests: [{ body: '{"name":"<NAME>","id":<ID>,"colour":"green"}' }],
 *     },
 *   ],
 *   judge({ response }) {
 *     if (response.status === 400) return undefined;
 *     return { expected: '400', actual: String(response.status) };
 *   },
 * };
 */
export interface HouseRule {
  readonly id: HouseId;
  /** The requirement as a sentence. */
  readonly title: string;
  /** How it is usually broken. A sentence. */
  readonly usualCause?: string | undefined;
  /** How to fix that. A sentence in the imperative. */
  readonly fix?: string | undefined;
  /** Why it is required. */
  readonly why?: string | undefined;
  /** What depends on the controls of its rows. */
  readonly control?: HouseDemand['control'] | undefined;
  /** What is sent for it. It judges these requests, and without any, every request of the check. */
  readonly rows?: readonly HouseRow[] | undefined;
  /**
   * Judges one exchange of the operation. It is called for every response but those that say that there were too many
   * requests, and it may be called again. It must not wait: it returns no promise. If it throws, the verdict is `error`.
   */
  judge(exchange: AnsweredExchange, context: Context): Judgement;
}

/** What is sent for house rules: plain data with placeholders, as for the rules of the interface. See {@link Row}. */
export interface HouseRow
  extends Pick<Row, 'title' | 'ids' | 'together' | 'alone' | 'oneConnection' | 'requests'> {
  readonly name: HouseId;
  /**
   * A plain plant that must be accepted, or this proves nothing. Default: none, or a plain plant if the `control` of its rule depends
   * on one.
   */
  readonly control?: ControlName | undefined;
  /** Default `open`: any response is right, as far as the interface says. */
  readonly expectation?: Expectation | undefined;
  /**
   * Rows of house rules are sent after those of the interface. One with a wrong token is of the phase `wrong-token`,
   * which comes last. Default `house`.
   */
  readonly phase?: 'house' | 'wrong-token' | undefined;
}

/** House rules with their defaults, and their probes. */
export interface HouseRules {
  readonly rules: readonly HouseDemand[];
  readonly probes: readonly Probe[];
}

/**
 * Fills in the defaults of house rules. Their types say what they are; what a module without types gets wrong becomes an
 * error of its rule.
 *
 * @param given the option `houseRules`
 * @throws ToolkitError `invalid-option` if they are no list, or a rule or a row has no name of its own
 */
export function readHouseRules(given: readonly HouseRule[] = []): HouseRules {
  if (!Array.isArray(given)) throw invalidOption('the house rules must be a list');
  const rules = given.map(demandOf);
  // Several rules may judge one row.
  const rows = new Set(given.flatMap((rule: HouseRule) => rule.rows ?? []));
  checkNames(rules.map(({ id }) => id));
  checkNames(Array.from(rows, ({ name }) => name));
  const idsOf = (row: HouseRow): readonly HouseId[] =>
    given.filter(({ rows: own }: HouseRule) => own?.includes(row)).map(({ id }: HouseRule) => id);
  const usual = { expectation: 'open', phase: 'house' } as const;
  const probes = Array.from(rows, (row) => {
    const ids = idsOf(row);
    // A rule that depends on a control has one, if its row names none: a plain plant.
    const hasControl = rules.some(({ id, control }) => ids.includes(id) && control !== 'none');
    return givenProbe({ ...usual, ...(!hasControl && { control: false }), ...definedOnly(row), rules: ids });
  });
  return { rules, probes };
}

/** Reports, `--only` and the lists of expected failures tell rules of the house from those of the interface by this. */
function checkNames(names: readonly unknown[]): void {
  for (const [at, name] of names.entries()) {
    if (typeof name !== 'string' || !/^house\/[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))
      throw invalidOption(
        `a house rule or its row has the name ${JSON.stringify(name)}: it must be "house/", then lower-case letters, digits and hyphens`,
      );
    if (names.indexOf(name) !== at)
      throw invalidOption(`two house rules or two of their rows have the name ${name}`);
  }
}

function demandOf(rule: HouseRule): HouseDemand {
  const { id, title, usualCause, fix, rows = [] } = rule;
  const { why = 'You demand it: the interface does not.', control = 'none' } = rule;
  return {
    id,
    title,
    why,
    control,
    rows,
    level: HOUSE_LEVEL,
    hurts: 'house',
    fact: `A house rule is broken: ${title}`,
    severity: 'error',
    ...definedOnly({ usualCause, fix }),
    nothingToJudge: 'no response had anything to judge',
    ...(rows.length === 0 && { judges: () => true }),
    judge: (exchange, context) => judged(rule, exchange, context),
  };
}

/** Judges with a house rule. It never throws: that a rule is wrong says nothing about the provider. */
function judged({ judge }: HouseRule, exchange: Exchange, context: Context): Judgement {
  // What the interface does not describe is judged only for the rules that send it.
  const isMeant = isHouseProbe(exchange.probe) || isDescribed(exchange);
  if (exchange.response === undefined || !isMeant) return 'nothing-to-judge';
  const { title } = context.probe;
  if (isUnprocessed(exchange))
    return { blocked: `${title} was not processed: the response is ${exchange.response.status}` };
  try {
    const judgement: unknown = judge(exchange as AnsweredExchange, context);
    if (isJudgement(judgement)) return judgement;
  } catch (cause) {
    return { error: `its judge threw at ${title}: ${reasonOf(cause)}` };
  }
  // Anything else, such as `true` or a promise, must not look like a pass.
  return {
    error: `its judge returned no judgement for ${title}; it must return undefined, "nothing-to-judge", or an object such as { expected, actual }`,
  };
}

function isJudgement(value: unknown): value is Judgement {
  if (value === undefined || value === 'nothing-to-judge') return true;
  const { expected, actual, notApplicable, blocked } = Object(value) as Readonly<Record<string, unknown>>;
  const texts = expected === undefined ? [notApplicable ?? blocked] : [expected, actual];
  return texts.every((text) => typeof text === 'string');
}
