import { type RunningPlantStore, startPlantStore } from 'plant-store-contract/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { plant, send, TOKEN } from './plant-request.js';
import { answerTo, RawSocket, wholeRequest } from './raw-socket.js';
import { refusal } from './refusal.js';

let store: RunningPlantStore;

beforeAll(async () => {
  store = await startPlantStore({ token: TOKEN });
});
beforeEach(() => store.reset());
afterAll(() => store.close());

function withAuthorization(authorization: string | string[] | undefined) {
  return send(store.url, { headers: { authorization } });
}

describe('the right token is let in', () => {
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
      const answer = await send(other.url, { headers: { authorization: `Bearer ${token}` } });
      expect(answer.status).toBe(200);
      expect((await send(other.url)).status).toBe(400);
    },
  );

  test('the name of the field may be in any case', async () => {
    const request = wholeRequest(plant(7)).replace('Authorization', 'aUTHORIZATION');
    expect((await answerTo(store.port, request)).status).toBe(200);
  });
});

const INVALID_REQUEST = 'Bearer error="invalid_request"';
const INVALID_TOKEN = 'Bearer error="invalid_token"';
const swapped = TOKEN.replace(/[a-z]/i, (letter) =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
);

const REFUSED = [
  // value, name of the code, WWW-Authenticate, what the message says
  [undefined, 'authorization-missing', 'Bearer', 'Authorization header is missing'],
  ['', 'authorization-malformed', INVALID_REQUEST, 'is empty'],
  ['Bearer', 'authorization-malformed', INVALID_REQUEST, 'no token after Bearer'],
  ['Bearer ', 'authorization-malformed', INVALID_REQUEST, 'no token after Bearer'],
  [TOKEN, 'authorization-malformed', INVALID_REQUEST, 'another scheme'],
  [`Basic ${TOKEN}`, 'authorization-malformed', INVALID_REQUEST, 'another scheme'],
  [`Token ${TOKEN}`, 'authorization-malformed', INVALID_REQUEST, 'another scheme'],
  [`Bearer${TOKEN}`, 'authorization-malformed', INVALID_REQUEST, 'another scheme'],
  [`Bearer: ${TOKEN}`, 'authorization-malformed', INVALID_REQUEST, 'another scheme'],
  [`Bearer\t${TOKEN}`, 'authorization-malformed', INVALID_REQUEST, 'another scheme'],
  [`Bearer ${TOKEN} ${TOKEN}`, 'authorization-malformed', INVALID_REQUEST, 'RFC 6750'],
  [`Bearer ${TOKEN}, Bearer ${TOKEN}`, 'authorization-malformed', INVALID_REQUEST, 'RFC 6750'],
  [`Bearer "${TOKEN}"`, 'authorization-malformed', INVALID_REQUEST, 'RFC 6750'],
  [`Bearer ${TOKEN};`, 'authorization-malformed', INVALID_REQUEST, 'RFC 6750'],
  [`Bearer =${TOKEN}`, 'authorization-malformed', INVALID_REQUEST, 'RFC 6750'],
  [`Bearer ${TOKEN}a`, 'authorization-malformed', INVALID_REQUEST, 'RFC 6750'],
  [`Bearer ${TOKEN}é`, 'authorization-malformed', INVALID_REQUEST, 'RFC 6750'],
  [`Bearer ${TOKEN}=`, 'token-wrong', INVALID_TOKEN, 'not one that this server accepts'],
  [`Bearer a${TOKEN}`, 'token-wrong', INVALID_TOKEN, 'not one that this server accepts'],
  [`Bearer ${TOKEN.slice(0, -1)}`, 'token-wrong', INVALID_TOKEN, 'not one that this server accepts'],
  [`Bearer ${TOKEN.slice(1)}`, 'token-wrong', INVALID_TOKEN, 'not one that this server accepts'],
  [`Bearer ${swapped}`, 'token-wrong', INVALID_TOKEN, 'not one that this server accepts'],
  ['Bearer wrong', 'token-wrong', INVALID_TOKEN, 'not one that this server accepts'],
  [[`Bearer ${TOKEN}`, `Bearer ${TOKEN}`], 'authorization-repeated', INVALID_REQUEST, 'more than one'],
  [['Bearer wrong', `Bearer ${TOKEN}`], 'authorization-repeated', INVALID_REQUEST, 'more than one'],
] as const;

describe('anything else is refused with 400, an Error and WWW-Authenticate', () => {
  test.each(REFUSED)('Authorization: %o is %s', async (value, name, challenge, says) => {
    const answer = await withAuthorization(typeof value === 'object' ? [...value] : value);
    const refused = refusal(answer);
    expect(refused).toMatchObject({ status: 400, name });
    expect(refused.message).toContain(says);
    expect(answer.headers['www-authenticate']).toBe(challenge);
    expect(store.plants()).toEqual([]);
    // The wrong token may be somebody's right one elsewhere.
    for (const secret of [TOKEN, TOKEN.slice(1), TOKEN.slice(0, -1), swapped])
      expect(refused.message).not.toContain(secret);
  });
});

describe('401 and 403 by option', () => {
  test.each(REFUSED)('Authorization: %o is %s with either', async (value, name, challenge) => {
    for (const authenticationFailureStatus of [401, 403] as const) {
      await using other = await startPlantStore({ token: TOKEN, authenticationFailureStatus });
      const authorization = typeof value === 'object' ? [...value] : value;
      const answer = await send(other.url, { headers: { authorization } });
      expect(refusal(answer)).toMatchObject({ status: authenticationFailureStatus, name });
      expect(answer.headers['www-authenticate']).toBe(challenge);
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
  ])('a token in the %s does not count', async (_where, sent: Parameters<typeof send>[1]) => {
    const headers = { ...sent?.headers, authorization: undefined };
    expect(refusal(await send(store.url, { ...sent, headers }))).toMatchObject({
      status: 400,
      name: 'authorization-missing',
    });
  });
});

test('an Authorization header counts wherever it stands in the header section', async () => {
  // The 16 KiB of a header section have room for more than the 2,000 fields that node keeps by default.
  const fillers = Array.from({ length: 2_500 }, () => 'a:');
  const [start, rest] = wholeRequest(plant(7)).split('Host: localhost\r\n');
  const request = `${start}Host: localhost\r\n${fillers.map((filler) => `${filler}\r\n`).join('')}${rest}`;
  expect(await answerTo(store.port, request)).toMatchObject({ status: 200 });
});

test('one good request does not let the next one of its connection in', async () => {
  const good = wholeRequest(plant(1));
  const bare = wholeRequest(plant(2)).replace(/Authorization: .*\r\n/, '');
  using raw = await RawSocket.open(store.port);
  raw.write(good + bare + wholeRequest(plant(3)));
  expect((await raw.answer()).status).toBe(200);
  expect(refusal(await raw.answer()).name).toBe('authorization-missing');
  expect((await raw.answer()).status).toBe(200);
});
