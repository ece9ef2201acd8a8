import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith } from '../folder.js';
import { pactOf } from '../pact/audit/one-interaction.js';
import { steady } from '../steady.js';
import { plantStore, WIDE } from './console.js';

const wrong = {
  description: 'a creation\u001b[31m',
  request: { headers: { Authorization: undefined } },
  response: { body: { name: 'Aloe', id: 7 } },
};
const folder = folderWith({
  'good.json': pactOf({ states: [{ name: 'no plant with id', params: { id: 7 } }] }),
  'bad.json': pactOf({}, wrong),
});
const file = (name: string): string => join(folder, name);

describe('plant-store-contract audit', () => {
  test('0: a pact that relies only on what the interface promises', async () => {
    const { status, stdout, stderr } = await plantStore(['audit', file('good.json')]);
    expect(status).toBe(0);
    expect(stderr).toBe('');
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "shop → plant-store (interface 1.0.0)

      conforms: 1 pass in <duration>
      No problem in 1 interaction: nothing relies on more than the interface promises.
      "
    `);
  });

  test('1: a pact that relies on more, with what and where', async () => {
    const { status, stdout } = await plantStore(['audit', file('bad.json')], WIDE);
    expect(status).toBe(1);
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "shop → plant-store (interface 1.0.0)

      1. The pact expects success without a bearer token, or with a token that its state calls invalid.
         Fix: Send a bearer token, or expect a rejection.
         Case: a creation\\u001b[31m (1) (<folder>/bad.json, /interactions/1)
           where      request header "authorization"
           found      Success is expected, but the Authorization header is missing. (openapi.yaml#/security/0)

      2. The pact relies on a field or a header that the interface does not have there.
         Fix: Remove it.
         Case: a creation\\u001b[31m (1) (<folder>/bad.json, /interactions/1)
           where      response body "id"
           found      A 200 has only the fields of Plant, but the response must also have "id". (openapi.yaml#/components/schemas)

      does not conform: 1 pass, 1 fail in <duration>
      2 problems in 1 of 2 interactions: they rely on more than the interface promises.
      "
    `);
  });

  test('a folder: every pact in it once, and a summary of them all', async () => {
    const { status, stdout } = await plantStore(['audit', folder, file('good.json'), '--verbose'], WIDE);
    expect(status).toBe(1);
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "2 pacts (interface 1.0.0)

      shop → plant-store <folder>/bad.json
        ✓ a creation (shop)
        ✗ a creation\\u001b[31m (1) (shop)

      shop → plant-store <folder>/good.json
        ✓ a creation, given no plant with id (shop)

      1. The pact expects success without a bearer token, or with a token that its state calls invalid.
         Fix: Send a bearer token, or expect a rejection.
         Case: a creation\\u001b[31m (1) (shop) (<folder>/bad.json, /interactions/1)
           where      request header "authorization"
           found      Success is expected, but the Authorization header is missing. (openapi.yaml#/security/0)

      2. The pact relies on a field or a header that the interface does not have there.
         Fix: Remove it.
         Case: a creation\\u001b[31m (1) (shop) (<folder>/bad.json, /interactions/1)
           where      response body "id"
           found      A 200 has only the fields of Plant, but the response must also have "id". (openapi.yaml#/components/schemas)

      does not conform: 2 pass, 1 fail in <duration>
      2 problems in 1 of 3 interactions: they rely on more than the interface promises.
      "
    `);
  });

  describe('of the pacts in a folder', () => {
    const other = (provider: string) => pactOf({}).replace('"plant-store"', JSON.stringify(provider));
    // The interactions of another provider may be of any kind.
    const messages = '{"consumer":{"name":"shop"},"provider":{"name":"mailer"},"messages":[]}';
    const empty = JSON.stringify({ ...JSON.parse(pactOf({})), interactions: [] });

    test('one that cannot be read is named, and the others are audited', async () => {
      const path = folderWith({
        'a.json': '{"consumer":',
        'b.json': Buffer.of(0xff),
        'c.json': pactOf({}),
        'd.json': empty,
      });
      const { status, stdout } = await plantStore(['audit', path, `${path}/none`, '--reporter', 'json']);
      const { groups, notes, conclusion, summary } = JSON.parse(stdout);
      expect(groups.map(({ detail }: { detail: string }) => detail)).toEqual([`${path}/c.json`]);
      expect([status, conclusion]).toEqual([2, 'incomplete']);
      expect(notes).toEqual([
        expect.stringMatching(/^Not audited: \S+\/a\.json is not a pact: it is not JSON: .*\.$/),
        expect.stringMatching(
          /^Not audited: cannot read a pact from \S+\/b\.json: .* not valid for encoding utf-8\.$/,
        ),
        expect.stringMatching(/^Not audited: \S+\/d\.json has no interaction\.$/),
        expect.stringMatching(/^Not audited: cannot read a pact from \S+\/none: .*\.$/),
      ]);
      expect(summary).toMatchInlineSnapshot(
        `"No problem in 1 interaction: nothing relies on more than the interface promises; 4 pacts could not be audited."`,
      );
    });

    test('those with another provider are left out, and named', async () => {
      const path = folderWith({ 'a.json': other('mailer'), 'b.json': messages, 'c.json': pactOf({}) });
      const { status, stdout } = await plantStore(['audit', path, '--reporter', 'json']);
      expect(status).toBe(0);
      const { groups, notes } = JSON.parse(stdout);
      expect(groups.map(({ detail }: { detail: string }) => detail)).toEqual([`${path}/c.json`]);
      expect(notes).toEqual([
        `Left out: ${path}/a.json is a pact with "mailer".`,
        `Left out: ${path}/b.json is a pact with "mailer".`,
      ]);
    });

    test('2: if none is left, with the providers that there are', async () => {
      const path = folderWith({ 'a.json': other('mailer'), 'b.json': messages });
      const { status, stdout, stderr } = await plantStore(['audit', path]);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toContain(
        `there is no pact with "plant-store": ${path}/a.json is a pact with "mailer"; ${path}/b.json is`,
      );
    });
  });
});
