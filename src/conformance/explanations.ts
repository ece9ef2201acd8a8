import type { DemandId } from './rules/index.js';

/** What a provider team wants to know of a rule beside what it demands. */
export interface Explanation {
  /** How it is usually broken. */
  readonly broken: string;
  /** How to mend that. */
  readonly mend: string;
}

/** For every rule that demands something; a rule without one does not compile. */
export const explanations: Readonly<Record<DemandId, Explanation>> = {
  'success/status-is-200': {
    broken: 'A framework answers a creation with 201 or 204 by itself, or a handler fails on a valid plant.',
    mend: 'Set the status of a creation to 200; where it is a 5xx, look for the exception in the log.',
  },
  'success/tag-is-optional': {
    broken: 'A schema lists "tag" among the required fields, or a validator refuses every tag.',
    mend: 'Require "name" and "id" only.',
  },
  'success/plain-names-are-accepted': {
    broken:
      'A limit on the length of names is too tight, or a word such as "null" is taken for a missing value.',
    mend: 'Let names be 30 letters long at least, and tell a missing name from a text by its type.',
  },
  'success/plain-tags-are-accepted': {
    broken: 'Tags are held against a list, or the word "null" is taken for no tag.',
    mend: 'Accept any lower-case word as a tag.',
  },
  'success/body-comes-whole': {
    broken:
      'Content-Length counts characters where it has to count bytes, or the connection is closed too soon.',
    mend: 'Leave the length of the body to the server, or count the bytes of its UTF-8.',
  },
  'success/media-type-is-json': {
    broken: 'The body is written as text, so that the server calls it text/plain or text/html.',
    mend: 'Answer with Content-Type: application/json.',
  },
  'success/body-is-json': {
    broken: 'The body is empty, begins with a byte-order mark, or is encoded in another charset than UTF-8.',
    mend: 'Write the Plant with a JSON library, as UTF-8 without a byte-order mark.',
  },
  'success/body-is-a-plant': {
    broken: 'The plant is wrapped in another object, or an absent tag is written as null.',
    mend: 'Answer with an object that has "name", and "tag" only where the plant has one.',
  },
  'success/plant-fields-only': {
    broken: 'The stored record is serialised as it is: its id, times and unknown fields come out as well.',
    mend: 'Answer with a type of its own that has "name" and "tag" only.',
  },
  'success/name-comes-back': {
    broken: 'The answer is a fixed example, or the name is changed on its way into the store.',
    mend: 'Answer with the name as it was received.',
  },
  'success/tag-comes-back': {
    broken: 'The tag is not stored, or stored in another form.',
    mend: 'Answer with the tag as it was received.',
  },
  'success/texts-come-back': {
    broken:
      'Texts are trimmed, normalised, escaped for HTML, or stored in a charset that lacks their characters.',
    mend: 'Keep texts as they are (in MySQL as utf8mb4); escape them where they are shown, not where they are stored.',
  },
  'success/absent-tag-stays-absent': {
    broken: 'An absent tag is serialised as null or as an empty text.',
    mend: 'Leave the member "tag" out where there is none.',
  },
  'auth/missing-token-is-refused': {
    broken: 'Authentication is not switched on for this route, or is optional by default.',
    mend: 'Require a bearer token on every route.',
  },
  'auth/wrong-token-is-refused': {
    broken: 'Only that there is a token is checked, not which; or a gateway that checks it was left out.',
    mend: 'Verify the token itself.',
  },
  'auth/near-miss-token-is-refused': {
    broken: 'Tokens are compared by their beginning, or without regard to case.',
    mend: 'Compare whole tokens exactly, in constant time.',
  },
  'auth/empty-authorization-is-refused': {
    broken: 'An empty header counts as "no credentials", and no credentials as "no need of any".',
    mend: 'Refuse whatever is not "Bearer" and a right token.',
  },
  'auth/empty-token-is-refused': {
    broken: 'The text after "Bearer" is compared with a token that is empty in the configuration.',
    mend: 'Refuse an empty token before comparing, and an empty token in the configuration at the start.',
  },
  'auth/other-scheme-is-refused': {
    broken: 'The header is split at the space and its first half is not looked at.',
    mend: 'Check the scheme before the token.',
  },
  'auth/bare-token-is-refused': {
    broken: 'The scheme is cut off where it is there, and not missed where it is not.',
    mend: 'Require the scheme.',
  },
  'auth/token-in-query-is-refused': {
    broken:
      'A library looks for the token in the query and the body as well (RFC 6750 names all three places).',
    mend: 'Configure it to take the token from the header only.',
  },
  'auth/token-in-body-is-refused': {
    broken:
      'A library looks for the token in the query and the body as well (RFC 6750 names all three places).',
    mend: 'Configure it to take the token from the header only.',
  },
  'auth/connection-is-not-authenticated': {
    broken: 'The user is kept on the connection or the thread instead of on the request.',
    mend: 'Authenticate each request by its own header.',
  },
  'request/media-type-parameters-are-accepted': {
    broken: 'Content-Type is compared with "application/json" as a text.',
    mend: 'Compare the media type up to the semicolon.',
  },
  'request/media-type-case-is-ignored': {
    broken: 'Content-Type is compared with "application/json" as a text.',
    mend: 'Compare media types without regard to case.',
  },
  'request/spelling-of-json-is-ignored': {
    broken: 'The body is taken apart by a pattern, or by a reader of its own.',
    mend: 'Read the body with a JSON library.',
  },
  'request/body-is-required': {
    broken: 'An empty body is read as an empty object, and defaults fill it.',
    mend: 'Refuse a request without a body.',
  },
  'request/body-is-json': {
    broken:
      'A lenient reader takes comments, single quotes or trailing commas, or other media types are read too.',
    mend: 'Use a strict JSON reader, and read nothing but JSON.',
  },
  'request/nothing-follows-the-json': {
    broken:
      'A streaming decoder reads one value and does not look whether more follows (in Go, json.Decoder).',
    mend: 'After the value, see that the body has ended.',
  },
  'request/body-is-an-object': {
    broken: 'An array is unwrapped, or members are read from a value that has none.',
    mend: 'See that the body is an object before anything else.',
  },
  'request/name-is-required': {
    broken: 'A missing name becomes an empty text.',
    mend: 'Tell a missing field from an empty one, and refuse it.',
  },
  'request/id-is-required': {
    broken: 'A missing id becomes 0, or the store makes one up.',
    mend: 'Tell a missing field from 0, and refuse it.',
  },
  'request/name-is-a-string': {
    broken: 'The framework converts other types to text.',
    mend: 'Turn type conversion off, and check types before the fields are bound.',
  },
  'request/tag-is-a-string': {
    broken: 'The framework converts other types to text, or takes null for a missing tag.',
    mend: 'Turn type conversion off, and tell null from a missing field.',
  },
  'request/id-is-an-integer': {
    broken: 'The framework turns text into numbers, or cuts fractions off.',
    mend: 'Turn type conversion off, and refuse what is no integer.',
  },
  'request/int64-ids-are-accepted': {
    broken: 'The id is a 32-bit integer in the code or in the database, or a double.',
    mend: 'Use a 64-bit type from the reader of JSON to the column of the database.',
  },
  'request/id-is-within-int64': {
    broken: 'Numbers that do not fit wrap around, are cut to the end of the range, or become a double.',
    mend: 'Refuse what does not fit a 64-bit integer, before it is converted.',
  },
  'request/ids-are-exact': {
    broken: 'The id is read as a double (in JavaScript, JSON.parse), or cut to 32 bits.',
    mend: 'Read ids as 64-bit integers; in JavaScript, as BigInt from the text.',
  },
  'failure/refusal-is-4xx': {
    broken: 'Bad input meets an exception that nobody catches, or a missing token leads to a login page.',
    mend: 'Validate before the input is used, and answer with 400.',
  },
  'failure/body-comes-whole': {
    broken:
      'The connection is closed before the error body was written, or its length is that of another body.',
    mend: 'Leave the length of the body to the server, and close nothing before it has been sent.',
  },
  'failure/media-type-is-json': {
    broken: "The framework's own error page or problem+json answers in the place of the application.",
    mend: 'Register an error handler that answers with application/json for every failure.',
  },
  'failure/body-is-an-error': {
    broken: "The framework's own error body answers in the place of the application.",
    mend: 'Register an error handler that answers with "error" and "message" for every failure.',
  },
  'failure/error-is-an-int32': {
    broken: '"error" is a text or an object: many frameworks use the word in another sense.',
    mend: 'Put an integer of 32 bits into "error".',
  },
  'failure/message-is-a-string': {
    broken: '"message" is a list of messages, or null where there is no text.',
    mend: 'Put one text into "message".',
  },
  'state/bad-request-spoils-nothing': {
    broken: 'A reader, a transaction or a connection to the database is left in disorder by an exception.',
    mend: 'Clean up after each request, whatever became of it.',
  },
  'state/refused-plant-is-not-stored': {
    broken: 'The plant is stored, or its id reserved, before everything has been checked.',
    mend: 'Check first, and store in one transaction.',
  },
  'state/equal-ids-side-by-side': {
    broken: 'Whether there is such an id is looked up first, and the plant is stored afterwards.',
    mend: 'Leave it to the store: a unique index, or an insertion that fails where the id exists.',
  },
  'state/answers-do-not-mix': {
    broken: 'What belongs to a request is kept in a variable that all requests share.',
    mend: 'Keep the plant of a request in that request.',
  },
};
