import { ToolkitError } from '../../toolkit-error.js';
import { readJsonText } from '../../validation/json.js';
import { elementsAt, sliceAt } from '../../validation/json-slices.js';
import { isObject, readPact } from '../pact-file.js';

/** An interaction as it is written in a pact. */
interface WrittenInteraction {
  readonly description: string;
  readonly states: readonly string[];
  /** Its JSON, to the character: no number in it passes through a double. */
  readonly text: string;
}

/** Interactions of one pact, each once, and a pact to put them into. */
export interface Interactions {
  readonly frame: string;
  readonly byKey: ReadonlyMap<string, WrittenInteraction>;
}

/**
 * Puts parts of one pact together.
 *
 * @param where what the pact is called in an error
 * @throws ToolkitError `conflicting-interactions` where two have one description and the same states, and differ: Pact
 *   knows an interaction by these, and would keep the one that came last
 */
export function combined(where: string, parts: readonly string[]): Interactions {
  // Parts come in any order; nothing may depend on it.
  const sorted = [...parts].sort();
  const byKey = new Map<string, WrittenInteraction>();
  for (const interaction of sorted.flatMap(interactionsIn)) {
    const key = keyOf(interaction);
    const other = byKey.get(key);
    if (other !== undefined && other.text !== interaction.text) throw conflict(where, other, interaction);
    byKey.set(key, interaction);
  }
  return { frame: sorted[0] ?? '', byKey };
}

/**
 * Adds what a pact held before and was not made again.
 *
 * @throws ToolkitError `invalid-pact` where `before` is no pact of the same specification
 */
export function joinedWith(
  interactions: Interactions,
  before: string,
  where: string,
): { readonly all: Interactions; readonly kept: string[] } {
  const { specification } = readPact(before, where);
  if (specification === undefined || !specification.startsWith('4'))
    throw new ToolkitError(
      'invalid-pact',
      `${where} is a pact of specification ${specification ?? 'unknown'}, and nothing of version 4 can be added to it; delete it`,
    );
  const earlier = interactionsIn(before).filter((old) => !interactions.byKey.has(keyOf(old)));
  const byKey = new Map([...interactions.byKey, ...earlier.map((old) => [keyOf(old), old] as const)]);
  return { all: { ...interactions, byKey }, kept: earlier.map(({ description }) => description).sort() };
}

/** The text of a pact: the same interactions give the same text, in whichever order they were made. */
export function pactTextOf({ frame, byKey }: Interactions): string {
  const slice = sliceAt(frame, ['interactions']);
  if (slice === undefined) return frame;
  const sorted = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { text }]) => `    ${text}`);
  return `${frame.slice(0, slice.start)}[\n${sorted.join(',\n')}\n  ]${frame.slice(slice.end)}\n`;
}

function interactionsIn(pact: string): WrittenInteraction[] {
  return elementsAt(pact, ['interactions']).map((text) => {
    const read = readJsonText(text);
    const interaction = read.ok && isObject(read.value) ? read.value : {};
    const states = Array.isArray(interaction.providerStates) ? interaction.providerStates : [];
    return {
      description: String(interaction.description),
      states: states.filter(isObject).map(({ name }) => String(name)),
      text,
    };
  });
}

/** What tells an interaction from others; sorting by it sorts by description, then by states. */
function keyOf({ description, states }: WrittenInteraction): string {
  return [description, ...states].join('\0');
}

function conflict(where: string, one: WrittenInteraction, other: WrittenInteraction): ToolkitError {
  const lines = one.text.split('\n');
  const others = other.text.split('\n');
  const at = lines.findIndex((line, index) => line !== others[index]);
  const shown = (line = ''): string => line.trim().replace(/,$/, '') || 'nothing';
  const given =
    one.states.length === 0 ? '' : ` (given ${one.states.map((name) => `"${name}"`).join(' and ')})`;
  return new ToolkitError(
    'conflicting-interactions',
    `${where}: two interactions are called "${one.description}"${given} and differ: one has ${shown(lines[at])}, ` +
      `the other ${shown(others[at])}; give one of them another description`,
  );
}
