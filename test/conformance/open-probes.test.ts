import { checkConformance, type Report } from 'plant-store-contract/conformance';
import { type FaultName, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { refuse, startInFront } from './providers/in-front.js';

const token = 'token-of-these-tests';

function broken({ rules }: Report): string[] {
  return rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

describe('what the interface leaves open is accepted with 200, or refused with a 4xx', () => {
  test('a text that makes the provider fail is a failure', async () => {
    await using provider = await startInFront({ token }, ({ body, response, pass }) =>
      body.includes('🌵') ? refuse(response, 500) : pass(),
    );
    const report = await checkConformance({ baseUrl: provider.url, token, prism: false });
    expect(broken(report)).toEqual(['failure/refusal-is-4xx']);
    const refused = report.profile.behaviours.find(({ rule }) => rule === 'unspecified/names-refused');
    expect(refused?.value).toBe('emoji');
  });

  test('a text that is accepted with another success is one as well', async () => {
    await using provider = await startInFront({ token }, ({ body, response, pass }) => {
      if (!body.includes('🌵')) return pass();
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"name":"🌵 👩🏽‍🌾 🇧🇷"}');
    });
    const report = await checkConformance({ baseUrl: provider.url, token, prism: false });
    expect(broken(report)).toContain('success/status-is-200');
  });

  test('a repeated id may get whatever it gets', async () => {
    const seen = new Set<string>();
    await using provider = await startInFront({ token }, ({ request, body, response, pass }) => {
      const id = /"id":(-?\d+)[,}]/.exec(String(body))?.[1];
      const isRepeated = id !== undefined && seen.has(id);
      if (
        id !== undefined &&
        request.headers.authorization === `Bearer ${token}` &&
        !/"tag":7/.test(String(body))
      )
        seen.add(id);
      return isRepeated ? refuse(response, 500) : pass();
    });
    const report = await checkConformance({ baseUrl: provider.url, token, prism: false });
    expect(broken(report)).toEqual([]);
  });

  test('an answer that is cached by name is that of another plant', async () => {
    const answers = new Map<string, string>();
    await using provider = await startInFront({ token }, ({ request, body, response, pass }) => {
      const [, name, tag] = /^\{"name":"(Aloe\w{6})","id":\d+(?:,"tag":"(\w+)")?\}$/.exec(String(body)) ?? [];
      if (name === undefined || request.headers.authorization !== `Bearer ${token}`) return pass();
      const answer = answers.get(name);
      if (answer === undefined) {
        answers.set(name, JSON.stringify({ name, tag }));
        return pass();
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
    const report = await checkConformance({ baseUrl: provider.url, token, prism: false });
    expect(broken(report)).toEqual(['success/tag-comes-back']);
  });
});

describe('a rule judged alone', () => {
  test.for<FaultName>([
    'accepts-missing-token',
    'authenticates-the-connection',
    'rounds-ids',
    'refuses-large-ids',
    'keeps-refused-plants',
    'races-equal-ids',
    'refuses-name-null',
  ])('gets the verdict of a whole check, with %s', async (fault) => {
    await using store = await startPlantStore({ token, faults: [fault] });
    const whole = await checkConformance({ baseUrl: store.url, token, prism: false });
    const depending =
      /ids-are-exact|token-in-|connection|refused-plant|equal-ids|plain-names|id-is-within|int64/;
    for (const { id, verdict } of whole.rules.filter((rule) => depending.test(rule.id))) {
      const alone = await checkConformance({ baseUrl: store.url, token, prism: false, only: [id] });
      expect([id, alone.rules[0]?.verdict]).toEqual([id, verdict]);
    }
  });

  test('is not said to be kept where the check was stopped before all was seen', async () => {
    await using store = await startPlantStore({ token, delayMs: 20 });
    const stop = new AbortController();
    const report = await checkConformance({
      ...{ baseUrl: store.url, token, only: ['success/plant-fields-only'], signal: stop.signal },
      onExchange: ({ index }) => index === 5 && stop.abort(),
    });
    expect(report.conclusion).toBe('incomplete');
    expect(report.summary).toMatch(/^Nothing failed, but \d+ requests could not be sent or waited for\.$/);
  });
});
