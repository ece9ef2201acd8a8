import type { PlantStorePact } from 'plant-store-contract/pact';
import { describe, expect, test } from 'vitest';
import { PactFolder } from './collected.js';

type Name = Exclude<keyof PlantStorePact, 'interaction'>;

/** What a consumer sends. It is correct until a case changes it. */
interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Sends the request of an interaction with a mistake in it. Then the test may fail for a reason of its own. */
function sendWrong(
  pact: PlantStorePact,
  name: Name,
  change: (sent: Sent) => void,
  reason?: Error,
): Promise<number> {
  return pact[name](async ({ url, token, plant }: { url: string; token: string | null; plant: object }) => {
    const sent: Sent = {
      method: 'POST',
      path: '/plants',
      headers: {
        'content-type': 'application/json',
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(plant),
    };
    change(sent);
    const { method, path, headers, body } = sent;
    const { status } = await fetch(url + path, { method, headers, body: Buffer.from(body) });
    if (reason !== undefined) throw reason;
    return status;
  });
}

/** Where a mistake is tried that every interaction can have: one of them is watched by a forwarder. Their rules are alike. */
const TWO: readonly Name[] = ['createsPlantWithTag', 'rejectsMissingToken'];
const ONE: readonly Name[] = ['rejectsInvalidPlant'];

const inBody = (search: string | RegExp, replacement: string) => (sent: Sent) => {
  sent.body = sent.body.replace(search, replacement);
};

const withHeaders = (headers: Record<string, string>) => (sent: Sent) => {
  Object.assign(sent.headers, headers);
};

const MISTAKES: readonly [what: string, change: (sent: Sent) => void, where: readonly Name[]][] = [
  ['a renamed field', inBody('"id"', '"plantId"'), TWO],
  ['an id that is a string', inBody(/"id":(\d+)/, '"id":"$1"'), TWO],
  ['no name', inBody(/"name":"\w+",/, ''), TWO],
  ['a tag that is null', inBody('}', ',"tag":null}'), ['createsPlantWithoutTag', 'rejectsMissingToken']],
  ['another media type', withHeaders({ 'content-type': 'text/plain' }), TWO],
  ['no token', ({ headers }) => delete headers.authorization, ONE],
  ['no scheme', withHeaders({ authorization: 'example-token' }), ONE],
  ['another token', withHeaders({ authorization: 'Bearer abc' }), ['rejectsWrongToken']],
  ['a token', withHeaders({ authorization: 'Bearer abc' }), ['rejectsMissingToken']],
  ['another path', (sent) => Object.assign(sent, { path: '/plant' }), TWO],
  ['a query', (sent) => Object.assign(sent, { path: '/plants?a=1' }), TWO],
];

const CASES = MISTAKES.flatMap(([what, change, where]) => where.map((name) => [name, what, change] as const));

describe('a consumer with a mistake fails, and its interaction is not in the pact', () => {
  test.each(CASES)('%s with %s', async (name, _what, change) => {
    const folder = new PactFolder();
    const { text } = await folder.run(async (pact) => {
      await expect(sendWrong(pact, name, change)).rejects.toThrow(
        /Mock server failed|sent an Authorization header/,
      );
    });
    expect(text).toBe('');
  });

  test('if no request is sent', async () => {
    const folder = new PactFolder();
    const { text } = await folder.run(async (pact) => {
      const silent = pact.createsPlantWithTag(async () => {});
      await expect(silent).rejects.toThrow('The following request was expected but not received');
    });
    expect(text).toBe('');
  });

  test.each(TWO)('%s with a test that fails for another reason: its own error is thrown', async (name) => {
    const folder = new PactFolder();
    const reason = new Error('the list was not updated');
    const { text } = await folder.run(async (pact) => {
      await expect(sendWrong(pact, name, () => {}, reason)).rejects.toBe(reason);
    });
    expect(text).toBe('');
  });

  test.each(['9223372036854776000', '9223372036854775806'])('an int64 that became %s', async (id) => {
    const folder = new PactFolder();
    const { text } = await folder.run(async (pact) => {
      const rounding = pact.createsPlantWithoutTag(
        ({ url, token }) => {
          const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
          const body = `{"name":"Fern","id":${id}}`;
          return fetch(`${url}/plants`, { method: 'POST', headers, body });
        },
        { plant: { name: 'Fern', id: 9223372036854775807n } },
      );
      await expect(rounding).rejects.toThrow('Mock server failed with the following mismatches');
    });
    expect(text).toBe('');
  });

  test('a consumer may also send a charset, further headers, and names in another letter case', async () => {
    const folder = new PactFolder();
    await folder.run(async (pact) => {
      const status = await sendWrong(pact, 'createsPlantWithTag', (sent) => {
        sent.headers = {
          Authorization: 'Bearer other',
          'Content-Type': 'application/json; charset=utf-8',
          'x-trace': 'a',
        };
        sent.body = ' {\n"tag" : "x", "id": 5, "name": "Other"}';
      });
      expect(status).toBe(200);
    });
  });
});
