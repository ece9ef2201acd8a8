import { pointer } from '../../validation/json-parser.js';
import type { JsonObject, JsonValue } from '../../validation/json-value.js';
import { isObject } from '../pact-file.js';
import type { ProblemPlace } from './problem.js';

/**
 * The JSON pointer into a pact that leads to a place in one of its messages, as far as the file goes: what is
 * missing has no place of its own.
 *
 * @param index of the interaction
 * @param interaction as it stands in the file
 */
export function pointerTo(index: number, interaction: JsonObject, place: ProblemPlace): string {
  const path: string[] = [];
  let here: JsonValue | undefined = interaction;
  for (const step of stepsTo(place, messageOf(interaction, place.side))) {
    here = isObject(here) ? here[step] : undefined;
    if (here === undefined) break;
    path.push(step);
  }
  return pointer(['interactions', index, ...path]);
}

/** A message of an interaction as it stands in the file. */
export function messageOf(interaction: JsonObject, side: ProblemPlace['side']): JsonObject {
  const message = interaction[side];
  return isObject(message) ? message : {};
}

function stepsTo({ side, part, field }: ProblemPlace, message: JsonObject): readonly string[] {
  const steps = [side, ...stepsIn(part, message)];
  if (field === undefined) return steps;
  return [...steps, part === 'header' ? spellingOf(field, message.headers) : field];
}

function stepsIn(part: ProblemPlace['part'], { body }: JsonObject): readonly string[] {
  if (part === 'whole') return [];
  if (part === 'header') return ['headers'];
  // V4 wraps a body: its value, or the text or bytes of it, is the content.
  const isWrapped = isObject(body) && 'content' in body && ('contentType' in body || 'encoded' in body);
  return part === 'body' && isWrapped ? ['body', 'content'] : [part];
}

function spellingOf(name: string, headers: JsonValue | undefined): string {
  const names = isObject(headers) ? Object.keys(headers) : [];
  return names.find((spelling) => spelling.toLowerCase() === name) ?? name;
}
