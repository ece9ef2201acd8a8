import type { CheckReport } from 'plant-store-contract/conformance';
import { casesOf } from 'plant-store-contract/reporters';
import { describe, expect, test } from 'vitest';
import { answer, brokenIn, checkBehind, type Passing } from '../checks.js';

const busy = (status: number, seconds?: string) =>
  Response.json(
    { error: status, message: 'later' },
    { status, headers: seconds === undefined ? {} : { 'retry-after': seconds } },
  );

/** On a busy machine, responses are late. */
const behind: typeof checkBehind = (handle, options) =>
  checkBehind(handle, { timeoutMs: 20_000, ...options });

const sentIn = ({ summary }: CheckReport): string | undefined =>
  /\d+ of \d+ requests were sent/.exec(summary)?.[0];

// Each waits for a second or more.
describe('a request that is turned away', { concurrent: true }, () => {
  test.each([
    ['503, now and then', () => busy(503)],
    ['429, now and then', () => busy(429)],
    ['429 with Retry-After: 0', () => busy(429, '0')],
  ])('says nothing if it is served when it is sent again: %s', async (_what, refusal) => {
    let requests = 0;
    const report = await behind(({ pass }) => (++requests % 100 === 0 ? refusal() : pass()));
    expect(report).toConform();
    expect(sentIn(report)).toBeUndefined();
    expect(report.notes.join('\n')).toMatch(/turned \d+ requests? away/);
  });

  test.each([
    ['503', () => busy(503)],
    ['503 with Retry-After', () => busy(503, '1')],
    ['429', () => busy(429)],
    ['429 with Retry-After', () => busy(429, '1')],
  ])('is about the content if plain plants are served meanwhile: %s', async (_what, refusal) => {
    const report = await behind(({ body, pass }) => (body.includes('"name":"true"') ? refusal() : pass()));
    expect(report.conclusion, report.summary).toBe('does-not-conform');
    expect(brokenIn(report)).not.toEqual([]);
    expect(report.findings[0]?.title).toContain('true');
  });

  test('is about every tag, and that is found without waiting for each', async () => {
    const report = await behind(({ body, pass }) => (/"tag":"[^"]/.test(body) ? busy(429, '1') : pass()));
    expect(report.conclusion, report.summary).toBe('does-not-conform');
    expect(sentIn(report)).toBeUndefined();
  });

  test('is rejected, if it has to be, although the provider asks to wait for an hour', async () => {
    const report = await behind(({ body, pass }) =>
      body.includes('"name":true') ? busy(429, '3600') : pass(),
    );
    expect(report).toConform();
  });

  test('at a cold start ends nothing, and is a note', async () => {
    let requests = 0;
    const report = await behind(({ pass }) => (++requests <= 2 ? busy(503) : pass()));
    expect(report).toConform();
    expect(report.notes[0]).toBe(
      'At first, the provider returned 503 (2 requests), as if it were not ready. --wait waits for it.',
    );
  });

  test('is no failure if the check is stopped before it knows what that means', async () => {
    const stop = new AbortController();
    let requests = 0;
    const report = await behind(
      ({ pass }) => {
        if (++requests < 20) return pass();
        // The next try of the first one comes later.
        setTimeout(() => stop.abort(), 100);
        return busy(503);
      },
      { signal: stop.signal },
    );
    expect(report.conclusion, report.summary).toBe('incomplete');
    expect(report.exchanges.some(({ response }) => response?.status === 503)).toBe(true);
  });
});

/** Locks clients out after more than this number of wrong tokens. */
function lockOut(after: number, refusal: () => Response, also = (passing: Passing) => passing.pass()) {
  let wrong = 0;
  return (passing: Passing) => {
    if (!passing.isAuthorised && passing.request.headers.has('authorization')) wrong++;
    return wrong > after ? refusal() : also(passing);
  };
}

