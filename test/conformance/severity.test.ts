import { rules } from 'plant-store-contract/conformance';
import { casesOf, exitStatus, reporters } from 'plant-store-contract/reporters';
import { describe, expect, test } from 'vitest';
import { conclude } from '../../src/report/conclusion.js';
import { checkStore } from './checks.js';

const only = ['request/null-tag-is-refused', 'success/plant-fields-only', 'success/status-is-200'];

describe('a provider that breaks only a rule of severity warning', () => {
  test('conforms, and every format says so', async () => {
    const report = await checkStore(['accepts-null-tag'], { only });
    expect(report).toConform();
    expect(exitStatus(report.conclusion)).toBe(0);
    expect(report.counts).toMatchObject({ warn: 1, fail: 0 });
    expect(report.summary).toMatch(
      /^The provider satisfies 2 of 3 judged rules\. Warnings: 1\. Only clients /,
    );
    expect(report.rules.find(({ verdict }) => verdict === 'warn')).toMatchObject({
      id: 'request/null-tag-is-refused',
      severity: 'warning',
    });
    expect(report.findings.map(({ severity }) => severity)).toEqual(['warning']);
    const { text, github, junit, markdown, html } = reporters;
    expect(text(report)).toMatch(/^1\. .*\(warning: accepts bad input\)/m);
    expect(text(report)).toMatch(/^conforms, with 1 warning: 2 pass, 1 warning/m);
    expect(github(report)).toMatch(/^::warning title=request\/null-tag-is-refused::/m);
    expect(github(report)).not.toMatch(/^::error/m);
    expect(junit(report)).toMatch(/failures="0" errors="0"/);
    expect(junit(report)).toMatch(/<system-out>warning: /);
    expect(markdown(report)).toMatch(/^# ✅ Conforms, with 1 warning$/m);
    expect(html(report)).toContain('<h1>Conforms, with 1 warning</h1>');
  });

  test('does not conform if warnings count as errors', async () => {
    const report = await checkStore(['accepts-null-tag'], { only, strict: true });
    expect(report.conclusion).toBe('does-not-conform');
    expect(report.counts).toMatchObject({ warn: 0, fail: 1 });
    expect(report.findings.map(({ severity }) => severity)).toEqual([undefined]);
  });

  test('conforms without a warning in its headline if that is expected', async () => {
    const rule = 'request/null-tag-is-refused';
    const expectedFailures = [{ rule, reason: 'null has always meant "no tag"' }];
    const report = await checkStore(['accepts-null-tag'], { only, expectedFailures });
    expect(report).toConform();
    expect(reporters.text(report)).toMatch(/^conforms: 2 pass, 1 expected failure/m);
    const fixed = await checkStore([], { only, expectedFailures });
    expect(fixed.conclusion).toBe('outdated-expectations');
  });
});

test('errors come before warnings, and an error does not conform', async () => {
  const report = await checkStore(['accepts-null-tag', 'leaks-id'], { only });
  expect(report.conclusion).toBe('does-not-conform');
  expect(report.findings.map(({ severity }) => severity)).toEqual([undefined, 'warning']);
  expect(report.summary).toMatch(/^The provider breaks 1 of 3 judged rules\. Warnings: 1\. /);
  expect(casesOf(report).map(({ verdict }) => verdict)).toEqual(expect.arrayContaining(['fail', 'warn']));
});

test('each rule that demands something has a severity', () => {
  const demands = rules.filter(({ level }) => level !== 'unspecified');
  const warnings = demands.flatMap((rule) =>
    'severity' in rule && rule.severity === 'warning' ? [rule] : [],
  );
  expect(demands.filter((rule) => !('severity' in rule))).toEqual([]);
  // What the interface states outright is never a warning.
  expect(warnings.filter(({ level }) => level === 'documented')).toEqual([]);
  expect(warnings.length).toBeGreaterThan(5);
});

test('the conclusion depends on errors alone: a warning that could not be judged leaves it complete', () => {
  const blocked = { verdict: 'blocked', level: 'implied' } as const;
  expect(conclude([{ verdict: 'pass' }, blocked])).toBe('incomplete');
  expect(conclude([{ verdict: 'pass' }, { ...blocked, severity: 'warning' }])).toBe('conforms');
  expect(conclude([{ verdict: 'pass' }, { verdict: 'warn', severity: 'warning' }])).toBe('conforms');
});
