import { definedOnly } from '../../defined-only.js';
import { excerpt } from '../../report/body.js';
import { toolVersion } from '../../report/version.js';
import { reasonOf } from '../../toolkit-error.js';
import type { Publication } from '../broker/options.js';
import { addressOf, getHal } from '../broker/pact-server.js';
import type { FetchedPact } from '../broker/pacts.js';
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

/** The verdict on one interaction, as a broker takes it. */
interface PublishedInteraction {
  /** What the broker calls it. */
  readonly id: string | undefined;
  readonly isSuccess: boolean;
  readonly differences: readonly PublishedDifference[];
}

/** How a response differs from a pact or from the interface. */
interface PublishedDifference {
  /** `status`, `header`, `body`; `request` if there was no response. */
  readonly part: string;
  readonly path?: string | undefined;
  readonly message: string;
}

/** Differences of one interaction that are published. A broker shows them on one page. */
const MOST_DIFFERENCES = 20;

/**
 * Publishes verdicts. The branch of a provider's version is published once, before its first result.
 */
export class Publisher {
  private readonly branches = new Map<string, Promise<void>>();

  constructor(private readonly publication: Publication) {}

  /**
   * Publishes the verdict on one pact.
   *
   * @returns why this was not possible; `undefined` if it was
   */
  async publish(
    pact: FetchedPact,
    interactions: readonly PublishedInteraction[],
  ): Promise<string | undefined> {
    const { broker } = pact;
    if (broker === undefined) return 'no broker gave it';
    const { server, document } = broker;
    try {
      const address = addressOf(server, document, 'pb:publish-verification-results');
      await this.publishBranch(broker);
      await server.put('POST', address, JSON.stringify(resultOf(interactions, this.publication)));
      return undefined;
    } catch (cause) {
      return reasonOf(cause);
    }
  }

  private async publishBranch({ server, document }: NonNullable<FetchedPact['broker']>): Promise<void> {
    const { version, branch } = this.publication;
    if (branch === undefined) return;
    const provider = addressOf(server, document, 'pb:provider');
    const publish = async (): Promise<void> => {
      const pacticipant = await getHal(server, provider);
      const address = addressOf(server, pacticipant, 'pb:branch-version', { branch, version });
      await server.put('PUT', address, '{}');
    };
    const known = this.branches.get(provider.href) ?? publish();
    this.branches.set(provider.href, known);
    await known;
  }
}

/** The body of a published result. */
function resultOf(interactions: readonly PublishedInteraction[], { version, buildUrl }: Publication): object {
  return definedOnly({
    providerApplicationVersion: version,
    success: interactions.every(({ isSuccess }) => isSuccess),
    buildUrl,
    testResults: interactions.filter(({ id }) => id !== undefined).map(testResultOf),
    verifiedBy: { implementation: 'plant-store-contract', version: toolVersion },
  });
}

function testResultOf({ id, isSuccess, differences }: PublishedInteraction): object {
  const some = differences.slice(0, MOST_DIFFERENCES);
  const mismatches = some.filter(({ part }) => part !== 'request');
  const exceptions = some.filter(({ part }) => part === 'request');
  return definedOnly({
    interactionId: id,
    success: isSuccess,
    mismatches:
      mismatches.length === 0
        ? undefined
        : mismatches.map(({ part, path, message }) =>
            definedOnly({ attribute: part, identifier: path, description: message }),
          ),
    exceptions: exceptions.length === 0 ? undefined : exceptions.map(({ message }) => ({ message })),
  });
}
