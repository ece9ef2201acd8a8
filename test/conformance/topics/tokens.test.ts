import { describe, expect, test } from 'vitest';
import { probeOf, type Row, requestsOf } from '../../../src/conformance/row.js';
import { rowsOf } from '../../../src/conformance/rule.js';
import { freshValues } from '../../../src/conformance/template.js';
import { madeOfToken } from '../../../src/conformance/token-edit.js';
import { moreTokens, tokens } from '../../../src/conformance/topics/tokens.js';
import { headerValues } from '../../../src/http/fields.js';
import { TOKENS } from './token-shapes.js';

const core = rowsOf(tokens).map((row) => probeOf(row));
const tokenProbes = [...core, ...moreTokens.map((row) => probeOf(row))];
const rejected = tokenProbes.filter(
  ({ expectation, phase }) => expectation === 'rejected' && phase === 'wrong-token',
);

/** A value of Authorization as a provider may read it: the scheme in any case, and any number of spaces. */
function tokenIn(value: string): string | undefined {
  return /^bearer +(\S.*?) *$/i.exec(value)?.[1];
}

describe('the core', () => {
  test.each(TOKENS)('never has the right token in its right place where it must be rejected: %s', (token) => {
    const values = freshValues(token);
    const requests = rejected.flatMap((probe) => requestsOf(probe, values));
    expect(requests.length).toBeGreaterThan(20);
    const right = requests.filter(({ headers }) =>
      headerValues(headers, 'authorization').some((value) => tokenIn(value) === token),
    );
    expect(right).toEqual([]);
  });

  test.each(TOKENS)('hides what is made of the token: %s', (token) => {
    const values = freshValues(token);
    for (const probe of rejected)
      for (const { headers, secrets = [] } of requestsOf(probe, values)) {
        const texts = headers.map(([, value]) => value).join('\n');
        const shown = [...secrets]
          .sort((a, b) => b.value.length - a.value.length)
          .reduce((text, secret) => text.replaceAll(secret.value, '$'), texts)
          .replaceAll(token, '$');
        const longest = token.slice(0, Math.max(3, Math.floor(token.length / 2)));
        if (token.length > 6 && probe.name !== 'basic-with-user')
          expect(shown, probe.name).not.toContain(longest);
      }
  });

  test('sends every case with an ordinary token', () => {
    const values = freshValues('the-token-of-nobody');
    expect(core.filter((probe) => requestsOf(probe, values).length === 0)).toEqual([]);
  });

  test('leaves out a word that is the right token', () => {
    const word = tokenProbes.find(({ name }) => name === 'tokens/word-null');
    expect(requestsOf(word as Row, freshValues('null'))).toEqual([]);
    expect(requestsOf(word as Row, freshValues('nil'))).toHaveLength(1);
  });
});

describe('an edit of the token', () => {
  test('is left out if the token does not allow it', () => {
    const of = (edit: string, token: string) => madeOfToken(edit, token);
    expect(of('{..5}', 'abcd')).toBeUndefined();
    expect(of('{other-case}', '12345')).toBeUndefined();
    expect(of('{1..}{..1}', 'aaaa')).toBeUndefined();
    expect(of('{1..}', 'abcd')).toBeUndefined();
    expect(of('{1..}', 'abcde')).toBe('bcde');
  });

  test('makes a probe without requests if it is left out', () => {
    const row: Row = {
      name: 'tokens/row',
      title: 'a row',
      expectation: 'rejected',
      requests: [{ headers: [['Authorization', '<TOKEN {9..}>']], body: '' }],
    };
    expect(requestsOf(row, freshValues('secret'))).toEqual([]);
    expect(requestsOf(row, freshValues('longer-secret'))).toHaveLength(1);
  });
});
