import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { type ProbeDraft, probeFrom } from '../../../src/conformance/families/draft.js';
import { madeOfToken, type TokenEdit } from '../../../src/conformance/families/token-pieces.js';
import { tokenProbes } from '../../../src/conformance/families/tokens/index.js';
import { changedAt } from '../../../src/conformance/families/tokens/near-misses.js';
import { freshValues } from '../../../src/conformance/sending/fresh-values.js';
import { headerValues } from '../../../src/http/fields.js';

// The shapes of tokens: words, UUIDs, base64 with padding, JSON Web Tokens, tokens with all that a header can carry.
const TOKENS = [
  'secret-token',
  'aaaaaaaa',
  '123e4567-e89b-12d3-a456-426614174000',
  'QWxsIHBsYW50cyBhcmUgZ3JlZW4=',
  'c2Vjcg==',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJmZXJuIn0.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'a$HOME`id`"\'\\%s%25&#;,=+/~!{}[]()<>|*?^:@.',
  '----____....',
  'abcd',
  'abc',
  '4',
];

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
    const requests = rejected.flatMap((probe) => probe.requests(values));
    expect(requests.length).toBeGreaterThan(20);
    const right = requests.filter(({ headers }) =>
      headerValues(headers, 'authorization').some((value) => tokenIn(value) === token),
    );
    expect(right).toEqual([]);
  });

  test.each(TOKENS)('hides what is made of the token: %s', (token) => {
    const values = freshValues(token);
    for (const { name, requests } of rejected)
      for (const { headers, secrets = [] } of requests(values)) {
        const texts = headers.map(([, value]) => value).join('\n');
        const shown = [...secrets]
          .sort((a, b) => b.value.length - a.value.length)
          .reduce((text, secret) => text.replaceAll(secret.value, '$'), texts)
          .replaceAll(token, '$');
        const longest = token.slice(0, Math.max(3, Math.floor(token.length / 2)));
        if (token.length > 6 && name !== 'basic-with-user') expect(shown, name).not.toContain(longest);
      }
  });

  test('sends every case with an ordinary token', () => {
    const values = freshValues('the-token-of-nobody');
    expect(tokenProbes.filter(({ requests }) => requests(values).length === 0)).toEqual([]);
  });

  test('leaves out a word that is the right token', () => {
    const word = tokenProbes.find(({ name }) => name === 'tokens/word-null');
    expect(word?.requests(freshValues('null'))).toEqual([]);
    expect(word?.requests(freshValues('nil'))).toHaveLength(1);
  });
});

const EDITS: readonly TokenEdit[] = [
  { edit: ['xx', { token: {} }] },
  { edit: [{ token: {} }, 'x$HOME`"\\'] },
  { edit: [{ token: { from: 1 } }] },
  { edit: [{ token: { from: -5, to: -1 } }] },
  { edit: [{ token: { to: 'middle' } }, 'x', { token: { from: 'middle' } }] },
  { edit: [{ token: { from: 'after-middle' } }, { token: { to: 'after-middle' } }] },
  { edit: [{ token: {} }, { token: {} }] },
  changedAt(0),
  changedAt(2),
  changedAt(-4),
  changedAt(-1),
  ...(
    ['other-case', 'next-characters', 'reversed', 'percent-encoded', 'json-escaped', 'jwt-payload'] as const
  ).map((as): TokenEdit => ({ edit: [{ token: {} }], as })),
  { edit: ['user:', { token: {} }], as: 'base64' },
  { edit: ['%', { edit: [{ token: { from: 2 } }], as: 'reversed' }], as: 'percent-encoded' },
];

describe('an edit of the token', () => {
  test.each(TOKENS)('is another text, and a shell writes the same bytes: %s', (token) => {
    const made = EDITS.flatMap((edit) => madeOfToken(edit, token) ?? []);
    expect(made.map(({ value }) => value)).not.toContain(token);
    const script = made.map(({ shown }) => `printf '%s\\n' "${shown}"`).join('\n');
    const env = { ...process.env, PLANT_STORE_TOKEN: token };
    const written = execFileSync('sh', ['-c', script], { env, encoding: 'latin1' }).split('\n').slice(0, -1);
    expect(written).toEqual(made.map(({ value }) => value));
  });

  test('is left out if the token does not allow it', () => {
    const of = (edit: TokenEdit, token: string) => madeOfToken(edit, token)?.value;
    expect(of({ edit: [{ token: { to: 5 } }] }, 'abcd')).toBeUndefined();
    expect(of({ edit: [{ token: {} }], as: 'other-case' }, '12345')).toBeUndefined();
    expect(of({ edit: [{ token: { from: 1 } }, { token: { to: 1 } }] }, 'aaaa')).toBeUndefined();
    expect(of({ edit: [{ token: { from: 1 } }] }, 'abcd')).toBeUndefined();
    expect(of({ edit: [{ token: { from: 1 } }] }, 'abcde')).toBe('bcde');
  });

  test('makes a probe without requests if it is left out', () => {
    const draft: ProbeDraft = {
      name: 'tokens/draft',
      title: 'a draft',
      expectation: 'rejected',
      phase: 'wrong-token',
      rules: [],
      requests: [{ headers: [['Authorization', { edit: [{ token: { from: 9 } }] }]], body: '' }],
    };
    expect(probeFrom(draft).requests(freshValues('secret'))).toEqual([]);
    expect(probeFrom(draft).requests(freshValues('longer-secret'))).toHaveLength(1);
  });
});
