import { excerpt } from '../../report/body.js';
import type { Publication } from '../broker/options.js';
import { type PublishedInteraction, Publisher } from '../broker/publish.js';
import type { JudgedInteraction, JudgedPact } from './judge.js';

/**
 * What became of the verdict on a pact.
 *
 * - `published`
 * - `withheld`: there is no verdict to publish, or no broker to publish it to
 * - `failed`: the broker did not take it
 */
export interface PublicationOutcome {
  readonly state: 'published' | 'withheld' | 'failed';
  /** Why it was not published. */
  readonly why?: string;
}

/** A longer text of a difference is cut: the provider may have written it. */
const LONGEST_TEXT = 1_000;

/** Whether a provider satisfies a pact; `undefined` if that could not be found out completely. */
export function successOf({ interactions, errors, problem }: JudgedPact): boolean | undefined {
  if (interactions.some(({ verdict }) => verdict === 'fail')) return false;
  const isComplete = problem === undefined && errors.length === 0 && interactions.length > 0;
  return isComplete && interactions.every(({ verdict }) => verdict === 'pass') ? true : undefined;
}

/**
 * Publishes the verdict on each pact, interaction by interaction. What could not be tested is not published: it is not
 * the provider's fault.
 *
 * @param redact takes secrets out of a text
 */
export async function publishVerdicts(
  judged: readonly JudgedPact[],
  publication: Publication,
  redact: (text: string) => string,
): Promise<PublicationOutcome[]> {
  const publisher = new Publisher(publication);
  const outcomes: PublicationOutcome[] = [];
  for (const pact of judged) outcomes.push(await outcomeOf(pact, publisher, redact));
  return outcomes;
}

async function outcomeOf(
  pact: JudgedPact,
  publisher: Publisher,
  redact: (text: string) => string,
): Promise<PublicationOutcome> {
  if (pact.source.broker === undefined) return { state: 'withheld', why: 'no broker gave the pact' };
  if (successOf(pact) === undefined)
    return { state: 'withheld', why: 'the pact could not be verified completely' };
  const verdicts = pact.interactions.filter(({ verdict }) => verdict !== 'blocked');
  const why = await publisher.publish(
    pact.source,
    verdicts.map((one) => published(one, redact)),
  );
  return why === undefined ? { state: 'published' } : { state: 'failed', why };
}

function published(
  { brokerId, verdict, mismatches, violations }: JudgedInteraction,
  redact: (text: string) => string,
): PublishedInteraction {
  const shown = (text: string): string => excerpt(redact(text), LONGEST_TEXT);
  return {
    id: brokerId,
    isSuccess: verdict === 'pass',
    differences: [
      ...mismatches.map(({ part, path, message }) => ({
        part,
        path: path && shown(path),
        message: shown(message),
      })),
      ...violations.map(({ part, pointer, message }) => ({
        part,
        path: pointer === '' ? undefined : shown(pointer),
        message: shown(`the response does not conform to the interface: ${message}`),
      })),
    ],
  };
}
