import { auditPact } from 'plant-store-contract/pact';
import { expect, test } from 'vitest';

const pact = (interaction: object): object => ({
  consumer: { name: 'shop' },
  provider: { name: 'plant store' },
  interactions: [interaction],
});

test.each(['__proto__', 'constructor', 'unknown'])('the status class %s may accept anything', (status) => {
  const matchingRules = { status: { matchers: [{ match: 'statusCode', status }] } };
  const request = { method: 'POST', path: '/plants' };
  const report = auditPact(pact({ description: 'a', request, response: { status: 400, matchingRules } }));
  expect(report.pacts[0]?.interactions).toHaveLength(1);
});

test.each(['a\nb\u0007', 'x'.repeat(100_000)])(
  'the type of an interaction is shown in one short line',
  (type) => {
    const message = (() => {
      try {
        auditPact(pact({ type }));
      } catch (cause) {
        return (cause as Error).message;
      }
      return '';
    })();
    expect(message).toMatch(/^the pact has no HTTP interaction, only \P{C}{3,300}$/u);
  },
);
