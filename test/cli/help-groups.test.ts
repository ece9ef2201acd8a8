import { expect, test } from 'vitest';
import { plantStore } from './console.js';

test('the help of check has each flag in a group, with the common ones first', async () => {
  const { stdout } = await plantStore(['check', '--help']);
  const headings = ['What to check', 'How to reach the provider', 'Reports', 'Exploring', 'Options'];
  const found = stdout.match(/^[A-Z][a-z ]+(?=:$)/gm)?.filter((heading) => headings.includes(heading));
  expect(found).toEqual(headings);
  const flagsUnder = (heading: string): string[] => {
    const [, part = ''] = stdout.split(`\n${heading}:\n`);
    return [...(part.split('\n\n')[0] ?? '').matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(
      ([, flag = '']) => flag,
    );
  };
  expect(flagsUnder('What to check')[0]).toBe('--only');
  expect(flagsUnder('How to reach the provider')[0]).toBe('--token');
  expect(flagsUnder('Reports')).toEqual(['--reporter', '--quiet', '--verbose', '--profile']);
  expect(flagsUnder('Exploring')[0]).toBe('--explore');
  expect(flagsUnder('Options')).toEqual(['--help']);
});
