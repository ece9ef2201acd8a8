import { join } from 'node:path';
import { type VerifyReport, verifyProvider } from 'plant-store-contract/pact';
import { startPlantStore } from 'plant-store-contract/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { expectToMatchSchema } from '../report-schema.js';
import { folderWith, pactOf, type Sketch } from './pacts.js';

afterEach(() => void vi.unstubAllEnvs());

const token = 'a-token-of-these-tests';

/** Verifies the reference server against the pacts in a folder with these files. */
async function verified(files: Readonly<Record<string, string>>): Promise<VerifyReport> {
  await using store = await startPlantStore({ token });
  const report = await verifyProvider({ baseUrl: store.url, token, pacts: [await folderWith(files)] });
  expectToMatchSchema(report);
  return report;
}

const creation: Sketch = { description: 'a creation' };
const another: Sketch = { description: 'another', body: '{"name":"Aloe","id":8}' };

/** A pact of these interactions. The first one has this rule for its response instead. */
function pactWithRule(rule: string, ...sketches: readonly Sketch[]): string {
  return pactOf(sketches).replace('"$":{"matchers":[{"match":"type"}]}', rule);
}

function verdictsOf({ pacts }: VerifyReport): string[] {
  return pacts.flatMap(({ interactions }) => interactions.map(({ verdict }) => verdict));
}

describe('what Pact cannot use does not count against the provider', () => {
  test.each([
    ['an unknown matcher', '"$.name":{"matchers":[{"match":"botanical"}]}', 'no matcher "botanical"'],
    ['a missing pattern', '"$.name":{"matchers":[{"match":"regex"}]}', '"regex" has no "regex"'],
    ['a broken pattern', '"$.name":{"matchers":[{"match":"regex","regex":"([a"}]}', '"([a" is not a regular'],
    ['matchers that are no list', '"$.name":{"matchers":{"match":"type"}}', '"matchers" is not a list'],
    ['a broken path', '"$.name[":{"matchers":[{"match":"type"}]}', '"$.name[" is not a path'],
    // Only Pact itself finds this one.
    [
      'a pattern with an unknown property',
      '"$.name":{"matchers":[{"match":"regex","regex":"\\\\p{Foo}"}]}',
      'Foo',
    ],
  ])('%s: its interaction is blocked, and the others are verified', async (_what, rule, why) => {
    const report = await verified({
      'pact.json': pactWithRule(rule, { ...creation, response: '{"name":"Fern"}' }, another),
    });
    expect(verdictsOf(report)).toEqual(['blocked', 'pass']);
    expect(report.pacts[0]?.interactions[0]?.reason).toContain(why);
    expect(report.conclusion).toBe('incomplete');
    expect(report.summary).toBe('The provider satisfies 1 of 2 interactions; 1 could not be verified.');
  });

  test('an interaction in the middle, whose neighbours keep their tokens and their verdicts', async () => {
    const middle = pactWithRule('"$":{"matchers":[{"match":"botanical"}]}', {
      ...creation,
      description: 'middle',
    });
    const { interactions } = JSON.parse(middle);
    const sketches: Sketch[] = [creation, another];
    const [first, last] = JSON.parse(pactOf(sketches)).interactions;
    const whole = {
      ...JSON.parse(middle),
      interactions: [first, interactions[0], { ...last, pending: true }],
    };
    // The id of the last one is not an integer, so it fails.
    whole.interactions[2].request.body.content.id = '8';
    const report = await verified({ 'pact.json': JSON.stringify(whole) });
    expect(verdictsOf(report)).toEqual(['pass', 'blocked', 'fail']);
    expect(report.pacts[0]?.interactions.map(({ pending }) => pending)).toEqual([false, false, true]);
    expect(report.interactions).toEqual({ passed: 1, failed: 0, pendingFailures: 1, notVerified: 1 });
    expect(report.conclusion).toBe('incomplete');
  });

  test('a pact of which nothing can be used', async () => {
    const report = await verified({ 'pact.json': pactWithRule('"$.":{"matchers":[]}', creation) });
    expect(verdictsOf(report)).toEqual(['blocked']);
    expect(report.conclusion).toBe('incomplete');
  });

  test('a pattern of a request, which Pact does not use here', async () => {
    const pact = pactOf([creation]).replace(
      '"encoded":false}}',
      '"encoded":false},"matchingRules":{"body":{"$.name":{"matchers":[{"match":"regex","regex":"("}]}}}}',
    );
    expect((await verified({ 'pact.json': pact })).conclusion).toBe('conforms');
  });

  test('a plugin that is not installed', async () => {
    vi.stubEnv('PACT_PLUGIN_DIR', await folderWith({}));
    const needy = pactOf([creation]).replace(
      '"metadata":{',
      '"metadata":{"plugins":[{"name":"botanical","version":"1"}],',
    );
    const report = await verified({ 'a.json': needy, 'b.json': pactOf([another]) });
    expect(verdictsOf(report)).toEqual(['pass']);
    expect(report.pacts.map(({ problem }) => problem ?? '')).toEqual([
      expect.stringContaining('the pact needs the plugin "botanical", which is not installed in '),
      '',
    ]);
    expect(report.conclusion).toBe('incomplete');
  });
});

describe('the pacts in a folder', () => {
  const messages = '{"consumer":{"name":"garden"},"provider":{"name":"mailer"},"messages":[]}';

  test('with other providers are left out, and named', async () => {
    const files = {
      'a.json': pactOf([another], 'flower-shop'),
      'b.json': messages,
      'c.json': pactOf([creation]),
    };
    const report = await verified(files);
    expect(report.summary).toBe('The provider satisfies 1 of 1 interaction.');
    expect(report.conclusion).toBe('conforms');
    expect(report.notes).toEqual([
      expect.stringMatching(/^Left out: .*a\.json is a pact with "flower-shop"\.$/),
      expect.stringMatching(/^Left out: .*b\.json is a pact with "mailer"\.$/),
    ]);
    expect(report.leftOut.map(({ provider, reason }) => [provider, reason])).toEqual([
      ['flower-shop', 'other-provider'],
      ['mailer', 'other-provider'],
    ]);
  });

  test('that are empty are reported beside the others, and the verification is incomplete', async () => {
    const report = await verified({ 'a.json': pactOf([]), 'b.json': pactOf([creation]) });
    expect(report.conclusion).toBe('incomplete');
    expect(report.summary).toBe('The provider satisfies 1 of 1 interaction; 1 pact could not be verified.');
    expect(report.pacts.find(({ problem }) => problem !== undefined)).toMatchObject({
      where: expect.stringContaining('a.json'),
      consumer: 'garden',
      problem: 'the pact has no HTTP interaction',
    });
  });

  test('must not all be left out', async () => {
    const folder = await folderWith({ 'a.json': pactOf([creation], 'flower-shop'), 'b.json': messages });
    const failure = verifyProvider({ baseUrl: 'http://127.0.0.1:9', token, pacts: [folder] });
    await expect(failure).rejects.toMatchObject({
      code: 'wrong-provider',
      message: expect.stringContaining(
        `there is no pact with "plant-store": ${join(folder, 'a.json')} is a pact`,
      ),
    });
  });
});
