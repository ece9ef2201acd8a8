import { type AuditReport, auditPact } from 'plant-store-contract/pact';
import { describe, expect, test } from 'vitest';
import { matchers, pactOf } from './one-interaction.js';

function foundIn({ pacts }: AuditReport): string[] {
  return pacts
    .flatMap(({ interactions }) => interactions)
    .flatMap(({ problems }) => problems.map(({ kind, pointer }) => `${kind} ${pointer}`))
    .sort();
}

describe('the pact is accepted', () => {
  const text = pactOf({ request: { body: { name: 'Aloe', id: 9223372036854775807n } } });
  const past = pactOf({ request: { body: { name: 'Aloe', id: 9223372036854775808n } } });

  test('as text and in bytes, exactly', () => {
    for (const pact of [text, Buffer.from(text), new TextEncoder().encode(text)])
      expect(foundIn(auditPact(pact))).toEqual([]);
    expect(foundIn(auditPact(Buffer.from(past)))).toEqual([
      'invalid-request /interactions/0/request/body/id',
    ]);
  });

  test('as an object in which JSON.parse may have rounded ids, which is not a problem of the pact', () => {
    expect(foundIn(auditPact(JSON.parse(text)))).toEqual([]);
    for (const id of [2n ** 64n, 1.5, null, ['7']]) {
      const pact = JSON.parse(pactOf({ request: { body: { name: 'Aloe', id } } }));
      expect(foundIn(auditPact(pact)), String(id)).toHaveLength(1);
    }
  });

  test('with headers that fetch rejects', () => {
    const pact = pactOf({ response: { headers: { 'X-Näme': 'ř' }, body: { name: 7 } } });
    expect(foundIn(auditPact(pact))).toEqual([
      'unpromised-header /interactions/0/response/headers/X-Näme',
      'wrong-body /interactions/0/response/body/name',
    ]);
  });

  test('with other types than HTTP, which a note names', () => {
    const pact = JSON.parse(pactOf({ version: '4.0' }));
    pact.interactions.push({ type: 'Asynchronous/Messages', description: 'an event' });
    const audit = auditPact(pact);
    expect(audit.pacts[0]?.notAudited).toEqual(['Asynchronous/Messages']);
    expect(audit.notes).toEqual([
      'shop has 1 interaction that is not HTTP, left out here: Asynchronous/Messages.',
    ]);
  });
});

describe('what is not a pact', () => {
  const party = { consumer: { name: 'shop' }, provider: { name: 'plant store' } };
  test.for<readonly [title: string, pact: string | Uint8Array | object, code: string, message: RegExp]>([
    [
      'a string that is not JSON',
      'pacts/shop.json',
      'invalid-pact',
      /^shop\.json is not a pact: it is not JSON/,
    ],
    ['bytes that are not UTF-8', Buffer.of(0x22, 0xff, 0x22), 'invalid-pact', /^shop\.json is not a pact/],
    [
      'a pact with one byte that is not UTF-8',
      Buffer.from(pactOf({ description: 'caf\u00e9' }), 'latin1'),
      'invalid-pact',
      /^shop\.json is not a pact/,
    ],
    [
      'an object that JSON cannot represent',
      { ...party, interactions: () => [] },
      'invalid-pact',
      /a function/,
    ],
    ['messages of V3', { ...party, messages: [] }, 'invalid-pact', /has messages, but no interactions/],
    ['no interaction', { ...party, interactions: [] }, 'no-pact', /^shop\.json has no HTTP interaction$/],
    [
      'messages of V4',
      { ...party, interactions: [{ type: 'Asynchronous/Messages', description: 'an event' }] },
      'no-pact',
      /has no HTTP interaction, only Asynchronous\/Messages/,
    ],
  ])('%s is rejected', ([, pact, code, message]) => {
    expect(() => auditPact(pact, { where: 'shop.json' })).toThrow(
      expect.objectContaining({ name: 'ToolkitError', code, message: expect.stringMatching(message) }),
    );
  });

  test.each(['a\nb\u0007', 'x'.repeat(100_000)])('the type of an interaction is one short line', (type) => {
    expect(() => auditPact({ ...party, interactions: [{ type }] })).toThrow(
      /^the pact has no HTTP interaction, only \P{C}{3,300}$/u,
    );
  });
});

test.each(['__proto__', 'constructor', 'unknown'])('the status class %s may accept anything', (status) => {
  const matchingRules = { status: matchers({ match: 'statusCode', status }) };
  const report = auditPact(pactOf({ version: '4.0', response: { status: 400, matchingRules } }));
  expect(report.pacts[0]?.interactions).toHaveLength(1);
});
