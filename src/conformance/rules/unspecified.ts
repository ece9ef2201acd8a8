import { isAccepted } from '../exchange.js';
import { nameTextProbes, tagTextProbes } from '../probes/texts.js';
import type { Source } from '../rule.js';
import { headerOf } from './answers.js';
import { answers, errorCodes, furtherFields, refusedTexts, tells } from './observing.js';

const RESOURCES: Source = {
  section: 'Resources and their fields',
  rule: 2,
  pointer: '/components/schemas/NewPlant',
};
const ENDPOINTS: Source = { section: 'Endpoints', rule: 3, pointer: '/paths/~1plants/post/responses' };
const AUTHENTICATION: Source = {
  section: 'Errors',
  rule: 2,
  pointer: '/components/securitySchemes/bearerAuth',
};
const ERRORS: Source = { section: 'Errors', rule: 2, pointer: '/components/schemas/Error' };
const CONTENT: Source = { section: 'Endpoints', pointer: '/paths/~1plants/post/requestBody/content' };
const LIMITS: Source = { section: 'Limits', pointer: '/paths/~1plants/post/requestBody' };
const SERVICE: Source = { section: 'What the service does', pointer: '/paths' };

const NOT_SHOWN = {
  status: 'The conditions that produce 400, and any other error statuses, are not shown.',
  token: 'The response to a missing or invalid token is not shown.',
  repeated: 'Behaviour when the id exists already is not shown.',
  field: 'A NewPlant has three fields; what becomes of another is not said.',
  text: 'Further constraints on name and tag are not shown.',
  id: 'Further constraints on id (ranges, uniqueness) are not shown.',
  mediaType: 'The media type is application/json; what becomes of another is not said.',
  json: 'The body is JSON; readers of JSON differ here, and RFC 8259 lets them.',
  limits: 'Size limits are not shown.',
  http: 'Nothing is said of how a message is transferred.',
  other: 'Other operations are not shown.',
};

const refusals = [
  answers('unspecified/malformed-json', 'Malformed JSON', ERRORS, NOT_SHOWN.status, 'malformed-json'),
  answers('unspecified/missing-field', 'A plant without a name', ERRORS, NOT_SHOWN.status, 'missing-name'),
  answers('unspecified/wrong-type', 'A name that is a number', ERRORS, NOT_SHOWN.status, 'name-is-number'),
  answers('unspecified/empty-body', 'A request without a body', ERRORS, NOT_SHOWN.status, 'no-body'),
  tells({
    id: 'unspecified/error-codes',
    title: 'What is the "error" of a failure?',
    source: ERRORS,
    why: 'The meaning of the integer in "error" is not shown.',
    judges: ({ expectation }) => expectation === 'refused',
    observe: errorCodes,
  }),
  tells({
    id: 'unspecified/further-fields-of-errors',
    title: 'Which further fields has a failure?',
    source: ERRORS,
    why: 'An Error has two fields, and may have more.',
    judges: ({ expectation }) => expectation === 'refused',
    observe: furtherFields,
  }),
];

const authentication = [
  answers(
    'unspecified/missing-token',
    'A missing token',
    AUTHENTICATION,
    NOT_SHOWN.token,
    'no-authorization',
  ),
  answers('unspecified/wrong-token', 'A wrong token', AUTHENTICATION, NOT_SHOWN.token, 'wrong-token'),
  tells({
    id: 'unspecified/challenge',
    title: 'Does the refusal of a missing token have a challenge?',
    source: AUTHENTICATION,
    why: 'RFC 9110, section 11.6.1, wants WWW-Authenticate in a 401; the interface documents no 401.',
    judges: ['no-authorization'],
    observe([exchange]) {
      if (exchange?.response === undefined || isAccepted(exchange)) return undefined;
      const challenge = headerOf(exchange, 'www-authenticate');
      return challenge === undefined
        ? { sentence: 'The refusal of a missing token has no WWW-Authenticate.', value: 'none' }
        : {
            sentence: `The refusal of a missing token has the challenge ${JSON.stringify(challenge)}.`,
            value: challenge,
          };
    },
  }),
  answers(
    'unspecified/scheme-in-lower-case',
    'The right token after "bearer" in lower case',
    AUTHENTICATION,
    'The header is shown as "Bearer <ACCESS_TOKEN>"; RFC 9110, section 11.1, ignores the case of schemes.',
    'scheme-in-lower-case',
  ),
  answers(
    'unspecified/two-spaces',
    'The right token after two spaces',
    AUTHENTICATION,
    'The header is shown with one space; RFC 9110, section 11.4, allows more.',
    'two-spaces',
  ),
  answers(
    'unspecified/two-authorizations',
    'A request with the right token and a wrong one in two headers',
    AUTHENTICATION,
    'Every request carries the header; two of them are not spoken of.',
    'two-authorizations',
  ),
];

