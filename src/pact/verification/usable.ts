import { JsonSpans } from '../../validation/json-spans.js';
import { objectOf, pointerTo } from '../../validation/json-value.js';
import { patternsIn, unusableGenerator, unusableRules } from '../matching/unusable.js';
import type { Pact, PactInteraction } from '../pact-file.js';
import type { Mismatch } from './native-result.js';

/** What Pact can verify of a pact. */
export interface UsablePart {
  /** The pact without the interactions that Pact cannot use, byte by byte. */
  readonly text: string;
  readonly interactions: readonly PactInteraction[];
  /** Why Pact cannot use the others, by their indices. */
  readonly unusable: ReadonlyMap<number, string>;
}

/**
 * Takes out the interactions that are not HTTP, and those with matching rules or generators that Pact cannot use. With them,
 * it would load nothing of the pact, fill the memory, or blame the provider for what no response can satisfy.
 */
export function usablePartOf(pact: Pact, text: string): UsablePart {
  const { interactions, plugins } = pact;
  const unusable = new Map<number, string>();
  for (const interaction of interactions) {
    const why = whyUnusable(interaction, plugins.length > 0);
    if (why !== undefined) unusable.set(interaction.index, why);
  }
  if (unusable.size + pact.otherTypes.length === 0) return { text, interactions, unusable };
  const spans = new JsonSpans(text);
  const usable = interactions.filter(({ index }) => !unusable.has(index));
  const elements = spans.elementsAt(['interactions']);
  const kept = usable.map(({ index }) => elements[index]);
  return {
    text: spans.replacedAt(['interactions'], `[${kept.join(',')}]`) ?? text,
    interactions: usable,
    unusable,
  };
}

function whyUnusable(interaction: PactInteraction, hasPlugins: boolean): string | undefined {
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

/** What Pact says of a pattern that is no regular expression, in place of a difference. */
export function brokenPatternIn(
  { raw }: PactInteraction,
  mismatches: readonly Mismatch[],
): string | undefined {
  const starts = patternsIn(objectOf(raw.response).matchingRules).map(
    ({ pattern }) => `'${pattern}' is not a valid regular expression`,
  );
  return mismatches
    .map(({ message }) => message)
    .find((message) => starts.some((start) => isBeginning(start, message)));
}

/** Whether a message begins with a text, as far as the message was kept: a long one ends with "…". */
function isBeginning(start: string, message: string): boolean {
  return message.startsWith(start) || (message.endsWith('…') && start.startsWith(message.slice(0, -1)));
}
