import { createHmac, timingSafeEqual } from 'node:crypto';
import { type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { startCorrect, type Variation } from '../providers/correct/provider.js';
import { lockOut } from '../providers/correct/traffic.js';

const KEY = 'a key of these tests';

function sign(text: string): Buffer {
  return createHmac('sha256', KEY).update(text).digest();
}

function tokenWith(claims: unknown): string {
  const [header, payload] = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return `${header}.${payload}.${sign(`${header}.${payload}`).toString('base64url')}`;
}

function credentials(value: string): string {
  return value.startsWith('Bearer ') ? value.slice(7) : '';
}

/** Verifies a JSON Web Token with a decoder that ignores other characters and unused bits, as Node's does. */
function verifiesSignature(value: string): boolean {
  const [header = '', payload = '', signature = '', ...more] = credentials(value).split('.');
  const [given, expected] = [Buffer.from(signature, 'base64url'), sign(`${header}.${payload}`)];
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  return JSON.parse(Buffer.from(header, 'base64url').toString()).alg === 'HS256';
}

/** Compares the bytes that two tokens in base64 stand for. The characters are those of RFC 6750, section 2.1. */
function comparesBytes(value: string, token: string): boolean {
  if (!/^[\w.~+/-]+=*$/.test(credentials(value))) return false;
  return Buffer.from(credentials(value), 'base64').equals(Buffer.from(token, 'base64'));
}

const cases: readonly (readonly [what: string, token: string, Variation])[] = [
  [
    'a signed token, with a lenient decoder',
    tokenWith({ sub: 'fern' }),
    { authorization: verifiesSignature },
  ],
  [
    'base64 with padding, with a lenient decoder',
    'c2VjcmV0LW9mLXBsYW50cw==',
    { authorization: comparesBytes },
  ],
  ['one character', '4', {}],
  ['one character many times', 'aaaaaaaaaaaa', {}],
  ['a word that programs write for a missing value', 'undefined', {}],
  ['other visible characters', '$ecret:"a"\\b`c`,{d};#?&=', {}],
];

describe('a correct provider breaks no rule if its token is', { concurrent: true }, () => {
  test.for(cases)('%s', async ([, token, variation]) => {
    await expectNoComplaint(token, variation, 200);
  });
});

describe('a provider that locks clients out breaks no rule', { concurrent: true }, () => {
  const token = 'a-Token-of_these.tests';
  const locked = { status: 403, body: { error: 403, message: 'locked' } };

  test('after wrong token 3, and nothing is explored', async () => {
    await using provider = await startCorrect(token, { layers: () => [lockOut(locked, 3)] });
    const options = { baseUrl: provider.url, token, prism: false, timeoutMs: 20_000, timeLimitMs: 300_000 };
    const report = await checkConformance({ ...options, explore: { runs: 1_500, seed: 11 } });
    expect(report.conclusion).toBe('incomplete');
    expect(report.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
    expect(report.exploration).toBeUndefined();
  });

  test('after wrong token 80, and exploring ends', async () => {
    const report = await expectNoComplaint(token, { layers: () => [lockOut(locked, 80)] }, 1_500);
    expect(report).toConform();
    expect(report.exploration?.draws).toBeLessThan(1_500);
  });
});

async function expectNoComplaint(token: string, variation: Variation, runs: number): Promise<CheckReport> {
  await using provider = await startCorrect(token, variation);
  const report = await checkConformance({
    baseUrl: provider.url,
    token,
    prism: false,
    timeoutMs: 20_000,
    timeLimitMs: 300_000,
    explore: { runs, seed: 11 },
  });
  // Of one character, no other spelling can be made: a warning need not have a verdict.
  const complaints = report.rules.filter(
    ({ verdict, severity }) =>
      !/^(pass|observed|not-applicable)$/.test(verdict) && !(verdict === 'blocked' && severity === 'warning'),
  );
  expect(complaints).toEqual([]);
  expect(report.exploration?.failures).toEqual([]);
  return report;
}
