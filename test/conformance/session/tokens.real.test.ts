import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/conformance/exchange.js';
import { creation, freshValues } from '../../../src/conformance/probe.js';
import { type PlainPlants, Tokens } from '../../../src/conformance/session/tokens.js';
import { checkFetch } from '../checks.js';
import { response } from '../recorded.js';
import { createWith, startIssuer } from './expiring-tokens.js';

// tokens.all.test.ts has the other commands, and what is no sign of an expired token.
test('a token that expires is renewed, and what it was rejected for is sent again', async () => {
  const issuer = startIssuer((accepted) => accepted < 150);
  const report = await checkFetch(createWith(issuer).fetch, { token: () => issuer.issue() });
  expect(report.conclusion).toBe('conforms');
  expect(issuer.given.length).toBeGreaterThan(1);
  const times = issuer.given.length === 2 ? 'once' : `${issuer.given.length - 1} times`;
  expect(report.remarks).toContain(
    `The token expired ${times} and was renewed. What was rejected for that was sent again.`,
  );
  for (const token of issuer.given)
    for (const secret of [token, token.slice(0, -1), btoa(`${token}:`)])
      expect(JSON.stringify(report)).not.toContain(secret);
});

describe('whether a token has expired', () => {
  const request = (token: string) => creation(freshValues(token));
  /** What the first token got. */
  const got = (...statuses: readonly number[]) =>
    statuses.map((status) => ({ request: request('first'), response: response(status) }));
  /** The statuses that plain plants get, by token and in order; 0 is no response. */
  const plainPlants = (
    statuses: Record<string, number[]>,
    signal = new AbortController().signal,
  ): PlainPlants => ({
    send: async (token) => {
      const status = statuses[token]?.shift() ?? 0;
      return { response: status === 0 ? undefined : response(status) };
    },
    awayFor: (work) => work(),
    signal,
  });
  async function look(statuses: Record<string, number[]>, signal?: AbortSignal) {
    const tokens = new Tokens('first', async () => 'second');
    const exchanges = got(200, 401);
    const marked = await tokens.marked(exchanges, plainPlants(statuses, signal));
    return { given: [...tokens], expired: tokens.expirations, isMarked: marked !== exchanges };
  }

  // Two of these wait for a second.
  test.concurrent.each([
    ['it has', { first: [401, 401], second: [200] }, 1],
    ['it has, and the provider limits its rate', { first: [429, 401, 429, 429, 429], second: [503, 200] }, 1],
    ['it is accepted again at once', { first: [200] }, 0],
    ['it is accepted again beside the new one', { first: [401, 200], second: [200] }, 0],
    ['the new one is rejected too', { first: [401], second: [401] }, 0],
    ['it has, and the new one shows nothing', { first: [401, 401], second: [0, 0, 0] }, 1],
  ])('%s', async (title, statuses, expired) => {
    const given = title.includes('at once') ? ['first'] : ['first', 'second'];
    expect(await look(statuses)).toEqual({ given, expired, isMarked: expired > 0 });
  });

  test('is not asked in a check that was stopped', async () => {
    const stopped = AbortSignal.abort();
    expect(await look({ first: [401, 401], second: [200] }, stopped)).toMatchObject({ given: ['first'] });
  });

  test('is given up when the check is stopped meanwhile, whatever the function does', async () => {
    for (const renew of [
      () => new Promise<string>(() => {}),
      async () => Promise.reject(new Error('stopped')),
    ]) {
      const stop = new AbortController();
      const tokens = new Tokens('first', () => {
        queueMicrotask(() => stop.abort());
        return Promise.resolve().then(renew);
      });
      const exchanges = got(200, 401);
      const waiting = tokens.marked(exchanges, plainPlants({ first: [401] }, stop.signal));
      expect(await waiting).toBe(exchanges);
    }
  });

  test('is known at the end, also of a request that ends while a new one is being tried', async () => {
    const tokens = new Tokens('first', async () => 'second');
    const [accepted, rejected] = got(200, 401);
    const given = plainPlants({ first: [401, 401], second: [200] });
    let other: Promise<readonly object[]> | undefined;
    const send: PlainPlants['send'] = (token) => {
      if (token === 'second')
        other = tokens.marked([{ ...rejected, request: request('first') }] as never, given);
      return given.send(token);
    };
    await tokens.marked([accepted, rejected] as never, { ...given, send });
    expect(await other).toMatchObject([{ tokenExpired: true }]);
  });

  test('is looked into ten times in a minute at most', async () => {
    let sent = 0;
    const tokens = new Tokens('first', async () => 'first');
    const exchanges = got(200, ...Array<number>(30).fill(401));
    const send = async (): Promise<Pick<Exchange, 'response'>> => ({
      response: response(++sent > 0 ? 200 : 0),
    });
    await tokens.marked(exchanges, { ...plainPlants({}), send });
    expect(sent).toBe(10);
  });
});
