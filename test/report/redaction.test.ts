import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/report/redaction.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** Each spelling of a secret, and whether a short secret is found in it as well. */
const SPELLINGS: readonly (readonly [what: string, write: (secret: string) => string, ofShort: boolean])[] = [
  ['as it is', (secret) => `Bearer ${secret}`, true],
  ['in a query', (secret) => `/plants?token=${secret}&x=1`, true],
  ['percent-encoded', (secret) => `/plants?token=${encodeURIComponent(secret)}`, true],
  ['percent-encoded in every byte', (secret) => `token=${percent(secret)}`, true],
  ['escaped in JSON', (secret) => JSON.stringify({ token: secret }), true],
  ['escaped in JSON in every character', (secret) => `"${escapes(secret)}"`, true],
  [
    'escaped in HTML',
    (secret) => `<p>${secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}</p>`,
    true,
  ],
  ['as character references', (secret) => [...secret].map((one) => `&#${one.charCodeAt(0)};`).join(''), true],
  ['in a JSON pointer', (secret) => `/a/${secret.replaceAll('~', '~0').replaceAll('/', '~1')}`, true],
  ['in base64', (secret) => base64(secret), true],
  ['in base64 with its scheme', (secret) => base64(`Bearer ${secret}`), true],
  ['in base64 with a user', (secret) => `Basic ${base64(`user:${secret}`)}`, true],
  ['in base64 as a user', (secret) => `Basic ${base64(`${secret}:`)}`, true],
  ['in base64url', (secret) => Buffer.from(`user:${secret}`).toString('base64url'), true],
  ['in base64 within a longer text', (secret) => base64(`{"a":"é","token":"${secret}","b":1}`), false],
  ['in hexadecimal digits', (secret) => Buffer.from(secret).toString('hex'), true],
  ['in upper case', (secret) => `TOKEN ${secret.toUpperCase()}`, false],
  ['within a word', (secret) => `x${secret}x`, false],
  ['cut off before a mark', (secret) => `"${secret.slice(0, -2)}…`, false],
  ['cut off at the end', (secret) => `got ${secret.slice(0, -2)}`, false],
];

function escapes(secret: string): string {
  return [...secret].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}

/** Secrets with what each spelling changes, or could take for an escape. */
const LONG = ['plain-long-token', 'with/slash+plus==', 'quote"and\\back', 'a~1b~0c/d+e==', 'pässwörd-of-us'];
const SHORT = ['secret', 'a/b"c', 'p%4t'];

describe('a long secret', () => {
  const cases = LONG.flatMap((secret) => SPELLINGS.map(([what, write]) => [secret, what, write] as const))
    // Only letters of ASCII have another case here.
    .filter(([secret, what]) => what !== 'in upper case' || /^[\x20-\x7e]+$/.test(secret));
  test.for(cases)('%s is taken out %s', ([secret, , write]) => {
    const { message } = createRedactor([{ value: secret, shown: '$TOKEN' }]);
    const text = write(secret);
    expect(message(text)).toContain('$TOKEN');
    // What stays must not be enough to guess the secret.
    expect(readings(message(text)).join('\n').toLowerCase()).not.toContain(secret.slice(0, 6).toLowerCase());
  });

  test('is taken out of data as well, but not where the data only ends like its beginning', () => {
    const { data } = createRedactor([{ value: 'plants-are-nice', shown: '$TOKEN' }]);
    expect(
      data({
        subject: 'POST http://127.0.0.1/plants',
        list: ['Bearer plants-are-nice', 'got "plants-a"…'],
        n: 7,
      }),
    ).toEqual({ subject: 'POST http://127.0.0.1/plants', list: ['Bearer $TOKEN', 'got "$TOKEN"…'], n: 7 });
  });
});

describe('a short secret', () => {
  test.for(
    SHORT.flatMap((secret) =>
      SPELLINGS.filter(([, , ofShort]) => ofShort).map(([what, write]) => [secret, what, write] as const),
    ),
  )('%s is taken out %s', ([secret, , write]) => {
    const { message } = createRedactor([{ value: secret, shown: '$TOKEN' }]);
    expect(message(write(secret))).toContain('$TOKEN');
    expect(readings(message(write(secret))).join('\n')).not.toContain(secret);
  });

  test.for<[what: string, text: string]>([
    ['secrets', 'the secrets of a garden'],
    ['as a part of a name', 'my_secret'],
    ['in another letter case', 'Secret'],
  ])('is not taken out %s', ([, text]) => {
    expect(createRedactor([{ value: 'secret' }]).message(text)).toBe(text);
  });

  test('is not taken out of data, which has words of ours', () => {
    expect(createRedactor([{ value: '400' }]).data(['the status is 400'])).toEqual(['the status is 400']);
  });

  test('that is very short is not looked for in base64', () => {
    expect(createRedactor([{ value: '4' }]).message(base64('a 4'))).toBe(base64('a 4'));
  });
});

test.for([
  ['an empty secret', [''], 'a text'],
  ['no secrets', [], 'a % \\ & ~ text'],
  ['escapes that say nothing', ['another-token'], '%zz \\u00 &#x110000; &#9999999; ~2'],
] as const)('%s changes nothing', ([, secrets, text]) => {
  expect(createRedactor(secrets.map((value) => ({ value }))).message(text)).toBe(text);
});

