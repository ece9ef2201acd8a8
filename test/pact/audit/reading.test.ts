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

describe('what is not a pact', () => {
  const party = { consumer: { name: 'shop' }, provider: { name: 'plant store' } };
  test.for<readonly [title: string, pact: string | object, code: string, message: RegExp]>([
    [
      'a string that is not JSON',
      'pacts/shop.json',
      'invalid-pact',
      /^shop\.json is not a pact: it is not JSON/,
    ],
    ['messages of V3', { ...party, messages: [] }, 'invalid-pact', /interactions is not an array/],
    ['no interaction', { ...party, interactions: [] }, 'no-pact', /^shop\.json has no interaction$/],
    [
      'messages of V4',
      { ...party, interactions: [{ type: 'Asynchronous/Messages', description: 'an event' }] },
      'invalid-pact',
      /interactions\/0\/type is not Synchronous\/HTTP, but Asynchronous\/Messages$/,
    ],
  ])('%s is rejected', ([, pact, code, message]) => {
    const text = typeof pact === 'string' ? pact : JSON.stringify(pact);
    expect(() => auditPact(text, 'shop.json')).toThrow(
      expect.objectContaining({ name: 'ToolkitError', code, message: expect.stringMatching(message) }),
    );
  });
});

test.each(['__proto__', 'constructor', 'unknown'])('the status class %s may accept anything', (status) => {
  const matchingRules = { status: matchers({ match: 'statusCode', status }) };
  const report = auditPact(pactOf({ version: '4.0', response: { status: 400, matchingRules } }));
  expect(report.conclusion).toBe('conforms');
});
