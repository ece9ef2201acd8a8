import type { ProbeDraft, RequestDraft } from '../draft.js';
import { FRESH_ID, FRESH_NAME } from '../draft.js';
import { PLANT } from '../tokens/unauthorised.js';
import { type HeaderFields, withFields } from './clients.js';

const NAME = 'success/name-comes-back';
const ABSENT_TAG = 'success/absent-tag-stays-absent';

/** Fields because of which a provider may reject a plant: its own policy, or content that it cannot produce. */
export const POLICIES = {
  'other-origin': [
    ['Origin', 'https://plants.example'],
    ['Referer', 'https://plants.example/new'],
    ['Sec-Fetch-Site', 'cross-site'],
    ['Sec-Fetch-Mode', 'cors'],
    ['Sec-Fetch-Dest', 'empty'],
    ['X-Requested-With', 'XMLHttpRequest'],
    ['Cookie', 'session=aloe; JSESSIONID=0123456789ABCDEF; XSRF-TOKEN=fern; connect.sid=s%3Aaloe.fern'],
  ],
  forwarded: [
    ['X-Forwarded-For', '203.0.113.7, 198.51.100.2'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Forwarded-Port', '443'],
    ['X-Forwarded-Prefix', '/api'],
    ['X-Real-IP', '203.0.113.7'],
    ['Forwarded', 'for=203.0.113.7;proto=https, for="[2001:db8::1]"'],
  ],
  'xml-only': [['Accept', 'application/xml']],
  'latin-1-only': [['Accept-Charset', 'iso-8859-1']],
} as const satisfies Record<string, HeaderFields>;

function open(
  name: string,
  title: string,
  request: Omit<RequestDraft, 'body'> & Partial<RequestDraft>,
): ProbeDraft {
  return {
    name: `headers/${name}`,
    title: `a plain plant ${title}`,
    expectation: 'open',
    phase: 'valid',
    control: 'plain-plant',
    rules: [NAME, ABSENT_TAG],
    requests: [{ ...PLANT, ...request }],
  };
}

const OTHER_NAME = { fresh: 'name', of: 1 } as const;
const OTHER_ID = { fresh: 'id', of: 1 } as const;

/** Fields outside the body that have the names of fields of a plant. */
export const OTHER_VALUES = {
  query: ['?name=', OTHER_NAME, '&tag=other&id=', OTHER_ID],
  headers: [
    ['Name', OTHER_NAME],
    ['X-Name', OTHER_NAME],
    ['Tag', 'other'],
    ['X-Tag', 'other'],
    ['Cookie', ['name=', OTHER_NAME, '; tag=other']],
  ],
} as const satisfies Pick<RequestDraft, 'query' | 'headers'>;

/** Plants that a provider may reject. If it accepts one, the body counts, and nothing else. */
export const openPlants: readonly ProbeDraft[] = [
  open('other-values-in-query', 'with other values in the query', { query: OTHER_VALUES.query }),
  open('other-values-in-headers', 'with other values in headers and cookies', {
    headers: withFields(OTHER_VALUES.headers),
  }),
  open('from-another-origin', 'from a page of another origin', {
    headers: withFields(POLICIES['other-origin']),
  }),
  open('forwarded', 'with forwarding fields', { headers: withFields(POLICIES.forwarded) }),
  open('for-xml', 'from a client that only accepts XML', { headers: withFields(POLICIES['xml-only']) }),
  open('for-latin-1', 'with an umlaut, from a client that only accepts ISO 8859-1', {
    headers: withFields(POLICIES['latin-1-only']),
    body: ['{"name":"', FRESH_NAME, 'ü","id":', FRESH_ID, '}'],
    plant: { name: [FRESH_NAME, 'ü'], id: FRESH_ID },
  }),
  open('no-user-agent', 'without a User-Agent', { withoutUserAgent: true }),
];