test.for<[what: string, text: string]>([
  ['one long line', 'a'.repeat(2 ** 18)],
  ['escapes', '%41\\u0041&amp;'.repeat(20_000)],
  ['base64', base64('an ordinary text, '.repeat(11_000))],
  ['words', 'plain-long-toke '.repeat(16_000)],
  ['quotation marks', '"…"'.repeat(87_000)],
])('250 KB of %s are searched before the timeout of the test', { timeout: 30_000 }, ([, text]) => {
  const { message } = createRedactor([{ value: 'plain-long-token' }, { value: 'secret' }]);
  expect(message(text)).toBe(text);
});

// What such a run says is no text, so nothing is decoded from it again.
test.for<[what: string, unit: string]>([
  ['base64', 'A'],
  ['hexadecimal digits', '01'],
])('a run of more than 8 million characters of %s is searched', { timeout: 60_000 }, ([, unit]) => {
  const { message } = createRedactor([{ value: 'plain-long-token', shown: '[token]' }]);
  const text = `${unit.repeat(8_500_000 / unit.length)} plain-long-token`;
  expect(message(text).slice(-8)).toBe(' [token]');
});

test('a short secret is not shown as the beginning of a longer one', () => {
  const { message } = createRedactor([
    { value: 'secret-and-more', shown: '$LONG' },
    { value: 'secret', shown: '$SHORT' },
  ]);
  expect(message('Bearer secret')).toBe('Bearer $SHORT');
  expect(message('Bearer secret-and-more')).toBe('Bearer $LONG');
});

test.for([
  ['long', 'a-token-of-these-tests'],
  ['short', 'token'],
] as const)('a %s secret is shown as itself, even if another is the same in escapes', ([, token]) => {
  const encoded = { value: percent(token), shown: '$ENCODED' };
  const plain = { value: token, shown: '$PLAIN' };
  for (const secrets of [
    [encoded, plain],
    [plain, encoded],
  ]) {
    const { message } = createRedactor(secrets);
    expect(message(`Bearer ${token}`)).toBe('Bearer $PLAIN');
    expect(message(`Bearer ${percent(token)}`)).toBe('Bearer $ENCODED');
  }
});

const SECRETS: Readonly<Record<string, (at: number) => string>> = {
  'that differ': (at) => `${at.toString(36).padStart(6, 'x')}-token-of-these-tests`,
  'that begin alike': (at) => `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${String(at).padStart(6, '0')}`,
  'that are short': (at) => `k${at}`,
  'that are all the same': () => 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
};

describe('thousands of secrets', { timeout: 30_000 }, () => {
  test.for(Object.entries(SECRETS))('%s are taken out of thousands of texts', ([, secret]) => {
    const COUNT = 2_000;
    const all = Array.from({ length: COUNT }, (_, at) => secret(at));
    const { message } = createRedactor(all.map((value) => ({ value })));
    const texts = all.map((value, at) => message(`%2F ${value}, "${all[COUNT - 1 - at]}"`));
    expect(new Set(texts)).toEqual(new Set(['%2F [redacted], "[redacted]"']));
  });

  test('a secret whose beginning repeats in a long text', () => {
    const long = 'Bearer '.repeat(150_000);
    const { message } = createRedactor([{ value: 'Bearer secret' }]);
    expect(message(`${long}"Bearer secret"`)).toBe(`${long}"[redacted]"`);
  });
});

describe('a secret in a text that quotes a message', () => {
  const secrets = ['first/token', 'second"token\\', 'first/other', 'sea'];
  const { message } = createRedactor(secrets.map((value) => ({ value })));

  test.for<readonly [what: string, text: string, expected: string]>([
    ['none', 'the string "Aloe"', 'the string "Aloe"'],
    ['one', 'got first/token', 'got [redacted]'],
    ['several', 'first/token, first/other', '[redacted], [redacted]'],
    ['as it is', 'second"token\\', '[redacted]'],
    ['in JSON', '"second\\"token\\\\"', '"[redacted]"'],
    ['in a pointer', '/a/first~1token', '/a/[redacted]'],
    ['in a URL', '/a/first%2Ftoken', '/a/[redacted]'],
    ['cut at the end', 'first/to', '[redacted]'],
    ['cut before a quote', '"first/to"', '"[redacted]"'],
    ['cut before a mark', '"first/to"… (70 characters)', '"[redacted]"… (70 characters)'],
    ['cut in JSON', '"second\\"t"… (70 characters)', '"[redacted]"… (70 characters)'],
    ['the same beginning only', 'first/tea', 'first/tea'],
    ['a short one as a word', 'the sea, seas', 'the [redacted], seas'],
  ])('%s', ([, text, expected]) => {
    expect(message(text)).toBe(expected);
  });

  test('in another letter case is shown as the secret with that spelling', () => {
    const { message: show } = createRedactor([
      { value: 'Token-1234', shown: '$A' },
      { value: 'token-1234', shown: '$B' },
    ]);
    expect(show('token-1234 Token-1234 TOKEN-1234')).toBe('$B $A $A');
  });
});

/** A text, and what it says if each of its codings is undone. */
function readings(text: string): string[] {
  const decoded = text
    .replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  const runs = text.match(/[\w+/-]{6,}={0,2}/g) ?? [];
  return [
    text,
    decoded,
    ...runs.flatMap((run) => [Buffer.from(run, 'base64'), Buffer.from(run, 'hex')].map(String)),
  ];
}
