import type { FetchHandler } from 'plant-store-contract/conformance';
import { createPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { brokenIn, checkFetch, token } from './checks.js';

describe('after wrong tokens', () => {
  /** The reference server that returns a status once a wrong token came. */
  function lockedBy(status: number, headers: Record<string, string> = {}): FetchHandler {
    const { fetch } = createPlantStore({ token });
    let isLocked = false;
    return (request) => {
      if (isLocked) return Response.json({ error: 1, message: 'no' }, { status, headers });
      isLocked = request.headers.get('authorization')?.startsWith('Bearer wrong') === true;
      return fetch(request);
    };
  }

  test.each([429, 403])(
    '%i is a lockout of the right token, and nothing passes because of it',
    async (status) => {
      const report = await checkFetch(lockedBy(status), { concurrency: 1, only: ['auth'] });
      expect(brokenIn(report)).toEqual([]);
      expect(report.conclusion).toBe('incomplete');
      expect(report.summary).toContain(`the right token was rejected after wrong ones: ${status}`);
      const passed = report.rules.filter(({ verdict }) => verdict === 'pass');
      expect(passed).toEqual([]);
    },
  );

  test('500 is none', async () => {
    const report = await checkFetch(lockedBy(500), { concurrency: 1 });
    expect(report.summary).not.toContain('after wrong ones');
    expect(report.conclusion).toBe('does-not-conform');
  });

  test('429 is none if the provider limits its rate from the start', async () => {
    const locked = lockedBy(429, { 'retry-after': '3600' });
    let requests = 0;
    const limited: FetchHandler = (request) =>
      ++requests === 1
        ? new Response(null, { status: 429, headers: { 'retry-after': '0' } })
        : locked(request);
    const { summary } = await checkFetch(limited, { concurrency: 1, only: ['auth'] });
    expect(summary).toContain('then the provider asked to wait 3600 s. Lift its limit for the check.');
  });
});
