import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { styleFor, withoutStyle, wrapped } from '../../src/report/terminal-text.js';

const NONE = { first: '', rest: '' };

describe('a text', () => {
  test.for<[what: string, text: string, width: number, lines: string[]]>([
    ['that is longer is broken between words', 'one two three', 8, ['one two', 'three']],
    ['with a word that is longer than a line keeps it whole', 'a abcdefghij b', 4, ['a', 'abcdefghij', 'b']],
    ['begins no line with a command of GitHub', 'a b ::error::x y', 6, ['a b ::error::x', 'y']],
    ['counts characters, not code units', '🌵🌵🌵 🌵', 5, ['🌵🌵🌵 🌵']],
  ])('%s', ([, text, width, lines]) => {
    expect(wrapped(text, width, NONE)).toEqual(lines);
  });

  // Vitest runs without a terminal.
  test.each(['NO_COLOR', 'FORCE_COLOR'])(
    'has colours if the caller asks for them, whatever %s and the output are',
    (name) => {
      vi.stubEnv(name, name === 'NO_COLOR' ? '1' : '0');
      onTestFinished(() => void vi.unstubAllEnvs());
      expect(styleFor(true).red('one')).toBe('\u001b[31mone\u001b[39m');
      expect(styleFor(false).red('one')).toBe('one');
    },
  );

  test('with colours is as wide as without', () => {
    const { red, bold } = styleFor(true);
    const text = `${red('one')} ${bold('two')} three`;
    expect(wrapped(text, 8, NONE).map(withoutStyle)).toEqual(['one two', 'three']);
  });
});
