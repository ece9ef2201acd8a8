import { definedOnly } from '../../defined-only.js';
import { toolVersion } from '../../report/version.js';
import { reasonOf } from '../../toolkit-error.js';
import type { FetchedPact } from './fetched-pact.js';
import { addressOf, getHal } from './hal.js';
import type { Publication } from './options.js';

/** The verdict on one interaction, as a broker takes it. */
export interface PublishedInteraction {
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
