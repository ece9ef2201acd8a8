import type { Server } from 'node:http';
import { type CheckOptions, type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { exitStatus } from 'plant-store-contract/reporters';
import { describe, expect, test } from 'vitest';
import { runCheck } from '../../../src/conformance/check.js';
import { prepareCheck } from '../../../src/conformance/prepare.js';
import { Tokens } from '../../../src/conformance/send/tokens.js';
import { evidenceOf } from '../checks.js';
import { startInFront } from '../providers/in-front.js';
import type { Provider } from '../providers/provider.js';

const token = 'token-of-these-tests';
const rule = 'state/provider-keeps-responding';

type Death = 'resets' | 'exits' | 'hangs';

/** The reference server, until a request that it does not survive. */
function startMortal(lastRequest: number, death: Death): Promise<Provider> {
  let requests = 0;
  return startInFront({ token }, ({ request, pass }) => {
    if (++requests < lastRequest) return pass();
    if (death === 'exits') {
      const { server }: { server: Server } = Object(request.socket);
      server.close();
      server.closeAllConnections();
    } else if (death === 'resets') request.socket.destroy();
  });
}

/** A machine that is busy for a while must not look like a provider that hangs. */
const PATIENT_MS = 20_000;

async function reportOn(
  lastRequest: number,
  death: Death,
  options: Partial<CheckOptions> = {},
): Promise<CheckReport> {
  await using provider = await startMortal(lastRequest, death);
  const timeoutMs = death === 'hangs' ? 2_000 : PATIENT_MS;
  return await checkConformance({ baseUrl: provider.url, token, prism: false, timeoutMs, ...options });
}

// Most of the time these tests wait.
describe('a provider that dies', { concurrent: true }, () => {
  test.each<[number, Death]>([
    [60, 'resets'],
    [60, 'hangs'],
    [3, 'exits'],
  ])(
    'at its request %i (it %s) has one finding, and no rule passes without a response',
    async (at, death) => {
      const report = await reportOn(at, death);
      expect(report.rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([rule]);
      expect(report.findings).toHaveLength(1);
      expect(report.findings[0]?.title).toMatch(
        /^The provider stopped responding after request \d+: there was/,
      );
      expect(report.findings[0]).not.toHaveProperty('cause');
      expect(report.summary).toMatch(/ \d+ of \d+ requests were sent: the provider had stopped responding\./);
      expect(evidenceOf(report, rule)[0]?.repeated).toBe('not-tried');
      const verdictOf = (id: string) => report.rules.find((one) => one.id === id)?.verdict;
      expect(verdictOf('auth/near-miss-token-is-refused')).toBe('blocked');
      expect(verdictOf('unspecified/scheme-in-lower-case')).toBe('not-applicable');
    },
  );

  test.each<[Partial<CheckOptions>]>([[{ only: ['documented'] }], [{ only: ['auth'] }]])(
    'does not conform with %j either',
    async (options) => {
      const report = await reportOn(6, 'exits', options);
      expect(exitStatus(report.conclusion)).toBe(2);
      expect(report.summary).toMatch(
        /^No rule failed, but .* requests were sent: the provider had stopped responding\./,
      );
    },
  );
});

test.concurrent('a provider that dies of deep nesting has one finding, with that request, and every other rule has its verdict', async () => {
  await using provider = await startInFront({ token }, ({ request, body, pass }) => {
    if (!body.includes('['.repeat(10_000))) return pass();
    const { server }: { server: Server } = Object(request.socket);
    server.close();
    server.closeAllConnections();
  });
  const report = await checkConformance({
    baseUrl: provider.url,
    token,
    prism: false,
    timeoutMs: PATIENT_MS,
  });
  expect(report.findings.map(({ id }) => id)).toEqual([rule]);
  expect(report.findings[0]?.title).toContain(
    'there was none to a plant with 20,000 arrays in each other in an unknown field, nor to anything after it',
  );
  expect(evidenceOf(report, rule)[0]?.sent).toBe(
    'a plant with 20,000 arrays in each other in an unknown field',
  );
  expect(report.rules.filter(({ verdict }) => verdict === 'blocked' || verdict === 'error')).toEqual([]);
  const dead = report.rules.filter(({ verdict }) => verdict === 'not-applicable').map(({ id }) => id);
  expect(dead).toContain('unspecified/deep-nesting');
});

test.concurrent('a provider that starts again has not stopped', async () => {
  let [requests, upAgainMs] = [0, 0];
  // Long enough for the check to notice.
  await using provider = await startInFront({ token }, ({ request, pass }) => {
    if (++requests === 60) upAgainMs = performance.now() + 400;
    return performance.now() < upAgainMs ? request.socket.destroy() : pass();
  });
  const report = await checkConformance({
    baseUrl: provider.url,
    token,
    prism: false,
    concurrency: 1,
    timeoutMs: PATIENT_MS,
  });
  expect(report.rules.find(({ id }) => id === rule)?.verdict).toBe('pass');
});

describe('a provider that is started again after it dies', { concurrent: true }, () => {
  /** Checks a provider that dies of some requests, and that is started again each time. */
  async function restarted(
    isFatal: (body: Buffer, requests: number) => boolean,
  ): Promise<{ report: CheckReport; restarts: number }> {
    let [requests, restarts, isDead] = [0, 0, false];
    await using provider = await startInFront({ token }, ({ request, body, pass }) => {
      isDead ||= isFatal(body, ++requests);
      return isDead ? request.socket.destroy() : pass();
    });
    const prepared = prepareCheck({ baseUrl: provider.url, prism: false, timeoutMs: PATIENT_MS });
    const report = await runCheck(prepared, await Tokens.from(token), async () => {
      restarts++;
      isDead = false;
      return true;
    });
    return { report, restarts };
  }

  const unjudged = ({ rules }: CheckReport): string[] =>
    rules.filter(({ verdict }) => verdict === 'blocked' || verdict === 'error').map(({ id }) => id);

  test('of one request has one finding, with that request, and every other rule has its verdict', async () => {
    const { report, restarts } = await restarted((body) => body.toString() === 'null');
    expect(report.findings.map(({ id }) => id)).toEqual([rule]);
    expect(report.findings[0]?.title).toMatch(
      /there was none to the JSON value null, nor to anything after it, until it was started again\.$/,
    );
    expect(unjudged(report)).toEqual([]);
    expect(report.rules.find(({ id }) => id === 'auth/near-miss-token-is-refused')?.verdict).toBe('pass');
    // Once to find out which of the requests side by side it was.
    expect(restarts).toBeLessThanOrEqual(2);
  });

  test('of a kind of request has its verdict for all other kinds', async () => {
    const { report } = await restarted((body) => body.includes('"id":"'));
    expect(report.findings.map(({ id }) => id)).toEqual([rule]);
    expect(report.rules.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(50);
  });

  test('at each request from some on is given up after nine times', async () => {
    const { report, restarts } = await restarted((_body, requests) => requests > 40);
    expect(report.findings.map(({ id }) => id)).toEqual([rule]);
    expect(restarts).toBe(9);
    expect(report.conclusion).toBe('does-not-conform');
  });
});
