import { type RunningPlantStore, startPlantStore } from 'plant-store-contract/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { plant, send, TOKEN } from './plant-request.js';
import { RawSocket, responseTo, wholeRequest } from './raw-socket.js';
import { rejection } from './rejection.js';

let store: RunningPlantStore;

beforeAll(async () => {
  store = await startPlantStore({ token: TOKEN });
});
beforeEach(() => store.reset());
afterAll(() => store.close());

function withAuthorization(authorization: string | string[] | undefined) {
  return send(store.url, { headers: { authorization } });
}

describe('the right token is accepted', () => {
  test.each([
    `Bearer ${TOKEN}`,
    `bearer ${TOKEN}`,
    `BEARER ${TOKEN}`,
    `bEaReR ${TOKEN}`,
    `Bearer     ${TOKEN}`,
    ` \t Bearer ${TOKEN} \t `,
  ])('Authorization: %o', async (value) => {
    expect((await withAuthorization(value)).status).toBe(200);
  });

  test.each(['a', '0', '-._~+/', 'abc=', 'abc==', '/+/+=', 'Z'.repeat(100)])(
    'every b64token of RFC 6750 can be a token: %s',
    async (token) => {
      await using other = await startPlantStore({ token });
      const response = await send(other.url, { headers: { authorization: `Bearer ${token}` } });
      expect(response.status).toBe(200);
      expect((await send(other.url)).status).toBe(400);
    },
  );

  test('the name of the header may be in any case', async () => {
    const request = wholeRequest(plant(7)).replace('Authorization', 'aUTHORIZATION');
    expect((await responseTo(store.port, request)).status).toBe(200);
  });
});

const INVALID_REQUEST = 'Bearer error="invalid_request"';
const INVALID_TOKEN = 'Bearer error="invalid_token"';
const swapped = TOKEN.replace(/[a-z]/i, (letter) =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
);

const REJECTED = [
  // value, name of the code, WWW-Authenticate, the message
  [undefined, 'authorization-missing', 'Bearer', 'Authorization header is missing'],
  ['', 'authorization-malformed', INVALID_REQUEST, 'is empty'],
  ['Bearer', 'authorization-malformed', INVALID_REQUEST, 'has no token'],
  ['Bearer ', 'authorization-malformed', INVALID_REQUEST, 'has no token'],
  [TOKEN, 'authorization-malformed', INVALID_REQUEST, 'scheme of the Authorization header is not Bearer'],
  [
    `Basic ${TOKEN}`,
    'authorization-malformed',
    INVALID_REQUEST,
    'scheme of the Authorization header is not Bearer',
  ],
  [
    `Token ${TOKEN}`,
    'authorization-malformed',
    INVALID_REQUEST,
    'scheme of the Authorization header is not Bearer',
  ],
  [
    `Bearer${TOKEN}`,
    'authorization-malformed',
    INVALID_REQUEST,
    'scheme of the Authorization header is not Bearer',
  ],
  [
    `Bearer: ${TOKEN}`,
    'authorization-malformed',
    INVALID_REQUEST,
    'scheme of the Authorization header is not Bearer',
  ],
  [
    `Bearer\t${TOKEN}`,
    'authorization-malformed',
    INVALID_REQUEST,
    'scheme of the Authorization header is not Bearer',
  ],
  [`Bearer ${TOKEN} ${TOKEN}`, 'authorization-malformed', INVALID_REQUEST, 'RFC 6750'],
  [`Bearer ${TOKEN}, Bearer ${TOKEN}`, 'authorization-malformed', INVALID_REQUEST, 'RFC 6750'],
  [`Bearer "${TOKEN}"`, 'authorization-malformed', INVALID_REQUEST, 'RFC 6750'],
  [`Bearer ${TOKEN};`, 'authorization-malformed', INVALID_REQUEST, 'RFC 6750'],
  [`Bearer =${TOKEN}`, 'authorization-malformed', INVALID_REQUEST, 'RFC 6750'],
  [`Bearer ${TOKEN}a`, 'authorization-malformed', INVALID_REQUEST, 'RFC 6750'],
  [`Bearer ${TOKEN}é`, 'authorization-malformed', INVALID_REQUEST, 'RFC 6750'],
  [`Bearer ${TOKEN}=`, 'token-wrong', INVALID_TOKEN, 'the token is unknown'],
  [`Bearer a${TOKEN}`, 'token-wrong', INVALID_TOKEN, 'the token is unknown'],
  [`Bearer ${TOKEN.slice(0, -1)}`, 'token-wrong', INVALID_TOKEN, 'the token is unknown'],
  [`Bearer ${TOKEN.slice(1)}`, 'token-wrong', INVALID_TOKEN, 'the token is unknown'],
  [`Bearer ${swapped}`, 'token-wrong', INVALID_TOKEN, 'the token is unknown'],
  ['Bearer wrong', 'token-wrong', INVALID_TOKEN, 'the token is unknown'],
  [[`Bearer ${TOKEN}`, `Bearer ${TOKEN}`], 'authorization-duplicate', INVALID_REQUEST, 'more than one'],
  [['Bearer wrong', `Bearer ${TOKEN}`], 'authorization-duplicate', INVALID_REQUEST, 'more than one'],
] as const;

