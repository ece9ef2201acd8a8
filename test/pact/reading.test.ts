import { expect, test } from 'vitest';
import { readPact } from '../../src/pact/pacts.js';

const parties = '"consumer":{"name":"a"},"provider":{"name":"b"}';

// What a pact says in its versions is tested through audits: see audit/rows.ts.
test('a body may be bytes in base64, and much of an interaction may be left out', () => {
  const interaction = `{"description":"d","providerStates":"s","request":{},
    "response":{"headers":{"X":["1","2"]},"body":{"content":"YSxi","encoded":"base64"}}}`;
  const [read] = readPact(`{${parties},"interactions":[${interaction}]}`, 'here').interactions;
  expect(read).toMatchObject({
    states: [{ name: 's', params: {} }],
    pending: false,
    request: { method: 'GET', path: '/', headers: [], body: undefined },
    response: {
      status: 200,
      statuses: [200],
      headers: [
        ['X', '1'],
        ['X', '2'],
      ],
      body: { text: 'a,b', value: undefined, contentType: undefined },
    },
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
