import { ToolkitError } from '../../toolkit-error.js';
import { JsonSpans } from '../../validation/json-spans.js';
import { objectOf, pointerTo } from '../../validation/json-value.js';
import { BROKER_TIMEOUT_MS } from '../broker/options.js';
import { type FetchedPact, fetchPacts } from '../broker/pacts.js';
import { missingInWords, missingPlugins } from '../installed-pact.js';
import { unusableGenerator, unusableRules } from '../matching/unusable.js';
import { type Pact, type PactInteraction, readPact } from '../pact-file.js';
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
        return unlessPluginsMiss(source, pact);
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
    return unlessPluginsMiss(source, pact);
  } catch (cause) {
    if (!(cause instanceof ToolkitError)) throw cause;
    return { source, consumer, problem: cause.message };
  }
}

function unlessPluginsMiss(source: FetchedPact, pact: Pact): ReadPact {
  const { consumer } = pact;
  const [plugin] = missingPlugins(pact.plugins);
  return plugin === undefined
    ? { source, consumer, pact }
    : { source, consumer, problem: missingInWords(plugin) };
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

interface LoadablePart {
  /** The pact without the interactions that Pact cannot load, byte by byte. */
  readonly text: string;
  readonly interactions: readonly PactInteraction[];
  /** Why Pact cannot load the others, by their indices. */
  readonly unloadable: ReadonlyMap<number, string>;
}

/**
 * Takes out the interactions that are not HTTP, and those with matching rules or generators that Pact cannot use. With them,
 * it would load nothing of the pact, fill the memory, or blame the provider for what no response can satisfy.
 */
export function loadablePartOf(pact: Pact, text: string): LoadablePart {
  const { interactions, plugins } = pact;
  const unloadable = new Map<number, string>();
  for (const interaction of interactions) {
    const why = whyUnloadable(interaction, plugins.length > 0);
    if (why !== undefined) unloadable.set(interaction.index, why);
  }
  if (unloadable.size + pact.otherTypes.length === 0) return { text, interactions, unloadable };
  const spans = new JsonSpans(text);
  const loadable = interactions.filter(({ index }) => !unloadable.has(index));
  const elements = spans.elementsAt(['interactions']);
  const kept = loadable.map(({ index }) => elements[index]);
  return {
    text: spans.replacedAt(['interactions'], `[${kept.join(',')}]`) ?? text,
    interactions: loadable,
    unloadable,
  };
}

function whyUnloadable(interaction: PactInteraction, hasPlugins: boolean): string | undefined {
  const { raw, index } = interaction;
  const generator = unusableGenerator(interaction);
  if (generator !== undefined) {
    const pointer = pointerTo(['interactions', index, 'request', generator.part, ...generator.path]);
    return `Pact cannot use its generators: ${generator.message}, at ${pointer}`;
  }
  for (const side of ['request', 'response'] as const) {
    const rule = unusableRules(objectOf(raw[side]).matchingRules, hasPlugins).find(
      // A verification sends the request as it is.
      ({ breaks }) => breaks === 'pact' || side === 'response',
    );
    if (rule === undefined) continue;
    const pointer = pointerTo(['interactions', index, side, 'matchingRules', ...rule.path]);
    return `Pact cannot use its matching rules: ${rule.message}, at ${pointer}`;
  }
  return undefined;
}