describe('a lockout', { concurrent: true }, () => {
  test.each([
    ['after the first wrong token, with 403', 0, () => answer(403)],
    ['after three, with 400', 3, () => answer(400)],
    ['after five, with 401', 5, () => answer(401)],
    ['after ten, with 429 alone', 10, () => busy(429)],
    ['after four, with 503', 4, () => busy(503)],
  ])('is named, and never passes: %s', async (_what, after, refusal) => {
    const report = await behind(lockOut(after, refusal));
    expect(brokenIn(report)).toEqual([]);
    expect(report.conclusion, report.summary).toBe('incomplete');
    expect(report.summary).toMatch(
      /\d+ of \d+ requests were sent: the right token was rejected after wrong ones: \d{3} .*\. Lift the lockout for the check, or leave wrong tokens out with --skip auth\./,
    );
  });

  test('for an hour is named by what the provider asks', async () => {
    const report = await behind(lockOut(3, () => busy(429, '3600')));
    expect(brokenIn(report)).toEqual([]);
    expect(report.conclusion, report.summary).toBe('incomplete');
    expect(report.summary).toMatch(
      /were sent: (?:the right token was rejected after wrong ones|then the provider asked to wait 3600 s)/,
    );
  });

  test('hides no fault that shows before', async () => {
    const report = await behind(
      lockOut(
        3,
        () => answer(400),
        async ({ body, pass }) => {
          const response = await pass();
          return body.includes("''") ? answer(200, { name: 'another' }) : response;
        },
      ),
    );
    expect(report.conclusion, report.summary).toBe('does-not-conform');
  });

  test('that ends soon leaves wrong tokens without a verdict', async () => {
    // How many requests with the right token are rejected yet.
    let left = 0;
    const report = await behind(({ request, isAuthorised, pass }) => {
      if (left > 0) {
        if (isAuthorised) left--;
        return answer(403);
      }
      if (request.headers.get('authorization')?.endsWith(' x') === true) left = 2;
      return pass();
    });
    expect(brokenIn(report)).toEqual([]);
    expect(report.conclusion, report.summary).toBe('incomplete');
    // It depends on which plants meet the rejections.
    expect(report.summary).toMatch(/was rejected after (?:wrong ones, for a while|a wrong token)/);
  });

  test('does not matter if wrong tokens are left out', async () => {
    const report = await behind(
      lockOut(0, () => answer(403)),
      { skip: ['auth'] },
    );
    expect(report).toConform();
    const tokens = report.exchanges.filter(({ request }) =>
      JSON.stringify(request.headers).includes('Bearer wrong'),
    );
    expect(tokens).toEqual([]);
  });
});

test.each([
  ['400', () => answer(400, { error: 13, message: 'the token is missing, wrong or expired' })],
  ['403', () => answer(403)],
])(
  'what comes after the token expired proves nothing, and the summary says so: %s',
  async (_what, refusal) => {
    let requests = 0;
    const report = await behind(({ pass }) => (++requests > 150 ? refusal() : pass()));
    expect(brokenIn(report)).toEqual([]);
    expect(report.conclusion, report.summary).toBe('incomplete');
    expect(report.summary).toMatch(
      /\d+ of \d+ requests were sent: after request \d+, every plain plant was rejected: 40[03] .*\. If the token has expired, use one that lives longer than the check\./,
    );
  },
);

test('a fault that is always there is not called intermittent, although the client is locked out afterwards', async () => {
  const report = await behind(
    lockOut(
      3,
      () => answer(403),
      async ({ body, pass }) => (body.includes('"name":true') ? answer(200, { name: 'true' }) : pass()),
    ),
  );
  const evidence = casesOf(report).flatMap((one) => one.evidence);
  expect(evidence.length).toBeGreaterThan(0);
  expect(evidence.filter(({ repeated }) => repeated === 'intermittent')).toEqual([]);
});

test('a plant that is refused for its tag is not called refused after an invalid request', async () => {
  const report = await behind(
    ({ body, pass }) => (/"tag":"(?!succulent)/.test(body) ? answer(400) : pass()),
    {
      only: ['state'],
    },
  );
  expect(brokenIn(report)).toEqual([]);
});

test('a check that could not send everything does not explore, and does not say that it found nothing', async () => {
  let requests = 0;
  const report = await behind(({ pass }) => (++requests > 50 ? answer(403) : pass()), {
    explore: { runs: 20, seed: 1 },
  });
  expect(report.conclusion).toBe('incomplete');
  expect(report.exploration).toBeUndefined();
  expect(report.remarks.join('\n')).not.toContain('Exploring');
});
