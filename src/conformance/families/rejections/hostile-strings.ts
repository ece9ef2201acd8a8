/** The name of a header field that no server sends by itself. */
export const FORGED_FIELD = 'X-Forged-By-The-Request';

/**
 * Strings that break a response if it contains them as they are: the kind, its description after "a name", and the string.
 * They begin like no plant, so that a message that quotes one is easy to see.
 */
export const HOSTILE_STRINGS = [
  ['quotes', 'with quotes and backslashes', `"Aloe" \\"vera\\" '\\' \`\\\\`],
  [
    'escapes',
    'with escapes of JSON and of programming languages',
    '\\u0022 \\x22 \\n \\0 \\ud800 %22 &quot; \\',
  ],
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
    'in other scripts, with emoji and directions',
    'Алоэ \u202e龍舌蘭\u202c 👩🏽‍🌾 \u{10ffff}\ufffe e\u0301',
  ],
  ['half-surrogates', 'with halves of surrogate pairs', 'Aloe \ud800 vera \udc00'],
] as const;
