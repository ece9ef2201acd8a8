import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWords } from '../../scripts/shell-words.mjs';

/** How bash splits a text. */
function wordsOfBash(text: string): readonly string[] {
  const script = `words() { [ $# -eq 0 ] || printf '%s\\0' "$@"; }\nwords ${text}\n`;
  const { stdout, stderr } = spawnSync('bash', ['--norc'], { input: script, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\0').slice(0, -1);
}

test.each([
  '',
  '  --only   auth\t--quiet ',
  `--start "sh -c \\"PORT=3000 npm start\\"" --only auth`,
  `--header 'X-Note: a "quoted" word' --header "X-Other: it's"`,
  `--header "X-Note: \\"b\\"" --header "a\\\\b\\c\\n\\$HOME\\\`"`,
  `'a'"b"c\\ d ""  '' e''`,
  `--only auth \\\n  --quiet`,
  `au\\\nth "a\\\nb" 'a\\\nb'`,
  `"a\\\\\nb" "c\\\\\\\nd"`,
  `a#b \\#c "#d" e '#f'`,
  `\\a\\"\\'\\\\ 'a\\'`,
  'grün "日本 語" \\é',
])('a text is split as bash splits it: %j', (text) => {
  expect(shellWords(text)).toEqual(wordsOfBash(text));
});

// For a shell, each line is a command of its own.
test.each([
  ['--only auth\n--quiet\n', ['--only', 'auth', '--quiet']],
  ['--only auth # only this\n# nothing\n--quiet', ['--only', 'auth', '--quiet']],
  ['--only auth \\\r\n  --quiet\r\n', ['--only', 'auth', '--quiet']],
  ['--only auth \\', ['--only', 'auth']],
  ['a "b\nc" d', ['a', 'b\nc', 'd']],
])('lines are joined: %j', (text, words) => {
  expect(shellWords(text)).toEqual(words);
});

test('nothing is replaced or run', () => {
  const text = '$HOME `touch x` $(touch x) * ~ ; a|b > c & {d,e} !f';
  expect(shellWords(text)).toEqual(text.split(' '));
});

test.each([
  ["--only 'auth", "the quote ' in line 1 is not closed"],
  ['a\n--header "X: b\\"', 'the quote " in line 2 is not closed'],
  [`a "b" 'c" d`, "the quote ' in line 1 is not closed"],
  ["it's", "the quote ' in line 1 is not closed"],
])('a quote that is not closed is a mistake: %j', (text, message) => {
  expect(() => shellWords(text)).toThrow(message);
});
