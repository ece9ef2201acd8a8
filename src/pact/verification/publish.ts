import { definedOnly } from '../../defined-only.js';
import { excerpt } from '../../report/exchange.js';
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
/** Differences of one interaction that are published. A broker shows them on one page. */
const MOST_DIFFERENCES = 20;

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
  const publisher = new Publisher(publication, redact);
  const outcomes: PublicationOutcome[] = [];
  for (const pact of judged) outcomes.push(await publisher.publish(pact));
  return outcomes;
}

/** Publishes verdicts. The branch of a provider's version is published once, before its first result. */
class Publisher {
  private readonly branches = new Map<string, Promise<void>>();

  constructor(
    private readonly publication: Publication,
    private readonly redact: (text: string) => string,
  ) {}

  async publish(pact: JudgedPact): Promise<PublicationOutcome> {
    const { broker } = pact.source;
    if (broker === undefined) return { state: 'withheld', why: 'no broker gave the pact' };
    if (successOf(pact) === undefined)
      return { state: 'withheld', why: 'the pact could not be verified completely' };
    try {
      const address = addressOf(broker.server, broker.document, 'pb:publish-verification-results');
      await this.publishBranch(broker);
      await broker.server.put('POST', address, JSON.stringify(this.resultOf(pact)));
      return { state: 'published' };
    } catch (cause) {
      return { state: 'failed', why: reasonOf(cause) };
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

  /** The body of a published result. */
  private resultOf({ interactions }: JudgedPact): object {
    const { version, buildUrl } = this.publication;
    const verdicts = interactions.filter(({ verdict }) => verdict !== 'blocked');
    return definedOnly({
      providerApplicationVersion: version,
      success: verdicts.every(({ verdict }) => verdict === 'pass'),
      buildUrl,
      testResults: verdicts
        .filter(({ brokerId }) => brokerId !== undefined)
        .map((one) => this.testResultOf(one)),
      verifiedBy: { implementation: 'plant-store-contract', version: toolVersion },
    });
  }

  private testResultOf({ brokerId, verdict, mismatches, violations }: JudgedInteraction): object {
    const shown = (text: string): string => excerpt(this.redact(text), LONGEST_TEXT);
    const differences = [
      ...mismatches.map(({ part, path, message }) => ({ part, path, message })),
      ...violations.map(({ part, pointer, message }) => ({
        part,
        path: pointer === '' ? undefined : pointer,
        message: `the response does not conform to the interface: ${message}`,
      })),
    ].slice(0, MOST_DIFFERENCES);
    // Without a response, nothing differs from the pact.
    const isException = ({ part }: { readonly part: string }): boolean => part === 'request';
    const exceptions = differences.filter(isException);
    const others = differences.filter((one) => !isException(one));
    return definedOnly({
      interactionId: brokerId,
      success: verdict === 'pass',
      mismatches: unlessEmpty(
        others.map(({ part, path, message }) =>
          definedOnly({ attribute: part, identifier: path && shown(path), description: shown(message) }),
        ),
      ),
      exceptions: unlessEmpty(exceptions.map(({ message }) => ({ message: shown(message) }))),
    });
  }
}

function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}
