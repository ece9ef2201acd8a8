import { type Arbitrary, array, boolean, constantFrom, record, shuffledSubarray } from 'fast-check';
import type { NewPlant } from '../../spec/types.js';
import { newPlant } from './new-plant.js';

/** The white space of JSON (RFC 8259, section 2). */
const SPACE = ['', '', '', ' ', '\n', '\t', '\r\n', '  '];

/**
 * Draws spellings of plants in JSON (RFC 8259): with any white space between tokens, members in any order, and characters
 * written as escapes or not. Every text is well-formed and means the plant; no spelling is better than another.
 *
 * @param plants what to write. Default: {@link newPlant}
 * @example
 * import assert from 'node:assert/strict';
 * import * as fc from 'fast-check';
 * import { plantJson } from 'plant-store-contract/arbitraries';
 *
 * fc.assert(fc.property(plantJson(), (text) => assert.equal(typeof JSON.parse(text).name, 'string')));
 */
export function plantJson(plants: Arbitrary<NewPlant> = newPlant()): Arbitrary<string> {
  return plants.chain((plant) => {
    const keys = (['name', 'id', 'tag'] as const).filter((key) => plant[key] !== undefined);
    const spelling = record({
      order: shuffledSubarray(keys, { minLength: keys.length }),
      spaces: array(constantFrom(...SPACE), { minLength: 16, maxLength: 16 }),
      escapes: array(boolean(), { minLength: 8, maxLength: 8 }),
    });
    return spelling.map(({ order, spaces, escapes }) => {
      let space = 0;
      let letter = 0;
      const gap = (): string => spaces[space++ % spaces.length] ?? '';
      const quoted = (text: string): string => {
        const letters = [...text].map((one) => escaped(one, escapes[letter++ % escapes.length] === true));
        return `"${letters.join('')}"`;
      };
      const members = order.map((key) => {
        const value = plant[key];
        const json = typeof value === 'string' ? quoted(value) : String(value);
        return `${gap()}${quoted(key)}${gap()}:${gap()}${json}${gap()}`;
      });
      return `${gap()}{${members.join(',')}}${gap()}`;
    });
  });
}

/** A code point of a string, as escapes if it must be or if that is wanted. */
function escaped(character: string, isWanted: boolean): string {
  const isPlain = character >= ' ' && character !== '"' && character !== '\\';
  if (isPlain && !isWanted) return character;
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
