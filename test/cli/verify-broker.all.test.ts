import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { PROVIDER, pactPath, startBroker } from '../pact/broker/stub.js';
import { interactionsOf } from '../pact/verification/pacts.js';
import { plantStore } from './console.js';

const token = 'a-token-of-these-tests';
const wants201 = {
  interactions: interactionsOf([{ description: 'a creation', status: 201, response: '{"name":"Aloe"}' }]),
};

/** Runs `verify` against a correct provider. */
async function verify(flags: readonly string[], env: Record<string, string> = {}) {
  await using store = await startPlantStore({ token });
  return await plantStore(['verify', store.url, '--token', token, '--provider', PROVIDER, ...flags], { env });
}

/** A report without its line breaks. */
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe('plant-store-contract verify --broker', () => {
  test('passes every flag on', async () => {
    await using broker = await startBroker();
    const selectors =
      '--consumer-version-selectors [{"branch":"main"}] --enable-pending --include-wip-pacts-since 2026-01-31';
    const publish =
      '--publish-verification-results --provider-version 1.2.3 --provider-version-branch main --build-url https://ci.example';
    const flags = `--pact-broker-url ${broker.url} ${selectors} ${publish}`.split(' ');
    const { status, stdout } = await verify(flags, { PACT_BROKER_TOKEN: 'of-the-broker' });
    expect(flat(stdout)).toContain(`The results were published, for version 1.2.3 of ${PROVIDER}.`);
    expect(status).toBe(0);
    expect(broker.calls[0]?.headers.authorization).toBe('Bearer of-the-broker');
    expect(
      broker.calls.find(({ method, target }) => method === 'POST' && target.endsWith('/for-verification'))
        ?.body,
    ).toEqual({
      consumerVersionSelectors: [{ branch: 'main' }],
      includePendingStatus: true,
      includeWipPactsSince: '2026-01-31',
      providerVersionBranch: 'main',
    });
    expect(broker.results()['garden-app']).toMatchObject({
      providerApplicationVersion: '1.2.3',
      buildUrl: 'https://ci.example',
    });
  });

  test('counts a pending failure apart in every format', async () => {
    await using broker = await startBroker({ pacts: [wants201] });
    const shown: Readonly<Record<string, RegExp>> = {
      text: /\nconforms: 1 pending failure in [^\n]*\nThe provider satisfies 0 of 1 interaction; 1 pending fail/,
      json: /"excuse": ?\{\s*"kind": "pending"/,
      junit: /tests="1" failures="0" errors="0" skipped="1"/,
      github: /conforms \(1 pending failure\)\. The provider satisfies 0 of 1/,
      markdown: /\| pass \| fail \| pending failure \|[^\n]*\n[^\n]*\n\| 0 \| 0 \| 1 \|/,
      html: /<strong>1<\/strong> pending failure<\/li>/,
    };
    const reporters = Object.keys(shown).flatMap((name) => ['--reporter', `${name}=as.${name}`]);
    const { status, files } = await verify([
      '--pact-broker-url',
      broker.url,
      '--enable-pending',
      ...reporters,
    ]);
    expect(status).toBe(0);
    for (const [name, pattern] of Object.entries(shown)) {
      expect(files[`as.${name}`]).toMatch(pattern);
    }
  });
});

describe('PACT_BROKER_BASE_URL', () => {
  test('names the broker, as for the commands of Pact', async () => {
    await using broker = await startBroker();
    const env = { PACT_BROKER_BASE_URL: broker.url, PACT_BROKER_TOKEN: 'of-the-broker' };
    const { status, stdout } = await verify(
      ['--publish-verification-results', '--provider-version', '1.2.3'],
      env,
    );
    expect(stdout).toContain('The provider satisfies 10 of 10 interactions.');
    expect(status).toBe(0);
    expect(broker.calls[0]?.headers.authorization).toBe('Bearer of-the-broker');
    expect(broker.results()['garden-app']).toMatchObject({ providerApplicationVersion: '1.2.3' });
  });

  test('does not choose beside --pacts, and does nothing beside --pact-broker-url or if it is empty', async () => {
    await using broker = await startBroker();
    await using store = await startPlantStore({ token });
    const argv = ['verify', store.url, '--token', token, '--quiet'];
    const pacts = ['--pacts', 'pacts/plant-store-client-plant-store.json'];
    for (const [flags, url] of [[pacts, 'http://127.0.0.1:9'] as const, [[], ''] as const]) {
      const { status, stdout } = await plantStore([...argv, ...flags], {
        env: { PACT_BROKER_BASE_URL: url },
      });
      expect([status, stdout]).toEqual([0, expect.stringContaining('5 of 5 interactions')]);
    }
    const other = await verify(['--pact-broker-url', broker.url], {
      PACT_BROKER_BASE_URL: 'http://127.0.0.1:9',
    });
    expect(other.status).toBe(0);
  });
});

describe('plant-store-contract verify --pacts <URL of a broker>', () => {
  const publish = ['--publish-verification-results', '--provider-version', '1'];

  test.each<[string, (url: string) => string, string | undefined]>([
    ['if it is the broker of the environment', (url) => url, 'Bearer of-the-broker'],
    ['but not if another broker is there', () => 'https://broker.example', undefined],
  ])('gets the token of the environment %s', async (_what, variable, authorization) => {
    await using broker = await startBroker();
    const env = { PACT_BROKER_TOKEN: 'of-the-broker', PACT_BROKER_BASE_URL: variable(broker.url) };
    await verify(['--pacts', `${broker.url}${pactPath}`, ...publish], env);
    expect(broker.calls[0]?.headers.authorization).toBe(authorization);
  });
});
