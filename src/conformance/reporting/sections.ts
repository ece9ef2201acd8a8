import { counted } from '../../output/wording.js';
import type { Section } from '../../report/frame.js';
import type { NotAsked, PrismDifference, PrismOpinion } from '../judging/prism-opinion.js';
import type { Discovery } from '../limits/discover.js';

/** The limits that were found. */
export function limitsSection(discovery: Discovery | undefined): Section[] {
  if (discovery === undefined) return [];
  const text = 'The interface does not show these. The profile has the requests on either side of each.';
  return [{ title: 'Limits', text, items: discovery.limits.map(({ sentence }) => sentence) }];
}

/** Prism's opinion, and where it and the rules differ. */
export function prismSection(opinion: PrismOpinion): Section {
  const { exchanges, requestErrors, responseErrors, differences, notAsked = [] } = opinion;
  const agreement = differences.length === 0 ? ' It and the rules agree.' : '';
  return {
    title: 'Prism',
    text: `Prism judged ${counted(exchanges, 'exchange')}. It objects to ${requestErrors} of the requests and ${responseErrors} of the responses.${agreement}`,
    items: [...differences.map(differenceInWords), ...notAsked.map(notAskedInWords)],
  };
}

function notAskedInWords({ why, exchanges }: NotAsked): string {
  return `Prism did not judge ${counted(exchanges.length, 'exchange')}: ${why}.`;
}

function differenceInWords({ objects, why, rules, exchanges: differing }: PrismDifference): string {
  const times = counted(differing.length, 'exchange');
  return objects === 'prism'
    ? `Only Prism objects to ${times}: ${why}`
    : `Prism accepts ${times} that ${differing.length === 1 ? 'breaks' : 'break'} ${rules.join(', ')}: ${why}`;
}
