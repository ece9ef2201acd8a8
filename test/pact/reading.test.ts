import { describe, expect, test } from 'vitest';
import { readPact } from '../../src/pact/pacts.js';

const parties = '"consumer":{"name":"a"},"provider":{"name":"b"}';

function only(interaction: string, metadata = '{}') {
  const text = `{${parties},"interactions":[${interaction}],"metadata":${metadata}}`;
  const pact = readPact(text, 'here');
  return { pact, interaction: pact.interactions[0] };
}

describe('a pact is read', () => {
  test('in version 2: one state, plain bodies', () => {
    const { pact, interaction } = only(
      `{"description":"d","providerState":"s","request":{"method":"post","path":"/plants",
        "headers":{"Content-Type":"application/json"},"body":{"id": 9223372036854775807 }},
        "response":{"status":200,"body":"text"}}`,
      '{"pactSpecificationVersion":"2.0.0"}',
    );
    expect(pact).toMatchObject({ consumer: 'a', provider: 'b' });
    expect(interaction).toMatchObject({
      ...{ description: 'd', pending: false },
      states: [{ name: 's', params: {} }],
      request: {
        method: 'POST',
        headers: [['Content-Type', 'application/json']],
        body: {
          text: '{"id":9223372036854775807}',
          value: { id: 9223372036854775807n },
          contentType: undefined,
        },
      },
      response: { status: 200, statuses: [200], body: { text: 'text', value: undefined } },
    });
  });

  test('in version 4: states with parameters, bodies with a type, several values of a field', () => {
    const { interaction } = only(
      `{"description":"d","type":"Synchronous/HTTP","pending":true,
        "providerStates":[{"name":"s","params":{"id":9007199254740993}},{"name":"t"}],
        "request":{"method":"POST","path":"/plants","headers":{"X":["1","2"]},
          "body":{"content":{"id":1.0},"contentType":"application/json","encoded":false}},
        "response":{"status":400,"matchingRules":{"status":{"$":{"matchers":[{"match":"statusCode","status":"clientError"}]}}},
          "body":{"content":"eyJlcnJvciI6MX0=","contentType":"application/json","encoded":"base64"}}}`,
      '{"pactSpecification":{"version":"4.0"}}',
    );
    expect(interaction).toMatchObject({
      pending: true,
      states: [
        { name: 's', params: { id: 9007199254740993n } },
        { name: 't', params: {} },
      ],
      request: {
        headers: [
          ['X', '1'],
          ['X', '2'],
        ],
        body: { text: '{"id":1}', contentType: 'application/json' },
      },
      response: {
        statuses: Array.from({ length: 100 }, (_, at) => 400 + at),
        body: { value: { error: 1 } },
      },
    });
  });

  test('with defaults, and a body that is not JSON', () => {
    const { interaction } = only(
      `{"description":"d","providerStates":"s","request":{},
        "response":{"headers":{"content-type":"text/csv"},"body":{"content":"YSxi","encoded":"base64"}}}`,
    );
    expect(interaction).toMatchObject({
      states: [{ name: 's', params: {} }],
      request: { method: 'GET', path: '/', headers: [], body: undefined },
      response: { status: 200, body: { text: 'a,b', value: undefined, contentType: undefined } },
    });
  });

  test('with a body that is JSON in a string, and one without content', () => {
    const { interaction } = only(
      `{"description":"d","request":{"body":{"content":"{\\"id\\": 1.0}","contentType":"a/b","encoded":"json"}},
        "response":{"body":{"content":null,"contentType":"application/json","encoded":false}}}`,
    );
    expect(interaction?.request.body).toMatchObject({ text: '{"id": 1.0}', contentType: 'a/b' });
    expect(interaction?.response.body).toMatchObject({ value: null });
  });
});

test.each([
  [
    '{',
    'here is not a pact: it is not JSON: expected a key in double quotes, got the end of the text, at line 1, column 2',
  ],
  [`{${parties}}`, 'here is not a pact: /interactions is not an array'],
  ['{"consumer":{},"interactions":[]}', 'here is not a pact: /consumer/name is not a string'],
  [
    `{${parties},"interactions":[{"type":"Asynchronous/Messages"}]}`,
    'here is not a pact: /interactions/0/type is not Synchronous/HTTP, but Asynchronous/Messages',
  ],
  [`{${parties},"interactions":[{}]}`, 'here is not a pact: /interactions/0/description is not a string'],
  [
    `{${parties},"interactions":[{"description":"d","request":{},"response":{"status":"200"}}]}`,
    'here is not a pact: /interactions/0/response/status is not a number',
  ],
  [
    `{${parties},"interactions":[{"description":"d","request":{"path":["/plants"]},"response":{}}]}`,
    'here is not a pact: /interactions/0/request/path is not a string',
  ],
])('%s is rejected with what is wrong and where', (text, message) => {
  expect(() => readPact(text, 'here')).toThrow(expect.objectContaining({ code: 'invalid-pact', message }));
});
