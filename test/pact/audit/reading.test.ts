import { auditPact, auditText, type PactAudit } from 'plant-store-contract/pact';
import { describe, expect, test } from 'vitest';
import { pactOf } from './one-interaction.js';

function foundIn({ interactions }: PactAudit): string[] {
  return interactions
    .flatMap(({ problems }) => problems.map(({ kind, pointer }) => `${kind} ${pointer}`))
    .sort();
}

describe('the pact is taken', () => {
  const text = pactOf({ request: { body: { name: 'Aloe', id: 9223372036854775807n } } });
  const past = pactOf({ request: { body: { name: 'Aloe', id: 9223372036854775808n } } });

  test('as text and in bytes, exactly', async () => {
    for (const pact of [text, Buffer.from(text), new TextEncoder().encode(text)])
      expect(foundIn(await auditPact(pact))).toEqual([]);
    expect(foundIn(await auditPact(Buffer.from(past)))).toEqual([
      'invalid-request /interactions/0/request/body/id',
    ]);
  });

  test('as an object, in which JSON.parse may have rounded; that is no problem of the pact', async () => {
    expect(foundIn(await auditPact(JSON.parse(text)))).toEqual([]);
    for (const id of [2n ** 64n, 1.5, null, ['7']]) {
      const pact = JSON.parse(pactOf({ request: { body: { name: 'Aloe', id } } }));
      expect(foundIn(await auditPact(pact)), String(id)).toHaveLength(1);
    }
  });

  test('with headers that fetch refuses, and the comparator with it', async () => {
    const pact = pactOf({ response: { headers: { 'X-Näme': 'ř' }, body: { name: 7 } } });
    expect(foundIn(await auditPact(pact))).toEqual([
      'unpromised-header /interactions/0/response/headers/X-Näme',
      'wrong-body /interactions/0/response/body/name',
    ]);
  });

  test('with what is no HTTP, which is said', async () => {
    const pact = JSON.parse(pactOf({ version: '4.0' }));
    pact.interactions.push({ type: 'Asynchronous/Messages', description: 'an event' });
    const audit = await auditPact(pact);
    expect(audit.notAudited).toEqual(['Asynchronous/Messages']);
    expect(auditText([audit])).toContain(
      'Note: 1 interaction of other types than HTTP was not audited: Asynchronous/Messages',
    );
  });
});

describe('no pact', () => {
  const party = { consumer: { name: 'shop' }, provider: { name: 'plant store' } };
  test.for<readonly [title: string, pact: string | Uint8Array | object, code: string, message: RegExp]>([
    ['a text that is no JSON', 'pacts/shop.json', 'invalid-pact', /^shop\.json is no pact: it is not JSON/],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'invalid-pact', /^shop\.json is no pact/],
    [
      'a pact of bytes with one that is no UTF-8',
      Buffer.from(pactOf({ description: 'caf\u00e9' }), 'latin1'),
      'invalid-pact',
      /^shop\.json is no pact/,
    ],
    ['an object that JSON cannot hold', { ...party, interactions: () => [] }, 'invalid-pact', /a function/],
    ['messages of V3', { ...party, messages: [] }, 'invalid-pact', /holds messages, and no interactions/],
    [
      'no interaction',
      { ...party, interactions: [] },
      'no-pact',
      /holds no HTTP interaction: there is nothing/,
    ],
    [
      'messages of V4',
      { ...party, interactions: [{ type: 'Asynchronous/Messages', description: 'an event' }] },
      'no-pact',
      /holds no HTTP interaction, only Asynchronous\/Messages/,
    ],
  ])('%s is refused', async ([, pact, code, message]) => {
    const audit = auditPact(pact, { where: 'shop.json' });
    await expect(audit).rejects.toMatchObject({
      name: 'ToolkitError',
      code,
      message: expect.stringMatching(message),
    });
  });
});