const ids = [
  answers('unspecified/repeated-id', 'A repeated id', ENDPOINTS, NOT_SHOWN.repeated, 'repeated-id', 1),
  answers(
    'unspecified/repeated-id-with-another-name',
    'A repeated id with another name',
    ENDPOINTS,
    NOT_SHOWN.repeated,
    'repeated-id',
    2,
  ),
  answers('unspecified/id-zero', 'The id 0, which may be taken,', RESOURCES, NOT_SHOWN.id, 'id-zero'),
  answers('unspecified/id-negative', 'A negative id', RESOURCES, NOT_SHOWN.id, 'id-negative'),
  answers(
    'unspecified/id-near-lower-end',
    'An id just above -2^63',
    RESOURCES,
    NOT_SHOWN.id,
    'id-near-lower-end',
  ),
  answers(
    'unspecified/id-at-upper-end',
    'The id 2^63 - 1, which may be taken,',
    RESOURCES,
    NOT_SHOWN.id,
    'id-at-upper-end',
  ),
  answers(
    'unspecified/id-at-lower-end',
    'The id -2^63, which may be taken,',
    RESOURCES,
    NOT_SHOWN.id,
    'id-at-lower-end',
  ),
  answers(
    'unspecified/id-with-zero-fraction',
    'An id written 7.0',
    RESOURCES,
    NOT_SHOWN.json,
    'id-with-zero-fraction',
  ),
];

const texts = [
  answers('unspecified/repeated-name', 'A repeated name', RESOURCES, NOT_SHOWN.text, 'repeated-name'),
  answers('unspecified/empty-name', 'An empty name', RESOURCES, NOT_SHOWN.text, 'name-with-empty'),
  answers('unspecified/empty-tag', 'An empty tag', RESOURCES, NOT_SHOWN.text, 'tag-with-empty'),
  tells({
    id: 'unspecified/names-refused',
    title: 'Which names are refused?',
    source: RESOURCES,
    why: NOT_SHOWN.text,
    judges: nameTextProbes.map(({ name }) => name),
    observe: (exchanges, evidence) => refusedTexts('name', exchanges, evidence),
  }),
  tells({
    id: 'unspecified/tags-refused',
    title: 'Which tags are refused?',
    source: RESOURCES,
    why: NOT_SHOWN.text,
    judges: tagTextProbes.map(({ name }) => name),
    observe: (exchanges, evidence) => refusedTexts('tag', exchanges, evidence),
  }),
  answers(
    'unspecified/lone-surrogate',
    'A name with half a surrogate pair',
    RESOURCES,
    NOT_SHOWN.json,
    'lone-surrogate',
  ),
];

const bodies = [
  answers('unspecified/unknown-field', 'An unknown field', RESOURCES, NOT_SHOWN.field, 'unknown-field'),
  answers('unspecified/repeated-key', 'A key that occurs twice', CONTENT, NOT_SHOWN.json, 'repeated-key'),
  answers(
    'unspecified/byte-order-mark',
    'A byte-order mark before the JSON',
    CONTENT,
    NOT_SHOWN.json,
    'byte-order-mark',
  ),
  answers(
    'unspecified/malformed-utf-8',
    'A name that is malformed UTF-8',
    CONTENT,
    NOT_SHOWN.json,
    'malformed-utf-8',
  ),
  answers('unspecified/not-a-number', 'NaN in an unknown field', CONTENT, NOT_SHOWN.json, 'not-a-number'),
  answers(
    'unspecified/no-media-type',
    'JSON without a Content-Type',
    CONTENT,
    NOT_SHOWN.mediaType,
    'no-media-type',
  ),
  answers('unspecified/text-plain', 'JSON as text/plain', CONTENT, NOT_SHOWN.mediaType, 'text-plain'),
  answers(
    'unspecified/json-suffix',
    'JSON as application/vnd.api+json',
    CONTENT,
    NOT_SHOWN.mediaType,
    'json-suffix',
  ),
  answers('unspecified/other-charset', 'JSON in UTF-16', CONTENT, NOT_SHOWN.mediaType, 'other-charset'),
  answers('unspecified/large-body', 'A body of 1.2 MB', LIMITS, NOT_SHOWN.limits, 'large-body'),
  answers('unspecified/chunked-body', 'A body in chunks', CONTENT, NOT_SHOWN.http, 'chunked-body'),
  answers('unspecified/compressed-body', 'A body in gzip', CONTENT, NOT_SHOWN.http, 'compressed-body'),
];

const elsewhere = [
  answers(
    'unspecified/query',
    'A query after the path',
    { section: 'Endpoints', pointer: '/paths/~1plants/post' },
    'No query parameters are shown.',
    'query',
  ),
  answers('unspecified/get', 'GET /plants', SERVICE, NOT_SHOWN.other, 'get'),
  answers('unspecified/options', 'OPTIONS /plants', SERVICE, NOT_SHOWN.other, 'options'),
  answers('unspecified/unknown-path', 'An unknown path', SERVICE, NOT_SHOWN.other, 'unknown-path'),
];

/** What the interface calls "not shown", or does not speak of: each is recorded, and none is demanded. */
export const unspecifiedRules = [...refusals, ...authentication, ...ids, ...texts, ...bodies, ...elsewhere];
