import { execFileSync } from 'node:child_process';
import { probes } from 'plant-store-contract/conformance';
import { expect, test } from 'vitest';
import { newIdInShell } from '../../../src/conformance/families/new-ids.js';
import { freshValues } from '../../../src/conformance/sending/fresh-values.js';
import { madeOfToken, TOKEN_FORMS } from '../../../src/conformance/token-edit.js';
import { TOKENS } from './token-shapes.js';

/** What a script writes, with every byte as one character. */
function written(script: string): string {
  return execFileSync('sh', ['-c', script], { encoding: 'latin1' });
}

test('a shell makes new ids of an id 7', () => {
  const id = { fresh: 'id' } as const;
  const cases = [
    ['the next id', { ...id, plus: '1' }, id, '8'],
    ['the id before', id, { ...id, plus: '1' }, '6'],
    ['a multiple', { ...id, times: '64' }, undefined, String(64n * 2n ** 31n)],
    ['the same base', { ...id, times: '10', plus: '3' }, { ...id, plus: '2' }, '53'],
    ['its base', { ...id, plus: '1' }, { ...id, times: '7' }, '2'],
    ['an id between two bounds', { ...id, between: ['10', '19'] }, undefined, '15'],
    ['another base', { ...id, of: 2, plus: '1' }, id, String(2n ** 31n + 1n)],
  ] as const;
  const script = cases.map(([what, piece, before]) => {
    const expression = newIdInShell(piece, before)?.replaceAll('RANDOM', '4294967295');
    return `echo "${what}: $((${expression}))"`;
  });
  const expected = cases.map(([what, , , result]) => `${what}: ${result}`);
  expect(
    written(`id=7\n${script.join('\n')}`)
      .trim()
      .split('\n'),
  ).toEqual(expected);
  expect(newIdInShell(id, undefined)).toBeUndefined();
});

const EDITS = [
  'xx{}',
  '{}x$HOME`"\\',
  '{1..}',
  '{-5..-1}',
  '{..middle}x{middle..}',
  '{after-middle..}{..after-middle}',
  '{}{}',
  '{..end}xx{end..}',
  '{..end-2}',
  '{0..1 next-characters}{1..}',
  '{..2}{2..3 next-characters}{3..}',
  '{..-4}{-4..-3 next-characters}{-3..}',
  '{..-1}{-1.. next-characters}',
  ...TOKEN_FORMS.filter((form) => !form.startsWith('in-')).map((form) => `{${form}}`),
  'user:{} | base64',
  '%{2.. reversed} | percent-encoded',
];

test('a shell writes the same bytes as an edit of any token, and they are another text', () => {
  const script: string[] = [];
  const expected: string[] = [];
  for (const token of TOKENS) {
    script.push(`PLANT_STORE_TOKEN='${token.replaceAll("'", "'\\''")}'`);
    const made = EDITS.flatMap((edit) => madeOfToken(edit, token) ?? []);
    expect(made.map(({ value }) => value)).not.toContain(token);
    script.push(...made.map(({ shown }) => `printf '%s\\n' "${shown}"`));
    expected.push(...made.map(({ value }) => value));
  }
  expect(written(script.join('\n')).split('\n').slice(0, -1)).toEqual(expected);
});

test('a shell writes a token in a query and in JSON, where most tokens are the same', () => {
  const inQuery = TOKENS.filter((token) => /^[\w.~+/=-]+$/.test(token));
  const cases = [
    ...inQuery.map((token) => [token, '{in-query}', encodeURIComponent(token)] as const),
    ...TOKENS.map((token) => [token, '{in-json}', JSON.stringify(token).slice(1, -1)] as const),
  ];
  const script = cases.map(([token, edit]) => {
    const word = `'${token.replaceAll("'", "'\\''")}'`;
    return `PLANT_STORE_TOKEN=${word}; printf '%s\\n' "${madeOfToken(edit, token)?.shown}"`;
  });
  const expected = cases.map(([, , value]) => value);
  expect(cases.map(([token, edit]) => madeOfToken(edit, token)?.value)).toEqual(expected);
  expect(written(script.join('\n')).split('\n').slice(0, -1)).toEqual(expected);
});

test('a shell writes the long names of rejections', () => {
  const requests = probes.flatMap((probe) => {
    const [request] = probe.requests(freshValues('any-token'));
    return probe.name.startsWith('rejections/') && request?.shell?.body !== undefined ? [request] : [];
  });
  expect(requests.length).toBeGreaterThan(0);
  for (const { shell, body } of requests) {
    expect(shell?.body?.length).toBeLessThan(200);
    expect(written(shell?.body ?? '')).toBe(Buffer.from(body).toString('latin1'));
  }
});
