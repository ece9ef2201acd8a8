import { PLAIN_PLANT, type RequestRow } from '../row.js';
import type { SentRow, Topic } from '../rule.js';
import { FORGED_FIELD } from './strings.js';

/**
 * Strings that break a response if it contains them as they are: the kind, its description after "a name", and the string.
 * They begin like no plant, so that a message that quotes one is easy to see.
 */
const HOSTILE_STRINGS = [
  ['quotes', 'with quotes and backslashes', `"Aloe" \\"vera\\" '\\' \`\\\\`],
  ['escapes', 'with escapes of programming languages', '\\u0022 \\x22 \\n \\0 \\ud800 %22 &quot; \\'],
  [
    'header',
    'with line breaks of all kinds, and a header field',
    `a\nb\rc\u0085d\u2028e\u2029f\u000bg\u000cAloe\r\n${FORGED_FIELD}: 1\r\n\r\n{"error":0}`,
  ],
  ['html', 'with HTML', `</title><script>alert("1")</script><img src=x onerror='1'>&lt;`],
  ['controls', 'with control characters', 'a\u0001\u0007\u0008\u001b[31m\u001f\u007f\u009b\u0000b'],
  [
    'placeholders',
    'with placeholders of formats, templates and loggers',
    `%s %d %n %x %5$s %(x)s %% {} {0} {x!r} \${x} #{x} {{7*7}} <%= 7 %> $& $1 \${jndi:ldap://127.0.0.1/x}`,
  ],
  [
    'other-scripts',
    'in other scripts, with emoji',
    'Алоэ \u202e龍舌蘭\u202c 👩🏽‍🌾 \u{10ffff}\ufffe e\u0301',
  ],
  ['half-surrogates', 'with halves of surrogate pairs', 'Aloe \ud800 vera \udc00'],
] as const;

/** What every rejection must be, whatever it quotes. */
const FAILURES = [
  ...['failure/rare-input-is-answered', 'failure/media-type-is-json', 'failure/body-is-an-error'],
  ...['failure/other-4xx-is-json', 'failure/other-4xx-is-an-error', 'failure/text-stays-in-the-body'],
];

/** A request that must be rejected, with a value in it that its rejection may quote. */
function rejected(kind: string, title: string, rule: string, request: RequestRow): SentRow {
  return {
    name: `rejections/${kind}`,
    title,
    expectation: 'rejected',
    rare: true,
    rules: [rule, ...FAILURES],
    requests: [request],
  };
}

function withoutId(kind: string, description: string, name: string): SentRow {
  const title = `a plant without an id, and a name ${description}`;
  return rejected(kind, title, 'request/id-is-required', { body: `{"name":${JSON.stringify(name)}}` });
}

const [quotes, , header, html] = HOSTILE_STRINGS;
const QUOTES_LINES_HTML = `${quotes[2]}${header[2]}${html[2]}`;

const rows: readonly SentRow[] = [
  ...HOSTILE_STRINGS.map(([kind, description, text]) => withoutId(`name-with-${kind}`, description, text)),
  // Messages with such a name are cut off, or do not fit a buffer. The first byte is alone, so a cut after 2^k bytes is inside
  // a character.
  withoutId('long-name', 'of 8,192 bytes', 'x<REPEAT 4095 é>y'),
  { ...withoutId('very-long-name', 'of 60,000 bytes', 'x<REPEAT 14999 🌵>yyy'), phase: 'heavy' },
  rejected(
    'hostile-key',
    'a plant without a name, and an unknown field whose name has quotes, line breaks and HTML',
    'request/name-is-required',
    { body: `{${JSON.stringify(QUOTES_LINES_HTML)}:1,"id":<ID>}` },
  ),
  rejected(
    'hostile-id',
    'a plant whose id is a string with quotes, line breaks and HTML',
    'request/id-is-an-integer',
    { body: `{"name":"<NAME>","id":${JSON.stringify(`5${QUOTES_LINES_HTML}`)}}` },
  ),
  rejected('long-id', 'a plant whose id has 6,000 digits', 'request/id-is-within-int64', {
    body: `{"name":"<NAME>","id":${'7'.repeat(6_000)}}`,
  }),
  rejected(
    'malformed-json-with-html',
    'text that is not JSON, with quotes, line breaks, HTML, and a byte that is not UTF-8',
    'request/body-is-json',
    { body: `{"name": ${html[2]}"\r\n\\"<BYTES ff>\u0000` },
  ),
  {
    ...rejected(
      'hostile-token',
      'an unknown token of 1,000 characters with quotes, backslashes, HTML and placeholders',
      'auth/wrong-token-is-refused',
      {
        headers: [
          ['Authorization', `Bearer "><script>alert('1')</script>\\"\\u0022%0d%0a%s{0}\${x}<REPEAT 1000 x>`],
          ['Content-Type', 'application/json'],
        ],
        body: PLAIN_PLANT,
        plant: false,
      },
    ),
    phase: 'wrong-token',
  },
];

/** Long and hostile values in requests that are rejected: error messages quote them. */
export const rejections: Topic = { open: rows };
