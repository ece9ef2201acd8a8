import { ACCEPTS_PAGES } from '../../topics/tokens/rows.js';
import { FRESH_ID, FRESH_NAME, type ProbeDraft, type RequestDraft } from '../draft.js';
import { withFields } from './clients.js';

export const BODY_IS_JSON = 'request/body-is-json';
export const NAME_IS_REQUIRED = 'request/name-is-required';
const BODY_IS_REQUIRED = 'request/body-is-required';

export function invalid(name: string, title: string, rule: string, request: RequestDraft): ProbeDraft {
  return {
    name: `headers/${name}`,
    title,
    expectation: 'rejected',
    phase: 'invalid',
    control: 'plain-plant',
    rules: [rule],
    requests: [request],
  };
}

export const WITHOUT_NAME = ['{"id":', FRESH_ID, '}'] as const;

const BOUNDARY = 'plants-in-parts';

function part(name: string): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;
}

/** The fields of a plant in a place where the interface has none, and a failure for a browser. */
export const invalidPlaces: readonly ProbeDraft[] = [
  invalid('name-in-query', 'a plant without a name, which is in the query', NAME_IS_REQUIRED, {
    body: WITHOUT_NAME,
    query: ['?name=', FRESH_NAME],
  }),
  invalid('name-in-headers', 'a plant without a name, which is in headers and cookies', NAME_IS_REQUIRED, {
    body: WITHOUT_NAME,
    headers: withFields([
      ['Accept', 'application/json'],
      ['Accept-Language', 'de-CH,de;q=0.9'],
      ['Name', FRESH_NAME],
      ['X-Name', FRESH_NAME],
      ['Cookie', ['name=', FRESH_NAME]],
    ]),
  }),
  invalid('plant-in-query', 'a request without a body, with a plant in its query', BODY_IS_REQUIRED, {
    body: '',
    query: ['?name=', FRESH_NAME, '&id=', FRESH_ID],
  }),
  invalid('plant-in-parts', 'a plant as a form in several parts', BODY_IS_JSON, {
    body: [part('name'), FRESH_NAME, '\r\n', part('id'), FRESH_ID, `\r\n--${BOUNDARY}--\r\n`],
    headers: withFields([], `multipart/form-data; boundary=${BOUNDARY}`),
  }),
  invalid('malformed-from-a-page', 'malformed JSON from a client that prefers HTML', BODY_IS_JSON, {
    body: ['{"name":"', FRESH_NAME, '","id":', FRESH_ID],
    headers: withFields([ACCEPTS_PAGES]),
  }),
];
