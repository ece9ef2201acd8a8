import { ANY_REFUSAL, type InteractionPatch, matchers } from './one-interaction.js';

/** One pact of one interaction, and what is to be found in it. */
export interface Row {
  readonly title: string;
  readonly patch: InteractionPatch;
  /** Exactly these: the kind, and the pointer behind `/interactions/0`. */
  readonly problems: readonly string[];
  /** What `@pactflow/openapi-pact-comparator` does with the same pact when nobody helps it. */
  readonly comparator: 'agrees' | 'finds' | 'misses' | 'false alarm';
}

const TYPE = matchers({ match: 'type' });
const INTEGER = matchers({ match: 'integer' });
const LOOSE_ERROR = { body: { '$.error': INTEGER, '$.message': TYPE } };
const REFUSAL = { status: 400, body: { error: 1, message: 'refused' }, matchingRules: LOOSE_ERROR };
const NO_TOKEN = { headers: { Authorization: undefined } };
const NO_PLANT = { name: 'no plant with id', params: { id: 7 } };
const PLANT_EXISTS = { name: 'a plant with id exists', params: { id: 7, name: 'Aloe' } };
const TOKEN_NOT_VALID = { name: 'the token is not valid', params: { token: 'example' } };

/** A body of V4 that is kept as text, to the letter. */
const asText = (content: string) => ({ content, contentType: 'application/json', encoded: 'JSON' });

/** A generator that takes a value from what the set-up of a provider state gives. */
const fromState = (name: string) => ({ type: 'ProviderState', expression: `\${${name}}` });

