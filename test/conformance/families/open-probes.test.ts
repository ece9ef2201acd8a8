import { type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { refuse, startInFront } from '../providers/in-front.js';

const token = 'token-of-these-tests';

function broken({ rules }: CheckReport): string[] {
  return rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

describe('a valid request that may be rejected gets 200 or a 4xx', () => {
  test('a 5xx for a string is a failure', async () => {
    await using provider = await startInFront({ token }, ({ body, response, pass }) =>
      body.includes('🌵') ? refuse(response, 500) : pass(),
    );
    const report = await checkConformance({ baseUrl: provider.url, token, prism: false });
    // A rejected request has such a string too.
    expect(broken(report)).toEqual(['success/valid-plant-is-processed', 'failure/refusal-is-4xx']);
    const names = report.profile.behaviours.find(({ rule }) => rule === 'unspecified/names-refused');
    expect(names?.value).toBe('emoji');
  });

  test('another 2xx for a string is a failure', async () => {
    await using provider = await startInFront({ token }, ({ body, response, pass }) => {
      if (!body.includes('🌵')) return pass();
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"name":"🌵 👩🏽‍🌾 🇧🇷"}');
    });
    const report = await checkConformance({ baseUrl: provider.url, token, prism: false });
    expect(broken(report)).toContain('success/status-is-200');
  });

  test('any response to a duplicate id is allowed', async () => {
    const seen = new Set<string>();
    await using provider = await startInFront({ token }, async ({ body, response, pass }) => {
      const id = /"id":(-?\d+)[,}]/.exec(String(body))?.[1];
      if (id !== undefined && seen.has(id)) return refuse(response, 500);
      await pass();
      if (id !== undefined && response.statusCode === 200) seen.add(id);
    });
    const report = await checkConformance({ baseUrl: provider.url, token, prism: false });
    expect(broken(report)).toEqual([]);
  });

  test('a response that is cached by name is the response to another plant', async () => {
    const cached = new Map<string, string>();
    await using provider = await startInFront({ token }, ({ request, body, response, pass }) => {
      const [, name, tag] = /^\{"name":"(Aloe\w{6})","id":\d+(?:,"tag":"(\w+)")?\}$/.exec(String(body)) ?? [];
      if (name === undefined || request.headers.authorization !== `Bearer ${token}`) return pass();
      const body200 = cached.get(name);
      if (body200 === undefined) {
        cached.set(name, JSON.stringify({ name, tag }));
        return pass();
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(body200);
    });
    const report = await checkConformance({ baseUrl: provider.url, token, prism: false });
    expect(broken(report)).toEqual(['success/tag-comes-back']);
  });
});
