import { ToolkitError } from '../../toolkit-error.js';
import { readJsonText } from '../../validation/json.js';
import { JsonSpans } from '../../validation/json-spans.js';
import { isObject, objectOf } from '../../validation/json-value.js';
import { readPact } from '../pact-file.js';

/** An interaction as it is written in a pact. */
interface WrittenInteraction {
  readonly description: string;
  readonly states: readonly string[];
  /** Its exact JSON: no number in it is converted to a double. */
  readonly text: string;
}

/** The interactions of one pact, each once, and the text of a pact to put them into. */
export interface Interactions {
  readonly frame: string;
  readonly byKey: ReadonlyMap<string, WrittenInteraction>;
}

/**
 * Merges parts of one pact.
 *
 * @param where names the pact in an error
 * @throws ToolkitError `conflicting-interactions` if two interactions have the same description and states, but differ.
 *   Pact identifies an interaction by these and would keep the last one.
 */
export function combined(where: string, parts: readonly string[]): Interactions {
  // Parts come in any order. The result must not depend on it.
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
 * Adds the interactions that a pact had before and that this run did not make.
 *
 * @throws ToolkitError `invalid-pact` if `before` is not a pact of version 4
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
      `${where} is a pact of specification ${specification ?? 'unknown'}; interactions of version 4 cannot be added to it. Delete it.`,
    );
  const earlier = interactionsIn(before).filter((old) => !interactions.byKey.has(keyOf(old)));
  const byKey = new Map([...interactions.byKey, ...earlier.map((old) => [keyOf(old), old] as const)]);
  return { all: { ...interactions, byKey }, kept: earlier.map(({ description }) => description).sort() };
}

/** The text of a pact. The same interactions give the same text, in whichever order the tests made them. */
export function pactTextOf({ frame, byKey }: Interactions): string {
  const sorted = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { text }]) => `    ${text}`);
  const text = new JsonSpans(frame).replacedAt(['interactions'], `[\n${sorted.join(',\n')}\n  ]`);
  return text === undefined ? frame : `${text}\n`;
}

function interactionsIn(pact: string): WrittenInteraction[] {
  return new JsonSpans(pact).elementsAt(['interactions']).map((text) => {
    const read = readJsonText(text);
    const interaction = objectOf(read.ok ? read.value : undefined);
    const states = Array.isArray(interaction.providerStates) ? interaction.providerStates : [];
    return {
      description: String(interaction.description),
      states: states.filter(isObject).map(({ name }) => String(name)),
      text,
    };
  });
}

/** Identifies an interaction. It sorts by description, then by states. */
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
    `${where}: two interactions have the description "${one.description}"${given} and differ: one has ` +
      `${shown(lines[at])}, the other ${shown(others[at])}. Give one of them another description.`,
  );
}
