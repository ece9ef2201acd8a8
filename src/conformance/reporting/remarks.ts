import { counted, folded } from '../../output/wording.js';
import type { Case } from '../../report/frame.js';
import type { NotAsked, PrismDisagreement, PrismOpinion } from '../judging/prism-opinion.js';
import { type Sent, wasSent } from './created-plants.js';

/** Sentences about the run: how much was sent and created. */
export function remarksOf(
  exchanges: readonly Sent[],
  ids: readonly string[],
  uncertain: readonly string[],
  cases: readonly Case[],
): string[] {
  const sent = exchanges.filter(({ failure }) => failure === undefined || wasSent(failure)).length;
  const more =
    uncertain.length === 0 ? '' : ` ${counted(uncertain.length, 'more plant')} may have been created.`;
  const hasCommands = cases.some(({ evidence }) => evidence.some(({ reproduce }) => reproduce !== undefined));
  return [
    `The check sent ${counted(sent, 'request')} and created ${ids.length === 0 ? 'no plant.' : `${counted(ids.length, 'plant')}; the JSON report lists the ids.`}${more}`,
    ...(hasCommands ? ['The commands after "reproduce" read the token from PLANT_STORE_TOKEN.'] : []),
  ];
}

/** So many requests, or rules, are named. */
const MOST_NAMED = 3;

/**
 * Says whether Prism agrees with the rules, and otherwise where it does not.
 *
 * @param titleOf what was sent in the exchange with this index, as a noun
 */
export function remarkOnPrism(opinion: PrismOpinion, titleOf: (exchange: number) => string): string {
  const { responses, disagreements, notAsked = [] } = opinion;
  const onlyPrism = disagreements.filter(({ rules }) => rules.length === 0);
  const onlyRules = disagreements.filter(({ rules }) => rules.length > 0);
  const sentences =
    disagreements.length === 0
      ? [`Prism agrees with the rules on all ${counted(responses, 'response')}.`]
      : [
          `Prism disagrees with the rules on ${disagreements.length} of ${counted(responses, 'response')}.`,
          ...acceptedInWords(onlyRules),
          ...objectionsInWords(onlyPrism, titleOf),
        ];
  return [...sentences, ...notAsked.map(notAskedInWords)].join(' ');
}

function acceptedInWords(disagreements: readonly PrismDisagreement[]): string[] {
  if (disagreements.length === 0) return [];
  const rules = folded(
    disagreements.flatMap((one) => one.rules),
    MOST_NAMED,
  );
  return [
    `It accepts ${disagreements.length} that ${disagreements.length === 1 ? 'breaks' : 'break'} ${rules}.`,
  ];
}

function objectionsInWords(
  disagreements: readonly PrismDisagreement[],
  titleOf: (exchange: number) => string,
): string[] {
  if (disagreements.length === 0) return [];
  const titles = folded(
    disagreements.map(({ exchange }) => titleOf(exchange)),
    MOST_NAMED,
  );
  return [
    `It objects to ${disagreements.length} that ${disagreements.length === 1 ? 'breaks' : 'break'} none. Sent: ${titles}.`,
  ];
}

function notAskedInWords({ why, exchanges }: NotAsked): string {
  return `It did not judge ${counted(exchanges.length, 'response')}: ${why}.`;
}
