import type { IncomingMessage, ServerResponse } from 'node:http';
import { startProxy } from 'plant-store-contract/proxy';
import { reporters } from 'plant-store-contract/reporters';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SeenSecrets } from '../../src/proxy/seen-secrets.js';
import { startReader } from '../pact/verification/provider.js';

const token = (at: number): string => `token-number-${String(at).padStart(4, '0')}`;
const bearer = (...values: readonly string[]) => [['Authorization', `Bearer ${values.join(', ')}`]] as const;

describe('seen secrets', () => {
  test('are those of the last 1,000 requests with different ones', () => {
    const secrets = new SeenSecrets(['a-token-of-our-own']);
    for (let at = 0; at < 2_000; at++) {
      secrets.add(bearer(token(at)));
      secrets.add(bearer(token(0)));
    }
    const { message } = secrets.redactorFor([]);
    expect([0, 1, 1_000, 1_001, 1_999].map((at) => message(`a ${token(at)} b`))).toEqual([
      'a [redacted] b',
      `a ${token(1)} b`,
      `a ${token(1_000)} b`,
      'a [redacted] b',
      'a [redacted] b',
    ]);
    expect(message('a-token-of-our-own')).toBe('[redacted]');
  });

  test('of one request cannot push out those of others, and all are hidden where it is shown', () => {
    const secrets = new SeenSecrets();
    secrets.add(bearer(token(1)));
    const many = Array.from({ length: 3_000 }, (_, at) => `secret-${at}-of-many`);
    secrets.add(bearer(...many));
    const redactor = secrets.redactorFor(bearer(...many));
    expect(redactor.message([token(1), ...many].join('\n'))).not.toMatch(/token-number|of-many/);
    expect(redactor.fields([['X-A', `${token(1)} ${many[2_999]}`]])).toEqual([
      ['X-A', '[redacted] [redacted]'],
    ]);
    expect(secrets.redactorFor([]).message(token(1))).toBe('[redacted]');
  });
});

/** A proxy before a provider, and everything that it says of violations. */
async function proxied(respond: (request: IncomingMessage, response: ServerResponse) => void) {
  const provider = await startReader((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    respond(request, response);
  });
  const said: string[] = [];
  const proxy = await startProxy({
    ...{ upstream: provider.url, prism: false },
    onJudged: ({ violations }) => void said.push(JSON.stringify(violations)),
  });
  onTestFinished(async () => void (await proxy.close()));
  const create = async (of: number): Promise<void> => {
    const headers = { authorization: `Bearer ${token(of)}`, 'content-type': 'application/json' };
    await (
      await fetch(`${proxy.url}/plants`, { method: 'POST', headers, body: '{"name":"Aloe","id":7}' })
    ).text();
  };
  const reports = async () => {
    const report = await proxy.report();
    return Object.values(reporters).map((write) => write(report));
  };
  return { said, create, reports };
}

const leaking = (of: number): string => JSON.stringify({ name: 'Aloe', [token(of)]: token(of) });

describe('a provider that returns the token of another client', () => {
  test('which sent it before', async () => {
    const { said, create, reports } = await proxied((_, response) => response.end(leaking(1)));
    await create(1);
    await create(2);
    const all = [...(await reports()), ...said];
    expect(all.join('\n')).toContain('[redacted]');
    expect(all.filter((text) => text.includes(token(1)))).toEqual([]);
  });

  test('whose request is under way', async () => {
    const waiting: ServerResponse[] = [];
    const { said, create, reports } = await proxied((request, response) => {
      if (request.headers.authorization?.includes(token(1))) waiting.push(response);
      else response.end(leaking(1));
    });
    const first = create(1);
    await expect.poll(() => waiting.length).toBe(1);
    await create(2);
    await expect.poll(() => said.length).toBe(1);
    expect(said.join()).not.toContain(token(1));
    waiting[0]?.end('{"name":"Aloe"}');
    await first;
    expect((await reports()).filter((text) => text.includes(token(1)))).toEqual([]);
  });

  test('which sends it only later: the report does not show it', async () => {
    const { said, create, reports } = await proxied((_, response) => response.end(leaking(2)));
    await create(1);
    await expect.poll(() => said.length).toBe(1);
    await create(2);
    expect((await reports()).filter((text) => text.includes(token(2)))).toEqual([]);
  });
});