/** What is as it should be. */
const GOOD: readonly Omit<Row, 'problems'>[] = [
  {
    title: 'a plain creation in V2',
    patch: { version: '2.0.0', state: 'there is room' },
    comparator: 'agrees',
  },
  { title: 'a plain creation in V3', patch: { states: [NO_PLANT] }, comparator: 'agrees' },
  { title: 'a plain creation in V4', patch: { version: '4.0', states: [NO_PLANT] }, comparator: 'agrees' },
  {
    title: 'a creation with a tag, names by type in V2',
    patch: {
      version: '2.0.0',
      request: { body: { name: 'Aloe', id: 7, tag: 'succulent' } },
      response: {
        body: { name: 'Fern', tag: 'indoor' },
        matchingRules: { '$.body.name': { match: 'type' }, "$.body['tag']": { match: 'type' } },
      },
    },
    comparator: 'agrees',
  },
  {
    title: 'a whole body by type in V2',
    patch: {
      version: '2.0.0',
      response: { body: { name: 'Fern' }, matchingRules: { '$.body': { match: 'type' } } },
    },
    comparator: 'agrees',
  },
  {
    title: 'a whole body by type in V3',
    patch: { response: { body: { name: 'Fern' }, matchingRules: { body: { $: TYPE } } } },
    comparator: 'agrees',
  },
  {
    title: 'a name by a pattern that it matches in V4',
    patch: {
      version: '4.0',
      response: {
        body: { name: 'Fern' },
        matchingRules: { body: { '$.name': matchers({ match: 'regex', regex: '[A-Z][a-z]+' }) } },
      },
    },
    comparator: 'agrees',
  },
  {
    title: 'a pattern of the media type with room for a charset in V2',
    patch: {
      version: '2.0.0',
      response: {
        matchingRules: { '$.headers.Content-Type': { match: 'regex', regex: '^application\\/json.*$' } },
      },
    },
    comparator: 'agrees',
  },
  {
    title: 'a pattern of the media type with room for a charset in V3',
    patch: {
      response: {
        headers: { 'Content-Type': 'application/json; charset=utf-8' },
        matchingRules: {
          header: { 'content-type': matchers({ match: 'regex', regex: 'application/json(;.*)?' }) },
        },
      },
    },
    comparator: 'agrees',
  },
  {
    title: 'the pattern of the media type that Pact for the JVM writes by itself',
    patch: {
      response: {
        headers: { 'Content-Type': 'application/json; charset=UTF-8' },
        matchingRules: {
          header: {
            'Content-Type': matchers({
              match: 'regex',
              regex: 'application/json(;\\s?charset=[\\w\\-]+)?',
            }),
          },
        },
      },
    },
    comparator: 'agrees',
  },
  {
    title: 'a request with a charset',
    patch: { request: { headers: { 'Content-Type': 'application/json; charset=utf-8' } } },
    comparator: 'agrees',
  },
  {
    title: 'a request with a custom header',
    patch: { request: { headers: { 'X-Request-Id': 'abc' } } },
    comparator: 'false alarm',
  },
  {
    title: 'a request that accepts JSON among others',
    patch: { request: { headers: { Accept: 'text/html;q=0.8, application/json' } } },
    comparator: 'false alarm',
  },
  {
    title: 'a base URL with a path of its own',
    patch: { request: { path: '/v1/plants' } },
    comparator: 'false alarm',
  },
  {
    title: 'any success',
    patch: {
      version: '4.0',
      response: {
        status: 201,
        matchingRules: { status: matchers({ match: 'statusCode', status: 'success' }) },
      },
    },
    comparator: 'false alarm',
  },
  {
    title: 'a list of statuses with the documented one in it',
    patch: {
      version: '4.0',
      request: NO_TOKEN,
      response: {
        ...REFUSAL,
        status: 401,
        matchingRules: { ...LOOSE_ERROR, status: matchers({ match: 'statusCode', status: [400, 401] }) },
      },
    },
    comparator: 'false alarm',
  },
  {
    title: 'the upper end of int64',
    patch: { request: { body: { name: 'Aloe', id: 9223372036854775807n } } },
    comparator: 'agrees',
  },
  {
    title: 'the lower end of int64 in V4',
    patch: { version: '4.0', request: { body: { name: 'Aloe', id: -9223372036854775808n } } },
    comparator: 'agrees',
  },
  {
    title: 'an exact id in a body that is written as text in V4',
    patch: {
      version: '4.0',
      request: {
        body: asText('{"name":"Aloe","id":9007199254740993}'),
      },
    },
    comparator: 'agrees',
  },
  {
    title: 'bodies that are texts in V2, as one may write them',
    patch: {
      version: '2.0.0',
      request: { body: '{"name":"Aloe","id":7}' },
      response: { body: '{"name":"Aloe"}' },
    },
    comparator: 'false alarm',
  },
  {
    title: 'an id and a name from the provider state',
    patch: {
      version: '4.0',
      states: [NO_PLANT],
      request: {
        body: { name: 'Aloe', id: 'from the state' },
        generators: { body: { '$.id': fromState('id') } },
      },
      response: {
        body: { name: 'another' },
        generators: { body: { '$.name': fromState('name') } },
      },
    },
    comparator: 'false alarm',
  },
  {
    title: 'a token from the provider state',
    patch: {
      request: {
        headers: { Authorization: 'put in later' },
        generators: { header: { Authorization: fromState('token') } },
      },
    },
    comparator: 'false alarm',
  },
  {
    title: 'a token that is only an example',
    patch: { request: { headers: { Authorization: 'Bearer <ACCESS_TOKEN>' } } },
    comparator: 'agrees',
  },
  {
    title: 'a response of which only a part is used',
    patch: {
      request: { body: { name: 'Aloe', id: 7, tag: 'succulent' } },
      response: { body: { tag: 'succulent' } },
    },
    comparator: 'agrees',
  },
  {
    title: 'a response of which only the status is used',
    patch: { response: { headers: {}, body: undefined } },
    comparator: 'agrees',
  },
  {
    title: 'an Error of which only the message is used',
    patch: { request: { body: { id: 7 } }, response: { ...REFUSAL, body: { message: 'no name' } } },
    comparator: 'agrees',
  },
  {
    title: 'a refusal of a plant without a name, V2',
    patch: {
      version: '2.0.0',
      request: { body: { id: 7 } },
      response: {
        ...REFUSAL,
        matchingRules: { '$.body.error': { match: 'integer' }, '$.body.message': { match: 'type' } },
      },
    },
    comparator: 'agrees',
  },
  {
    title: 'a refusal of an id that is a text, any 4xx',
    patch: { version: '4.0', request: { body: { name: 'Aloe', id: '7' } }, response: ANY_REFUSAL },
    comparator: 'agrees',
  },
  {
    title: 'a refusal of an id past the end of int64',
    patch: {
      version: '4.0',
      request: { body: { name: 'Aloe', id: 9223372036854775808n } },
      response: ANY_REFUSAL,
    },
    comparator: 'agrees',
  },
  {
    title: 'a refusal of a tag that is null',
    patch: { request: { body: { name: 'Aloe', id: 7, tag: null } }, response: REFUSAL },
    comparator: 'agrees',
  },
  {
    title: 'a refusal without a token',
    patch: { version: '4.0', request: NO_TOKEN, response: ANY_REFUSAL },
    comparator: 'agrees',
  },
  {
    title: 'a refusal without a token, the example being 401',
    patch: { version: '4.0', request: NO_TOKEN, response: { ...ANY_REFUSAL, status: 401 } },
    comparator: 'false alarm',
  },
  {
    title: 'a refusal of another scheme',
    patch: { version: '4.0', request: { headers: { Authorization: 'Basic YTpi' } }, response: ANY_REFUSAL },
    comparator: 'agrees',
  },
  {
    title: 'a refusal of a token that the state calls invalid',
    patch: { version: '4.0', states: [TOKEN_NOT_VALID], response: ANY_REFUSAL },
    comparator: 'agrees',
  },
  {
    title: 'a refusal of a token that the description calls expired',
    patch: { version: '4.0', description: 'a creation with an expired token', response: ANY_REFUSAL },
    comparator: 'agrees',
  },
  {
    title: 'a refusal of a token that calls itself wrong',
    patch: { version: '4.0', request: { headers: { Authorization: 'Bearer wrong' } }, response: ANY_REFUSAL },
    comparator: 'agrees',
  },
  {
    title: 'a refusal that a state of its own may explain',
    patch: { version: '4.0', states: [{ name: 'the store is closed' }], response: ANY_REFUSAL },
    comparator: 'agrees',
  },
  {
    title: 'an Error by patterns that say nothing',
    patch: {
      request: NO_TOKEN,
      response: {
        ...REFUSAL,
        matchingRules: {
          body: {
            '$.error': matchers({ match: 'regex', regex: '-?\\d+' }),
            '$.message': matchers({ match: 'regex', regex: '.*' }),
          },
        },
      },
    },
    comparator: 'agrees',
  },
  {
    title: 'a matcher of a plugin',
    patch: {
      request: NO_TOKEN,
      response: { ...REFUSAL, matchingRules: { body: { $: matchers({ match: 'text-like' }) } } },
    },
    comparator: 'agrees',
  },
  {
    title: 'a success or a failure, whichever comes',
    patch: {
      version: '4.0',
      request: { body: { name: 'Aloe' } },
      response: {
        body: undefined,
        matchingRules: { status: matchers({ match: 'statusCode', status: [200, 400] }) },
      },
    },
    comparator: 'false alarm',
  },
  {
    title: 'a media type from the provider state',
    patch: {
      request: {
        headers: { 'Content-Type': 'put in later' },
        generators: { header: { 'Content-Type': fromState('type') } },
      },
    },
    comparator: 'false alarm',
  },
  {
    title: 'a body of V4 whose media type stands beside it alone',
    patch: { version: '4.0', request: { headers: { 'Content-Type': undefined } } },
    comparator: 'false alarm',
  },
  {
    title: 'another id exists than the one that is created',
    patch: { states: [{ name: 'a plant with id exists', params: { id: '8', name: 'Fern' } }] },
    comparator: 'agrees',
  },
];

