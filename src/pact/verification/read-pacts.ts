import { ToolkitError } from '../../toolkit-error.js';
import { JsonSpans } from '../../validation/json.js';
import { BROKER_TIMEOUT_MS } from '../broker/options.js';
import { type FetchedPact, fetchPacts } from '../broker/pacts.js';
import { type Pact, readPact } from '../pact-file.js';
import { type FoundPacts, isEmpty, type LeftOutPact, pactsFrom, selectPacts } from '../pact-sources.js';
import type { VerifySettings } from './options.js';
import { missingHandler } from './states.js';

/** A pact to verify, or why it cannot be verified. */
export interface ReadPact {
  readonly source: FetchedPact;
  readonly consumer: string;
  readonly pact?: Pact;
  readonly problem?: string;
}

interface ReadPacts {
  readonly pacts: readonly ReadPact[];
  readonly leftOut: readonly LeftOutPact[];
}

/**
 * Gets and reads the pacts of a verification.
 *
 * @throws ToolkitError as `verifyProvider` says, if no pact can be used, or a state has no handler
 */
export async function readPacts(settings: VerifySettings): Promise<ReadPacts> {
  const { broker, pacts, provider, signal } = settings;
  const access = { ...broker, timeoutMs: broker?.timeoutMs ?? BROKER_TIMEOUT_MS, signal };
  if (broker?.url === undefined) {
    const found = await pactsFrom(pacts, access);
    signal?.throwIfAborted();
    return readChosen(found, settings);
  }
  const sources = await fetchPacts({ ...broker, url: broker.url }, provider, access);
  return { pacts: sources.map((source) => readFetched(source, settings)), leftOut: [] };
}

function readChosen(found: FoundPacts, settings: VerifySettings): ReadPacts {
  const { pacts, leftOut, unread } = selectPacts(settings.provider, found);
  const unused = (where: string, consumer: string, problem: string): ReadPact => {
    return { source: { where, text: '' }, consumer, problem };
  };
  return {
    pacts: [
      ...pacts.map(({ source, pact }): ReadPact => {
        checkStates(pact, source.where, settings);
        return { source, consumer: pact.consumer, pact };
      }),
      ...leftOut
        .filter(isEmpty)
        .map(({ where, consumer }) => unused(where, consumer, 'the pact has no HTTP interaction')),
      ...unread.map(({ where, problem }) => unused(where, where, problem.message)),
    ],
    leftOut: leftOut.filter((one) => !isEmpty(one)),
  };
}

/** One bad pact of a broker does not stop the verification of the others: its consumer is another team. */
function readFetched(source: FetchedPact, { provider }: VerifySettings): ReadPact {
  const { text, where, consumer = where } = source;
  try {
    const pact = readPact(text, where);
    if (pact.provider !== provider)
      throw new ToolkitError(
        'wrong-provider',
        `${where} is a pact with "${pact.provider}", not with "${provider}". If that is right, name the provider.`,
      );
    if (pact.interactions.length === 0) throw new ToolkitError('no-pact', `${where} has no HTTP interaction`);
    return { source, consumer: pact.consumer, pact };
  } catch (cause) {
    if (!(cause instanceof ToolkitError)) throw cause;
    return { source, consumer, problem: cause.message };
  }
}

/** A pact of a broker is not checked for this: its other interactions can be verified. */
function checkStates({ interactions }: Pact, where: string, settings: VerifySettings): void {
  if (settings.stateRoute !== undefined) return;
  for (const { description, states } of interactions)
    for (const { name } of states)
      if (!Object.hasOwn(settings.states, name))
        throw new ToolkitError(
          'no-state-handler',
          `${missingHandler(name)}, which "${description}" in ${where} needs. Pass one in \`states\`, or pass a state URL.`,
        );
}

/** The part of a pact that Pact's HTTP verifier can use, as it is written: without the interactions that are not HTTP. */
export function loadablePartOf({ interactions, otherTypes }: Pact, text: string): string {
  if (otherTypes.length === 0) return text;
  const spans = new JsonSpans(text);
  const elements = spans.elementsAt(['interactions']);
  const kept = interactions.map(({ index }) => elements[index]);
  return spans.replacedAt(['interactions'], `[${kept.join(',')}]`) ?? text;
}
