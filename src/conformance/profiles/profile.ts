import { HOUSE_LEVEL } from '../../report/conclusion.js';
import type { Verdict } from '../../report/frame.js';
import type { JudgedRule } from '../judging/judge.js';
import type { DiscoveredLimit } from '../limits/limit.js';
import type { Behaviour } from '../rule.js';

/** What a check said about a rule that the interface demands. */
export interface DemandedRule {
  /** Its id. */
  readonly rule: string;
  readonly verdict: Exclude<Verdict, 'observed'>;
  /** Why there is no judgement. */
  readonly reason?: string;
  /** Whether failures were gone when they were sent again, and none was seen twice. */
  readonly intermittent?: true;
}

/**
 * What a check learned about a provider: whether it satisfies what the interface demands, and what it does where the
 * interface is silent. It has no token, no id and no time, so that two profiles can be compared.
 */
export interface Profile {
  /** The version of this form. */
  readonly profileVersion: 1;
  readonly interfaceVersion: string;
  /** One entry for each rule of the levels `documented` and `implied`. */
  readonly demands: readonly DemandedRule[];
  /** One entry for each rule of the level `unspecified` that was observed. */
  readonly behaviours: readonly ({ readonly rule: string } & Behaviour)[];
  /** The limits that the interface does not show. Left out if nothing looked for them. */
  readonly limits?: readonly DiscoveredLimit[];
}

/**
 * The profile of a check.
 *
 * @param isIntermittent whether failures of a rule were gone when they were sent again, and none was seen twice
 */
export function profileOf(
  judged: readonly JudgedRule[],
  about: Pick<Profile, 'interfaceVersion' | 'limits'>,
  isIntermittent: (judged: JudgedRule) => boolean,
): Profile {
  const { interfaceVersion, limits } = about;
  return {
    profileVersion: 1,
    interfaceVersion,
    demands: judged.flatMap((one): DemandedRule[] => {
      const { rule, verdict, reason } = one;
      if (rule.level === 'unspecified' || rule.level === HOUSE_LEVEL || verdict === 'observed') return [];
      return [
        {
          rule: rule.id,
          verdict,
          ...(reason !== undefined && { reason }),
          ...(verdict === 'fail' && isIntermittent(one) && { intermittent: true as const }),
        },
      ];
    }),
    behaviours: judged.flatMap(({ rule, behaviour }) =>
      behaviour === undefined ? [] : [{ rule: rule.id, ...behaviour }],
    ),
    ...(limits !== undefined && { limits }),
  };
}
