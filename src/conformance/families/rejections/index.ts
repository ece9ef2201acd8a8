import { FRESH_ID, FRESH_NAME, type Piece, type ProbeDraft, probeFrom } from '../draft.js';
import { jsonString, type Pieces } from '../draft-json.js';
import { HOSTILE_STRINGS } from './hostile-strings.js';

/** What every rejection must be, whatever it quotes. */
export const FAILURES = ['failure/refusal-is-4xx', 'failure/media-type-is-json', 'failure/body-is-an-error'];

/** A request that must be rejected, with a value in it that its rejection may quote. */
function rejectedDraft(
  kind: string,
  title: string,
  rule: string,
  request: ProbeDraft['requests'][number],
): ProbeDraft {
  return {
    name: `rejections/${kind}`,
    title,
    expectation: 'rejected',
    phase: 'invalid',
    control: 'plain-plant',
    rules: [rule, ...FAILURES],
    requests: [request],
  };
}

/** A plant with any name and no id. */
function withoutId(kind: string, description: string, name: Pieces): ProbeDraft {
  const title = `a plant without an id, and a name ${description}`;
  const body = ['{"name":', ...jsonString(name), '}'];
  return rejectedDraft(kind, title, 'request/id-is-required', { body });
}

/** A byte that no UTF-8 text has. */
const NOT_UTF_8: Piece = { base64: '/w==' };

/**
 * Long names: the kind, the length, and a character with its number. Messages with such a name are cut off, or do not fit a
 * buffer. The first byte is alone, so a cut after 2^k bytes is inside a character.
 */
const LONG_NAMES = [
  ['long', 'of 8,192 bytes', 'é', 4_095],
  ['very-long', 'of 60,000 bytes', '🌵', 14_999],
] as const;

function withLongName(kind: string, description: string, unit: string, times: number): ProbeDraft {
  const name = `x${unit.repeat(times)}${'y'.repeat(Buffer.byteLength(unit) - 1)}`;
  const draft = withoutId(`${kind}-name`, description, name);
  const [start, end] = `{"name":"${name}"}`.split(unit.repeat(times));
  const shellBody = `printf '${start}'; yes ${unit} | head -n ${times} | tr -d '\\n'; printf '${end}'`;
  return { ...draft, requests: draft.requests.map((request) => ({ ...request, shellBody })) };
}

const [quotes, , header, html] = HOSTILE_STRINGS;
const QUOTES_LINES_HTML = `${quotes[2]}${header[2]}${html[2]}`;

const drafts = [
  ...HOSTILE_STRINGS.map(([kind, description, text]) => withoutId(`name-with-${kind}`, description, text)),
  ...LONG_NAMES.map(([kind, description, unit, times]) => withLongName(kind, description, unit, times)),
  rejectedDraft(
    'hostile-key',
    'a plant without a name, and an unknown field whose name has quotes, line breaks and HTML',
    'request/name-is-required',
    { body: ['{', ...jsonString(QUOTES_LINES_HTML), ':1,"id":', FRESH_ID, '}'] },
  ),
  rejectedDraft(
    'hostile-id',
    'a plant whose id is a string with quotes, line breaks and HTML',
    'request/id-is-an-integer',
    {
      body: ['{"name":"', FRESH_NAME, '","id":', ...jsonString(`5${QUOTES_LINES_HTML}`), '}'],
    },
  ),
  rejectedDraft('long-id', 'a plant whose id has 6,000 digits', 'request/id-is-within-int64', {
    body: ['{"name":"', FRESH_NAME, '","id":', '7'.repeat(6_000), '}'],
  }),
  rejectedDraft(
    'hostile-tag',
    'a plant whose tag is an array of a string with quotes, line breaks and HTML',
    'request/tag-is-a-string',
    {
      body: [
        ...['{"name":"', FRESH_NAME, '","id":', FRESH_ID, ',"tag":['],
        ...jsonString(QUOTES_LINES_HTML),
        ']}',
      ],
    },
  ),
  rejectedDraft(
    'malformed-json-with-html',
    'text that is not JSON, with quotes, line breaks, HTML, and a byte that is not UTF-8',
    'request/body-is-json',
    { body: [`{"name": ${html[2]}"\r\n\\"`, NOT_UTF_8, '\u0000'] },
  ),
];

const hostileToken: ProbeDraft = {
  ...rejectedDraft(
    'hostile-token',
    'an unknown token of 1,000 characters with quotes, backslashes, HTML and placeholders',
    'auth/wrong-token-is-refused',
    {
      headers: [
        [
          'Authorization',
          `Bearer "><script>alert('1')</script>\\"\\u0022%0d%0a%s{0}\${x}${'x'.repeat(1_000)}`,
        ],
        ['Content-Type', 'application/json'],
      ],
      body: ['{"name":"', FRESH_NAME, '","id":', FRESH_ID, '}'],
    },
  ),
  phase: 'wrong-token',
};

/** Long and hostile values in requests that are rejected: error messages quote them. */
export const rejectionProbes = [...drafts, hostileToken].map((draft) => probeFrom(draft));
