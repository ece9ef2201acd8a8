import { definedOnly } from '../../defined-only.js';
import { excerpt } from '../../report/exchange.js';
import type { Redactor } from '../../report/redaction.js';
import { toolVersion } from '../../report/version.js';
import { reasonOf } from '../../toolkit-error.js';
import type { JudgedInteraction, JudgedPact } from '../verification/judge.js';
import type { BrokerOptions, PactServers } from './broker.js';

/** What became of the verdict on a pact. */
export interface PublicationOutcome {
  /** `withheld`: there is no verdict, or no broker gave the pact. `failed`: the broker did not take it. */
  readonly state: 'published' | 'withheld' | 'failed';
  /** Why it was not published. */
  readonly why?: string;
}

/** A longer text of a difference is cut: the provider may have written it. */
const LONGEST_TEXT = 1_000;

/**
 * Publishes the verdict on each pact, interaction by interaction. What could not be tested is not published: it is not
 * the provider's fault.
 */
export async function publishVerdicts(
  judged: readonly JudgedPact[],
  { version, buildUrl }: NonNullable<BrokerOptions['publish']>,
  servers: PactServers,
  redactor: Redactor,
): Promise<PublicationOutcome[]> {
  const outcomes: PublicationOutcome[] = [];
  for (const { source, interactions, errors } of judged) {
    const failed = interactions.some(({ verdict }) => verdict === 'fail');
    const isBlocked = interactions.some(({ verdict }) => verdict === 'blocked');
    if (source.links === undefined) outcomes.push({ state: 'withheld', why: 'no broker gave the pact' });
    else if (!failed && (isBlocked || errors.length > 0))
      outcomes.push({ state: 'withheld', why: 'the pact could not be verified completely' });
    else {
      const verdicts = interactions.filter(({ verdict }) => verdict !== 'blocked');
      const result = definedOnly({
        providerApplicationVersion: version,
        success: !failed,
        buildUrl,
        testResults: verdicts.filter(({ brokerId }) => brokerId).map((one) => testResultOf(one, redactor)),
        verifiedBy: { implementation: 'plant-store-contract', version: toolVersion },
      });
      outcomes.push(
        await servers.publish(source.links, version, result).then(
          () => ({ state: 'published' as const }),
          (cause) => ({ state: 'failed' as const, why: reasonOf(cause) }),
        ),
      );
    }
  }
  return outcomes;
}

function testResultOf(
  { brokerId, verdict, mismatches, violations }: JudgedInteraction,
  redactor: Redactor,
): object {
  const shown = (text: string): string => excerpt(redactor.message(text), LONGEST_TEXT);
  const differences = [
    ...mismatches.map(({ part, path, message }) => ({
      attribute: part,
      identifier: path && shown(path),
      description: shown(message),
    })),
    ...violations.map(({ part, pointer, message }) => ({
      attribute: part,
      identifier: pointer === '' ? undefined : shown(pointer),
      description: shown(`the response does not conform to the interface: ${message}`),
    })),
  ];
  const success = verdict === 'pass' || verdict === 'warn';
  return {
    interactionId: brokerId,
    success,
    ...(differences.length > 0 && { mismatches: differences.map(definedOnly) }),
  };
}
