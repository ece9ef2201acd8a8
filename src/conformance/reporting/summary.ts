import { counted } from '../../output/wording.js';
import { countVerdicts, HOUSE_LEVEL, isOutdated } from '../../report/conclusion.js';
import type { Case, Conclusion } from '../../report/frame.js';

/**
 * The conclusion of a check as a sentence.
 *
 * @param notTestable why nothing could be judged, if that is so
 * @param unsent how many requests were not sent, or whose responses were not waited for
 */
export function summaryOf(
  conclusion: Conclusion,
  cases: readonly Case[],
  notTestable: string | undefined,
  unsent: number,
): string {
  const isOfHouse = ({ level }: Case): boolean => level === HOUSE_LEVEL;
  const broken = cases.filter((one) => isOfHouse(one) && one.verdict === 'fail').map(({ id }) => id);
  const ofInterface = cases.filter((one) => !isOfHouse(one));
  const summary = aboutInterface(conclusion, ofInterface, notTestable, unsent);
  if (broken.length === 0 || conclusion === 'not-testable') return summary;
  return `${summary} It breaks ${counted(broken.length, 'house rule')}: ${broken.join(', ')}.`;
}

/** The sentence about the rules of the interface. House rules are apart from them. */
function aboutInterface(
  conclusion: Conclusion,
  cases: readonly Case[],
  notTestable: string | undefined,
  unsent: number,
): string {
  const { pass, fail, blocked, error } = countVerdicts(cases);
  const expected = cases.filter(({ verdict, excuse }) => verdict === 'fail' && excuse !== undefined).length;
  const asExpected =
    expected === 0 ? '' : ` ${counted(expected, 'rule')} ${expected === 1 ? 'fails' : 'fail'} as expected.`;
  switch (conclusion) {
    case 'not-testable':
      return `The provider could not be tested: ${notTestable}${notTestable?.endsWith('?') ? '' : '.'}`;
    case 'does-not-conform':
      return `The provider breaks ${fail - expected} of the ${pass + fail} rules that were judged.${asExpected}`;
    case 'outdated-expectations': {
      const passing = cases.filter(isOutdated).map(({ id }) => id);
      return `Expected failures now pass: ${passing.join(', ')}. Remove them from the list.`;
    }
    case 'incomplete':
      return blocked + error > 0
        ? `No rule failed, but ${counted(blocked + error, 'rule')} could not be judged.${asExpected}`
        : `No rule failed, but ${counted(unsent, 'request')} could not be sent, or got no response in time.${asExpected}`;
    case 'expected-failures':
      return `The provider satisfies ${counted(pass, 'rule')}.${asExpected}`;
    default:
      if (pass === 0) return 'No documented or implied rule was judged.';
      return pass === 1
        ? 'The provider satisfies the one rule that applies to it.'
        : `The provider satisfies all ${pass} rules that apply to it.`;
  }
}
