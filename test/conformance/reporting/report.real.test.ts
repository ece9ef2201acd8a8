import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type CheckOptions, type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { startHandler } from '../providers/handler.js';

const token = 'a-token-that-no-report-may-hold';
const schema = JSON.parse(readFileSync(new URL('../../../spec/report.schema.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
addFormats.default(ajv);
const isReport = ajv.compile(schema);

function check(report: CheckReport): void {
  isReport(JSON.parse(JSON.stringify(report)));
  expect(isReport.errors ?? []).toEqual([]);
}

describe('spec/report.schema.json describes the report', () => {
  test.for<[string, Partial<CheckOptions>]>([
    ['of a provider that conforms', { implementation: { name: 'plants', version: '1.2' } }],
    ['without Prism, of some rules', { prism: false, only: ['auth', 'unspecified'] }],
    [
      'with an expectation that is kept',
      { expectedFailures: [{ rule: 'success/status-is-200', reason: 'r' }] },
    ],
    ['of a wrong token', { token: 'wrong' }],
  ])('%s', async ([_what, options]) => {
    await using store = await startPlantStore({ token });
    check(await checkConformance({ baseUrl: store.url, token, ...options }));
  });

  test('of a provider with many faults', async () => {
    const faults = ['leaks-id', 'answers-html-errors', 'mixes-answers', 'hangs-on-malformed-json'] as const;
    await using store = await startPlantStore({ token, faults });
    const report = await checkConformance({ baseUrl: store.url, token, timeoutMs: 300 });
    check(report);
    expect(report.prism?.differences.length).toBeGreaterThan(1);
  });

  test('of a provider that cannot be reached', async () => {
    const provider = await startHandler(() => {});
    await provider[Symbol.asyncDispose]();
    check(await checkConformance({ baseUrl: provider.url, token }));
  });

  test('but not a report with an unknown member, or with a verdict without its reason', async () => {
    await using store = await startPlantStore({ token });
    const report = await checkConformance({ baseUrl: store.url, token, only: ['auth'] });
    expect(isReport({ ...report, secret: token })).toBe(false);
    const [first] = report.rules;
    expect(isReport({ ...report, rules: [{ ...first, verdict: 'blocked' }] })).toBe(false);
    const [group] = report.groups;
    const failing = { ...group?.cases[0], verdict: 'fail' };
    expect(isReport({ ...report, groups: [{ ...group, cases: [failing] }] })).toBe(false);
    expect(isReport({ ...report, kind: 'proxy' })).toBe(false);
  });
});

describe('bodies in a report', () => {
  test('are cut if they are long, and say so', async () => {
    await using store = await startPlantStore({ token });
    const report = await checkConformance({ baseUrl: store.url, token, only: ['unspecified/large-body'] });
    const large = report.exchanges.find(({ name }) => name === 'large-body');
    expect(large?.request.body.wholeBytes).toBeGreaterThan(2 ** 20);
    expect(large?.request.body.text.length).toBe(16 * 1024);
  });

  test('are in base64 if they are not UTF-8', async () => {
    await using store = await startPlantStore({ token });
    const report = await checkConformance({
      baseUrl: store.url,
      token,
      only: ['unspecified/malformed-utf-8'],
    });
    const body = report.exchanges.find(({ name }) => name === 'malformed-utf-8')?.request.body;
    expect(body?.encoding).toBe('base64');
    expect(Buffer.from(body?.text ?? '', 'base64').includes(0xe9)).toBe(true);
  });
});
