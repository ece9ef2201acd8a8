import { auditPact } from 'plant-store-contract/pact';
import type { Report } from 'plant-store-contract/reporters';
import { describe, expect, test } from 'vitest';
import { matchers, pactOf } from './one-interaction.js';

function foundIn({ findings, groups }: Report): string[] {
  const { evidence = [] } = groups[0]?.cases[0] ?? {};
  return evidence.map(({ finding, where }) => `${findings[finding]?.id} ${where}`).sort();
}

describe('the pact is accepted', () => {
  const text = pactOf({ request: { body: { name: 'Aloe', id: 9223372036854775807n } } });
  const past = pactOf({ request: { body: { name: 'Aloe', id: 9223372036854775808n } } });

  test('with exact ids', () => {
    expect(foundIn(auditPact(text))).toEqual([]);
    expect(foundIn(auditPact(past))).toEqual(['invalid-request request body "id"']);
  });

  test('with headers that fetch rejects', () => {
    const pact = pactOf({ response: { headers: { 'X-Näme': 'ř' }, body: { name: 7 } } });
    expect(foundIn(auditPact(pact))).toEqual([
      'unknown-field response header "x-näme"',
      'wrong-body response body "name"',
    ]);
  });
});

test('an audit of nothing is an error', () => {
  const nothing = JSON.stringify({ ...JSON.parse(pactOf({})), interactions: [] });
  const why = { name: 'ToolkitError', code: 'no-pact', message: 'shop.json has no interaction' };
  expect(() => auditPact(nothing, 'shop.json')).toThrow(expect.objectContaining(why));
});

test.each(['__proto__', 'constructor', 'unknown'])('the status class %s may accept anything', (status) => {
  const matchingRules = { status: matchers({ match: 'statusCode', status }) };
  const report = auditPact(pactOf({ version: '4.0', response: { status: 400, matchingRules } }));
  expect(report.conclusion).toBe('conforms');
});
