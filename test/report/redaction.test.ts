import { describe, expect, test } from 'vitest';
import { createRedactor, inJsonStrings, Redactor } from '../../src/report/redaction.js';
import { finderOf, spellingsOf } from './secrets/spellings.js';

const authorization = (value: string) => [['Authorization', value]] as const;

describe('a long secret', () => {
  const SECRETS = ['Tk/9+aZ_b-4q7Xw==', 'a-plain-long-token', 'quote"and\\back', 'pässwörd-of-us'];

  test.for(SECRETS)('%s is taken out in every spelling that SECURITY.md lists', (secret) => {
    const { message, data } = createRedactor([{ value: secret, shown: '$TOKEN' }]);
    const shown = spellingsOf(secret)
      // Only letters of ASCII have another case here.
      .filter(({ name }) => !/case$/.test(name) || /^[\x20-\x7e]+$/.test(secret))
      .filter((spelling) =>
        [message, data<string>].some((redact) => {
          const text = redact(`{"message": "unknown token ${spelling.text}", "next": 1}`);
          return !text.includes('$TOKEN') || finderOf([spelling])(text).length > 0;
        }),
      );
    expect(shown).toEqual([]);
  });

  test('is taken out of data, keys included, and numbers stay', () => {
    const { data } = createRedactor([{ value: 'plants-are-nice', shown: '$TOKEN' }]);
    expect(
      data({ subject: 'POST /plants', list: ['Bearer plants-are-nice'], 'plants-are-nice': 7, none: null }),
    ).toEqual({ subject: 'POST /plants', list: ['Bearer $TOKEN'], $TOKEN: 7, none: null });
  });

  test.for<readonly [text: string, expected: string]>([
    ['the string "plants-ar"… (70 characters)', 'the string "[redacted]"… (70 characters)'],
    ['plants-ar…', '[redacted]…'],
    ['"plants-ar"', '"plants-ar"'],
    ['"plants-of"…', '"plants-of"…'],
  ])('that this package cut, as in %s', ([text, expected]) => {
    expect(createRedactor([{ value: 'plants-are-nice' }]).message(text)).toBe(expected);
  });
});

