import { rules } from 'plant-store-contract/conformance';
import { allFaults } from '../faults/index.js';
import { type Subject, subjects } from './subjects.js';
import { readTable } from './table.js';

/** Correct providers that differ most. A wrong rule usually blames one of them. */
export const TELLING: readonly string[] = [
  'correct: everything is as strict as possible',
  'correct: each failure has its own status',
  'correct: keys that mean something to programs are rejected everywhere',
  'correct: strings have letters, digits, spaces and hyphens',
  'correct: clients that do not say that they accept JSON are rejected',
  'correct: what only testers send returns 5xx with a page',
  'correct: responses are in Brotli, in chunks',
  'correct: connections are closed after each response',
  'correct, in a second check: a duplicate id is rejected',
];

/**
 * The subjects that words name: all without one. The id of a rule names those that a change of this rule may touch: the faults that
 * break it, and a few correct providers. Any other word names the subjects that have it in their names.
 *
 * @throws Error if a word names none
 */
export function chosenSubjects(words: readonly string[]): readonly Subject[] {
  if (words.length === 0) return subjects;
  const chosen = new Set(words.flatMap((word) => [...namedBy(word)]));
  return subjects.filter(({ name }) => chosen.has(name));
}

function namedBy(word: string): readonly string[] {
  const table = readTable();
  const named = rules.some(({ id }) => id === word)
    ? [
        ...allFaults.flatMap(({ name, breaks }) =>
          (breaks as readonly string[]).includes(word) ? [`fault: ${name}`] : [],
        ),
        // What is committed may know more than the faults do.
        ...Object.keys(table).filter((name) => table[name]?.broken.includes(word)),
        ...TELLING,
      ]
    : subjects.map(({ name }) => name).filter((name) => name.includes(word));
  if (named.length === 0) throw new Error(`${word} is no rule, and in the name of no subject`);
  return named;
}
