import { counted } from '../../output/wording.js';
import type { Case } from '../../report/frame.js';
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