/** What asks for more than the interface promises. */
const WRONG: readonly Row[] = [
  {
    title: 'a list of plants',
    patch: { request: { method: 'GET', body: undefined }, response: { body: undefined } },
    problems: ['unknown-operation /request/method'],
    comparator: 'finds',
  },
  {
    title: 'another path',
    patch: { request: { path: '/plants/' } },
    problems: ['unknown-operation /request/path'],
    comparator: 'finds',
  },
  {
    title: 'a query parameter in V2',
    patch: { version: '2.0.0', request: { query: 'notify=true' } },
    problems: ['unknown-parameter /request/query'],
    comparator: 'finds',
  },
  {
    title: 'a query parameter in V4',
    patch: { version: '4.0', request: { query: { notify: ['true'] } } },
    problems: ['unknown-parameter /request/query/notify'],
    comparator: 'finds',
  },
  {
    title: 'a 200 without a token',
    patch: { request: NO_TOKEN },
    problems: ['no-valid-token /request/headers'],
    comparator: 'finds',
  },
  {
    title: 'a 200 with another scheme',
    patch: { request: { headers: { Authorization: 'Basic YTpi' } } },
    problems: ['no-valid-token /request/headers/Authorization'],
    comparator: 'finds',
  },
  {
    title: 'a 200 with a scheme and no token',
    patch: { request: { headers: { Authorization: 'Bearer ' } } },
    problems: ['no-valid-token /request/headers/Authorization'],
    comparator: 'finds',
  },
  {
    title: 'a 200 with a token that the state calls invalid',
    patch: { states: [TOKEN_NOT_VALID] },
    problems: ['no-valid-token /request/headers/Authorization'],
    comparator: 'misses',
  },
  {
    title: 'a 200 for a plant without a name',
    patch: { request: { body: { id: 7 } } },
    problems: ['invalid-request /request/body'],
    comparator: 'misses',
  },
  {
    title: 'a 200 for an id that is a text in V4',
    patch: { version: '4.0', request: { body: { name: 'Aloe', id: '7' } } },
    problems: ['invalid-request /request/body/content/id'],
    comparator: 'finds',
  },
  {
    title: 'a 200 for an id past the end of int64',
    patch: { request: { body: { name: 'Aloe', id: 9223372036854775808n } } },
    problems: ['invalid-request /request/body/id'],
    comparator: 'misses',
  },
  {
    title: 'a 200 for an id with a fraction',
    patch: { request: { body: { name: 'Aloe', id: 1.5 } } },
    problems: ['invalid-request /request/body/id'],
    comparator: 'finds',
  },
  {
    title: 'a 200 for a tag that is null',
    patch: { request: { body: { name: 'Aloe', id: 7, tag: null } } },
    problems: ['invalid-request /request/body/tag'],
    comparator: 'finds',
  },
  {
    title: 'a 200 without a body',
    patch: { request: { body: undefined } },
    problems: ['invalid-request /request'],
    comparator: 'finds',
  },
  {
    title: 'a 200 for a body that is no JSON',
    patch: { request: { body: '{"name":' } },
    problems: ['invalid-request /request/body'],
    comparator: 'finds',
  },
  {
    title: 'a 200 for an unknown field',
    patch: { request: { body: { name: 'Aloe', id: 7, colour: 'green' } } },
    problems: ['unknown-field /request/body/colour'],
    comparator: 'misses',
  },
  {
    title: 'a refusal of an unknown field',
    patch: { request: { body: { name: 'Aloe', id: 7, colour: 'green' } }, response: REFUSAL },
    problems: ['not-shown /request/body/colour'],
    comparator: 'misses',
  },
  {
    title: 'a key that stands twice in a body written as text',
    patch: {
      version: '4.0',
      request: {
        body: asText('{"name":"Fern","name":"Aloe","id":7}'),
      },
    },
    problems: ['duplicate-key /request/body/content'],
    comparator: 'misses',
  },
  {
    title: 'an id with a fraction of zero',
    patch: { version: '4.0', request: { body: asText('{"name":"Aloe","id":7.0}') } },
    problems: ['not-shown /request/body/content'],
    comparator: 'misses',
  },
  {
    title: 'a 200 for a request without Content-Type',
    patch: { request: { headers: { 'Content-Type': undefined } } },
    problems: ['media-type /request/headers'],
    comparator: 'finds',
  },
  {
    title: 'a 200 for a request in plain text',
    patch: { request: { headers: { 'Content-Type': 'text/plain' } } },
    problems: ['media-type /request/headers/Content-Type'],
    comparator: 'finds',
  },
  {
    title: 'a 200 for a request in a media type that only resembles JSON',
    patch: { request: { headers: { 'Content-Type': 'application/vnd.plants+json' } } },
    problems: ['media-type /request/headers/Content-Type'],
    comparator: 'misses',
  },
  {
    title: 'a refusal of another media type',
    patch: { version: '4.0', request: { headers: { 'Content-Type': 'text/plain' } }, response: ANY_REFUSAL },
    problems: ['not-shown /request/headers/Content-Type'],
    comparator: 'finds',
  },
  {
    title: 'HTML is wanted back',
    patch: { request: { headers: { Accept: 'text/html' } } },
    problems: ['media-type /request/headers/Accept'],
    comparator: 'finds',
  },
  {
    title: 'a refusal of a valid creation with a new id',
    patch: { version: '4.0', states: [NO_PLANT], response: ANY_REFUSAL },
    problems: ['refused-valid-request /response/status'],
    comparator: 'misses',
  },
  {
    title: 'a refusal of an id beyond 2^31',
    patch: { request: { body: { name: 'Aloe', id: 3_000_000_000 } }, response: REFUSAL },
    problems: ['refused-valid-request /response/status'],
    comparator: 'misses',
  },
  {
    title: 'a refusal of an empty name',
    patch: { request: { body: { name: '', id: 7 } }, response: REFUSAL },
    problems: ['not-shown /request/body/name'],
    comparator: 'misses',
  },
  {
    title: 'a refusal of a negative id',
    patch: { request: { body: { name: 'Aloe', id: -1 } }, response: REFUSAL },
    problems: ['not-shown /request/body/id'],
    comparator: 'misses',
  },
  {
    title: 'a refusal of the id 0',
    patch: { request: { body: { name: 'Aloe', id: 0 } }, response: REFUSAL },
    problems: ['not-shown /request/body/id'],
    comparator: 'misses',
  },
  {
    title: 'a refusal of the end of int64',
    patch: { request: { body: { name: 'Aloe', id: 9223372036854775807n } }, response: REFUSAL },
    problems: ['refused-valid-request /response/status'],
    comparator: 'misses',
  },
  {
    title: 'a refusal of a plain tag',
    patch: { request: { body: { name: 'Aloe', id: 7, tag: 'succulent' } }, response: REFUSAL },
    problems: ['refused-valid-request /response/status'],
    comparator: 'misses',
  },
  {
    title: 'a refusal of a tag of two words',
    patch: { request: { body: { name: 'Aloe', id: 7, tag: 'two words' } }, response: REFUSAL },
    problems: ['not-shown /request/body/tag'],
    comparator: 'misses',
  },
  {
    title: 'a 200 for an id that exists, whichever it will be',
    patch: {
      states: [{ name: 'a plant with id exists', params: { id: 8 } }],
      request: { generators: { body: { '$.id': fromState('id') } } },
    },
    problems: ['not-shown /request/body/id'],
    comparator: 'misses',
  },
  {
    title: 'a refusal of a repeated id',
    patch: { states: [PLANT_EXISTS], response: REFUSAL },
    problems: ['not-shown /request/body/id'],
    comparator: 'misses',
  },
  {
    title: 'a 200 for a repeated id',
    patch: { version: '4.0', states: [PLANT_EXISTS] },
    problems: ['not-shown /request/body/content/id'],
    comparator: 'misses',
  },
  {
    title: 'a 409 for a repeated id',
    patch: { states: [PLANT_EXISTS], response: { ...REFUSAL, status: 409 } },
    problems: ['not-shown /request/body/id', 'not-shown /response/status'],
    comparator: 'finds',
  },
  {
    title: 'a 201',
    patch: { response: { status: 201 } },
    problems: ['undocumented-status /response/status'],
    comparator: 'finds',
  },
  {
    title: 'a redirect',
    patch: { response: { status: 303, body: undefined } },
    problems: ['undocumented-status /response/status'],
    comparator: 'finds',
  },
  {
    title: 'a 401 without a token',
    patch: { request: NO_TOKEN, response: { ...REFUSAL, status: 401 } },
    problems: ['not-shown /response/status'],
    comparator: 'finds',
  },
  {
    title: 'a 503 while the store is closed',
    patch: { states: [{ name: 'the store is closed' }], response: { ...REFUSAL, status: 503 } },
    problems: ['undocumented-status /response/status'],
    comparator: 'finds',
  },
  {
    title: 'any server error',
    patch: {
      version: '4.0',
      request: NO_TOKEN,
      response: {
        ...REFUSAL,
        status: 500,
        matchingRules: { ...LOOSE_ERROR, status: matchers({ match: 'statusCode', status: 'serverError' }) },
      },
    },
    problems: ['undocumented-status /response/status'],
    comparator: 'finds',
  },
  {
    title: 'an id in the response',
    patch: { response: { body: { name: 'Aloe', id: 7 } } },
    problems: ['unknown-field /response/body/id'],
    comparator: 'finds',
  },
  {
    title: 'a further field of an Error',
    patch: {
      request: NO_TOKEN,
      response: { ...REFUSAL, body: { error: 1, message: 'refused', details: 'none' } },
    },
    problems: ['unknown-field /response/body/details'],
    comparator: 'finds',
  },
  {
    title: 'a tag of null in the response',
    patch: { response: { body: { name: 'Aloe', tag: null } } },
    problems: ['wrong-body /response/body/tag'],
    comparator: 'finds',
  },
  {
    title: 'a name that is a number, by type',
    patch: { response: { body: { name: 7 }, matchingRules: { body: { '$.name': TYPE } } } },
    problems: ['wrong-body /response/body/name'],
    comparator: 'finds',
  },
  {
    title: 'an error past the end of int32',
    patch: {
      request: NO_TOKEN,
      response: { ...REFUSAL, body: { error: 2_147_483_648, message: 'refused' } },
    },
    problems: ['wrong-body /response/body/error'],
    comparator: 'finds',
  },
  {
    title: 'a response that is a list',
    patch: { response: { body: [{ name: 'Aloe' }] } },
    problems: ['wrong-body /response/body'],
    comparator: 'finds',
  },
  {
    title: 'a response that has to be empty',
    patch: { response: { headers: { 'Content-Type': undefined }, body: null } },
    problems: ['wrong-body /response/body'],
    comparator: 'misses',
  },
  {
    title: 'a key that stands twice in a response',
    patch: { version: '4.0', response: { body: asText('{"name":"Fern","name":"Aloe"}') } },
    problems: ['duplicate-key /response/body/content'],
    comparator: 'misses',
  },
  {
    title: 'another name than the one that is sent',
    patch: { response: { body: { name: 'Fern' } } },
    problems: ['unsent-value /response/body/name'],
    comparator: 'misses',
  },
  {
    title: 'another name, equal although the body is by type',
    patch: {
      response: {
        body: { name: 'Fern' },
        matchingRules: { body: { $: TYPE, '$.name': matchers({ match: 'equality' }) } },
      },
    },
    problems: ['unsent-value /response/body/name'],
    comparator: 'misses',
  },
  {
    title: 'a name by a pattern that it does not match',
    patch: { response: { matchingRules: { body: { '$.name': matchers({ match: 'regex', regex: 'A' }) } } } },
    problems: ['unsent-value /response/body/name'],
    comparator: 'misses',
  },
  {
    title: 'a tag that was not sent, by type',
    patch: { response: { body: { name: 'Aloe', tag: 'x' }, matchingRules: { body: { $: TYPE } } } },
    problems: ['unsent-value /response/body/tag'],
    comparator: 'misses',
  },
  {
    title: 'an Error exactly as it stands',
    patch: { request: NO_TOKEN, response: { ...REFUSAL, matchingRules: {} } },
    problems: ['exact-value /response/body/error', 'exact-value /response/body/message'],
    comparator: 'misses',
  },
  {
    title: 'a message exactly as it stands in V4',
    patch: {
      version: '4.0',
      request: NO_TOKEN,
      response: { ...REFUSAL, matchingRules: { body: { '$.error': INTEGER } } },
    },
    problems: ['exact-value /response/body/content/message'],
    comparator: 'misses',
  },
  {
    title: 'a message with a word in it',
    patch: {
      version: '2.0.0',
      request: NO_TOKEN,
      response: {
        ...REFUSAL,
        matchingRules: { '$.body.error': { match: 'type' }, '$.body.message': { regex: '.*token.*' } },
      },
    },
    problems: ['narrow-rule /response/body/message'],
    comparator: 'misses',
  },
  {
    title: 'an error that may not be negative, and a message that may not be empty',
    patch: {
      request: NO_TOKEN,
      response: {
        ...REFUSAL,
        matchingRules: {
          body: {
            '$.error': matchers({ match: 'regex', regex: '\\d+' }),
            '$.message': matchers({ match: 'notEmpty' }),
          },
        },
      },
    },
    problems: ['narrow-rule /response/body/error', 'narrow-rule /response/body/message'],
    comparator: 'misses',
  },
  {
    title: 'an error that has to be a decimal',
    patch: {
      request: NO_TOKEN,
      response: {
        ...REFUSAL,
        matchingRules: { body: { $: TYPE, '$.error': matchers({ match: 'decimal' }) } },
      },
    },
    problems: ['narrow-rule /response/body/error'],
    comparator: 'misses',
  },
  {
    title: 'a pattern that refuses a charset',
    patch: {
      response: {
        matchingRules: {
          header: { 'Content-Type': matchers({ match: 'regex', regex: '^application/json' }) },
        },
      },
    },
    problems: ['narrow-rule /response/headers/Content-Type'],
    comparator: 'misses',
  },
  {
    title: 'a charset that may not be left out',
    patch: { response: { headers: { 'Content-Type': 'application/json; charset=utf-8' } } },
    problems: ['narrow-rule /response/headers/Content-Type'],
    comparator: 'misses',
  },
  {
    title: 'a response in problem+json',
    patch: {
      version: '4.0',
      request: NO_TOKEN,
      response: { ...ANY_REFUSAL, headers: { 'Content-Type': 'application/problem+json' } },
    },
    problems: ['media-type /response/headers/Content-Type'],
    comparator: 'misses',
  },
  {
    title: 'a response in HTML',
    patch: { response: { headers: { 'Content-Type': 'text/html' }, body: undefined } },
    problems: ['media-type /response/headers/Content-Type'],
    comparator: 'finds',
  },
  {
    title: 'a Location in the response',
    patch: {
      response: { headers: { Location: '/plants/7' }, matchingRules: { header: { Location: TYPE } } },
    },
    problems: ['unpromised-header /response/headers/Location'],
    comparator: 'finds',
  },
  {
    title: 'a header of its own in the response',
    patch: { response: { headers: { 'X-Plant-Id': '7' } } },
    problems: ['unpromised-header /response/headers/X-Plant-Id'],
    comparator: 'finds',
  },
  {
    title: 'several things at once',
    patch: {
      request: { headers: { Authorization: undefined }, body: { id: '7' } },
      response: { status: 201, headers: { Server: 'x' }, body: { name: 'Aloe', id: '7' } },
    },
    problems: [
      'invalid-request /request/body',
      'invalid-request /request/body/id',
      'no-valid-token /request/headers',
      'undocumented-status /response/status',
      'unknown-field /response/body/id',
      'unpromised-header /response/headers/Server',
    ],
    comparator: 'finds',
  },
];

/** Pacts of one interaction, right ones first. */
export const rows: readonly Row[] = [...GOOD.map((row) => ({ ...row, problems: [] })), ...WRONG];
