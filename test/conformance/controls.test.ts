import { checkConformance, type Report } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { startHandler } from './providers/handler.js';
import type { Provider } from './providers/provider.js';

const token = 'token-of-these-tests';

/** The reference server behind a handler that answers some requests by itself. */
async function startBehind(
  answer: (body: string) => { status: number; body: string } | undefined,
): Promise<Provider> {
  const store = await startPlantStore({ token });
  const provider = await startHandler(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const own = answer(body);
    const passed = own ?? (await forward(store.url, request.headers as Record<string, string>, body));
    response.writeHead(passed.status, { 'content-type': 'application/json' }).end(passed.body);
  });
  return {
    url: provider.url,
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]();
      await store.close();
    },
  };
}

async function forward(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<{ status: number; body: string }> {
  const answer = await fetch(`${url}/plants`, { method: 'POST', headers, body });
  return { status: answer.status, body: await answer.text() };
}

const REFUSAL = { status: 409, body: '{"error":1,"message":"not this one"}' };

function verdictOf(report: Report, id: string): unknown {
  return report.rules.find((rule) => rule.id === id);
}

describe('controls', () => {
  test('a control that is refused once is tried again with another id', async () => {
    let refused = false;
    await using provider = await startBehind(() => {
      const first = !refused;
      refused = true;
      return first ? REFUSAL : undefined;
    });
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(report.conclusion).toBe('conforms');
    expect(report.exchanges.filter(({ probe }) => probe === 'plain-plant')).toHaveLength(2);
  });

  test('where tags are refused, what rests on a plant with a tag is blocked and says on what', async () => {
    await using provider = await startBehind((body) =>
      body.includes('"tag":"succulent"') ? REFUSAL : undefined,
    );
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(verdictOf(report, 'success/tag-is-optional')).toMatchObject({ verdict: 'fail' });
    expect(verdictOf(report, 'request/tag-is-a-string')).toMatchObject({
      verdict: 'blocked',
      reason: 'its control was not accepted: a plain plant with a tag',
    });
    expect(verdictOf(report, 'request/name-is-required')).toMatchObject({ verdict: 'pass' });
  });

  test('a bad request that is accepted is a failure, control or not', async () => {
    await using provider = await startBehind((body) => {
      if (body.includes('"tag":"succulent"')) return REFUSAL;
      return body.includes('"tag":7') ? { status: 200, body: '{"name":"Aloe","tag":"7"}' } : undefined;
    });
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(verdictOf(report, 'request/tag-is-a-string')).toMatchObject({ verdict: 'fail' });
  });
});
