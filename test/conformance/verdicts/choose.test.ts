import { expect, test } from 'vitest';
import { chosenSubjects, TELLING } from './choose.js';
import { subjects } from './subjects.js';

const names = (...words: readonly string[]) => chosenSubjects(words).map(({ name }) => name);

test('the id of a rule chooses the faults that break it, and a few correct providers that exist', () => {
  const chosen = names('auth/wrong-token-is-refused');
  expect(chosen).toContain('fault: accepts-any-token');
  expect(chosen).not.toContain('fault: accepts-missing-token');
  expect(chosen.filter((name) => name.startsWith('correct')).sort()).toEqual([...TELLING].sort());
});

test('any other word chooses by name, and no word chooses all', () => {
  expect(names('leaks-id')).toEqual(['fault: leaks-id']);
  expect(names()).toEqual(subjects.map(({ name }) => name));
});

test('a word that chooses nothing is a mistake', () => {
  expect(() => names('auth/no-such-rule')).toThrow(
    'auth/no-such-rule is no rule, and in the name of no subject',
  );
});