describe('a secret in mixed spellings', () => {
  const secret = 'Tk/9+aZ_b-4q7Xw==';
  const code = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, '0');
  const escaped = (characters: RegExp, way: (character: string) => string): string =>
    secret.replace(characters, way);

  test.for<readonly [who: string, text: string]>([
    ['System.Text.Json', escaped(/\+/g, () => '\\u002B')],
    ['Gson', escaped(/=/g, () => '\\u003d')],
    ['Python, of a URL', escaped(/=/g, () => '\\u003d').replaceAll('/', '%2F')],
    ['PHP', escaped(/\//g, () => '\\/').replaceAll('+', '\\u002b')],
    ['PHP, as JSON again', JSON.stringify(escaped(/\//g, () => '\\/')).slice(1, -1)],
    ['Go, HTML within JSON', escaped(/\+/g, () => '&#43;').replaceAll('=', '\\u003d')],
    ['Handlebars', escaped(/=/g, () => '&#x3D;').replaceAll('/', '&#x2F;')],
    [
      'names of HTML',
      escaped(/=/g, () => '&equals;')
        .replaceAll('/', '&sol;')
        .replaceAll('+', '&plus;'),
    ],
    ['\\u of every character', escaped(/./g, (character) => `\\u${code(character)}`)],
    ['\\x of every character', escaped(/./g, (character) => `\\x${code(character).slice(2)}`)],
    ['% of every character', escaped(/./g, (character) => `%${code(character).slice(2)}`)],
    ['&# of every character', escaped(/./g, (character) => `&#${character.charCodeAt(0)};`)],
    ['\\ before every character', escaped(/./g, (character) => `\\${character}`)],
    ['one of each', `\\u0054k\\/9%2BaZ_b-4q7Xw&#61;=`],
  ])('as %s writes it', ([, text]) => {
    const { message } = createRedactor([{ value: secret }]);
    expect(message(`<${text}>`)).toBe('<[redacted]>');
  });

  test('of more than 64 characters, all of it is taken out, and no more', () => {
    const value = `eyJ${'aB9_-.'.repeat(200)}`;
    const { message } = createRedactor([{ value }]);
    expect(message(`a ${value} b "${value}"`)).toBe('a [redacted] b "[redacted]"');
    expect(message(`${value.slice(0, 100)}… ${value.slice(0, 40)}`)).toBe(
      `[redacted]… ${value.slice(0, 40)}`,
    );
  });
});

test.each([
  [
    '[{"a":12345,"12345":"12345"},"\\u0031\\u0032345"]',
    '[{"a":12345,"[redacted]":"[redacted]"},"[redacted]"]',
  ],
  ['{ "a" : "x\\"12345\\\\" }', '{ "a" : "x\\"[redacted]\\\\" }'],
])('in JSON, strings change only: %s', (json, expected) => {
  const changed = inJsonStrings(json, createRedactor([{ value: '12345' }]).message);
  expect(changed).toBe(expected);
  expect(() => JSON.parse(changed)).not.toThrow();
});

test('the replacement of a secret is not searched for other secrets', () => {
  const { message } = createRedactor([{ value: 'a-long-secret' }, { value: 'redacted' }]);
  expect(message('a-long-secret redacted')).toBe('[redacted] [redacted]');
});

describe('a short secret', () => {
  test.for<readonly [text: string, expected: string]>([
    ['the secret, secrets', 'the [redacted], secrets'],
    ['my_secret', 'my_secret'],
    ['Bearer SECRET', 'Bearer [redacted]'],
    [Buffer.from('secret').toString('base64'), Buffer.from('secret').toString('base64')],
  ])('is taken out where it is a whole word: %s', ([text, expected]) => {
    expect(createRedactor([{ value: 'secret' }]).message(text)).toBe(expected);
  });

  test('is not taken out of data, which has words of ours', () => {
    expect(createRedactor([{ value: 'token' }]).data(['auth/missing-token'])).toEqual(['auth/missing-token']);
  });
});

test('of secrets that begin alike, the longest is taken out', () => {
  const { message } = createRedactor([
    { value: 'secret', shown: '$SHORT' },
    { value: 'secret-and-more', shown: '$LONG' },
  ]);
  expect(message('secret secret-and-more')).toBe('$SHORT $LONG');
});

describe('credentials that were seen', () => {
  test('are taken out of every text from then on: of a Basic scheme, the password too', () => {
    const redactor = new Redactor([{ value: 'a-token-of-our-own' }]);
    expect(redactor.message('sent-by-a-client')).toBe('sent-by-a-client');
    redactor.see(authorization('Bearer sent-by-a-client'));
    redactor.see(authorization(`Basic ${Buffer.from('ann:open-sesame').toString('base64')}`));
    expect(redactor.message('sent-by-a-client a-token-of-our-own open-sesame ann')).toBe(
      '[redacted] [redacted] [redacted] ann',
    );
  });

  test('are forgotten if many others come, but not what is always a secret', () => {
    const redactor = new Redactor([{ value: 'a-token-of-our-own' }]);
    for (let at = 0; at < 1_000; at++) redactor.see(authorization(`Bearer token-number-${at}.`));
    expect(redactor.message('token-number-999. token-number-0. a-token-of-our-own')).toBe(
      '[redacted] token-number-0. [redacted]',
    );
  });

  test('of one request cannot push out those of others', () => {
    const redactor = new Redactor();
    redactor.see(authorization('Bearer sent-by-a-client'));
    redactor.see(authorization(Array.from({ length: 1_000 }, (_, at) => `other-token-${at}`).join(' ')));
    expect(redactor.message('sent-by-a-client')).toBe('[redacted]');
  });
});

test.for<[what: string, text: string]>([
  ['one long line', 'a'.repeat(2 ** 20)],
  ['beginnings of a secret', 'plain-long-toke '.repeat(64_000)],
  ['backslashes', '\\'.repeat(2 ** 20)],
  ['beginnings of escapes', '&#0%\\u00'.repeat(120_000)],
  ['short beginnings of a secret that are cut', 'pla… '.repeat(200_000)],
])('1 MB of %s is searched before the timeout of the test', ([, text]) => {
  const { message } = createRedactor(
    ['plain-long-token', 'secret', `${'\\'.repeat(40)}x`, `${'a'.repeat(60)}b`].map((value) => ({
      value,
    })),
  );
  expect(message(text)).toBe(text);
});