describe('every other Authorization header is rejected with 400, an Error and WWW-Authenticate', () => {
  test.each(REJECTED)('Authorization: %o is %s', async (value, name, challenge, says) => {
    const response = await withAuthorization(typeof value === 'object' ? [...value] : value);
    const rejected = rejection(response);
    expect(rejected).toMatchObject({ status: 400, name });
    expect(rejected.message).toContain(says);
    expect(response.headers['www-authenticate']).toBe(challenge);
    expect(store.plants()).toEqual([]);
    // An unknown token may be valid elsewhere.
    for (const secret of [TOKEN, TOKEN.slice(1), TOKEN.slice(0, -1), swapped])
      expect(rejected.message).not.toContain(secret);
  });
});

describe('the status can be 401 or 403', () => {
  test.each(REJECTED)('Authorization: %o is %s with either', async (value, name, challenge) => {
    for (const authenticationFailureStatus of [401, 403] as const) {
      await using other = await startPlantStore({ token: TOKEN, authenticationFailureStatus });
      const authorization = typeof value === 'object' ? [...value] : value;
      const response = await send(other.url, { headers: { authorization } });
      expect(rejection(response)).toMatchObject({ status: authenticationFailureStatus, name });
      expect(response.headers['www-authenticate']).toBe(challenge);
    }
  });
});

describe('the token is read from the Authorization header only', () => {
  test.each([
    ['query', { path: `/plants?access_token=${encodeURIComponent(TOKEN)}` }],
    ['body', { body: `{"name":"Aloe","id":7,"access_token":"${TOKEN}"}` }],
    [
      'form',
      {
        body: new URLSearchParams({ access_token: TOKEN }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    ],
    ['cookie', { headers: { cookie: `access_token=${TOKEN}` } }],
    ['proxy header', { headers: { 'proxy-authorization': `Bearer ${TOKEN}` } }],
    ['header of another name', { headers: { 'x-authorization': `Bearer ${TOKEN}` } }],
    ['user information', { path: `http://Bearer:${TOKEN.replace(/\W/g, '')}@localhost/plants` }],
  ])('a token in the %s is ignored', async (_where, sent: Parameters<typeof send>[1]) => {
    const headers = { ...sent?.headers, authorization: undefined };
    expect(rejection(await send(store.url, { ...sent, headers }))).toMatchObject({
      status: 400,
      name: 'authorization-missing',
    });
  });
});

test('the Authorization header may be anywhere in the header section', async () => {
  // 16 KiB can have more than the 2,000 fields that Node keeps by default.
  const fillers = Array.from({ length: 2_500 }, () => 'a:');
  const [start, rest] = wholeRequest(plant(7)).split('Host: localhost\r\n');
  const request = `${start}Host: localhost\r\n${fillers.map((filler) => `${filler}\r\n`).join('')}${rest}`;
  expect(await responseTo(store.port, request)).toMatchObject({ status: 200 });
});

test('an authorized request does not authorize the next one on its connection', async () => {
  const good = wholeRequest(plant(1));
  const bare = wholeRequest(plant(2)).replace(/Authorization: .*\r\n/, '');
  using raw = await RawSocket.open(store.port);
  raw.write(good + bare + wholeRequest(plant(3)));
  expect((await raw.response()).status).toBe(200);
  expect(rejection(await raw.response()).name).toBe('authorization-missing');
  expect((await raw.response()).status).toBe(200);
});
