import { HOUSE_LEVEL } from '../../report/conclusion.js';
import type { DemandedRule, Profile } from '../../report/profile.js';
import type { JudgedRule } from '../judging/judge.js';

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
