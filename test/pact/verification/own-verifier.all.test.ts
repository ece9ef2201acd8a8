import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InstalledProject } from '../../installed-project.js';
import { packageFolder } from '../../once.js';
import { PROVIDER, startBroker } from '../broker/stub.js';
import { creation, LARGEST, pactOf, type Sketch } from './pacts.js';

const ownState: Sketch = { description: 'in a state of its own', given: { 'the shop is open': '{}' } };
const exact: Sketch = { description: 'a large id', body: `{"name":"Aloe","id":${LARGEST}}` };
const wrongToken: Sketch = {
  description: 'a wrong token',
  given: { 'the token is not valid': '{}' },
  ...{ authorization: 'Bearer wrong', status: 'clientError', body: '{"name":"Aloe","id":8}' },
};

/** The tests of a provider with Pact's own verifier, in the words of the page. */
const tests = (runner: string, brokerUrl: string) => `
import assert from 'node:assert/strict';
import { Verifier } from '@pact-foundation/pact';
import { pactVerifierOptions } from 'plant-store-contract/pact';
import { startPlantStore } from 'plant-store-contract/server';
import { test } from '${runner}';

const states = {
  'the shop is open': { setup() { calls.push('setup'); }, teardown() { calls.push('teardown'); } },
  'the token is not valid': () => { calls.push('revoked'); },
};
const calls = [];

async function verify(more, { token = 'secret', ...given } = {}) {
  const provider = await startPlantStore({ token: 'secret' });
  try {
    const options = pactVerifierOptions({ baseUrl: provider.url, token, ...given });
    await new Verifier({ ...options, logLevel: 'error', ...more }).verifyProvider();
    return provider.plants();
  } finally {
    await provider.close();
  }
}

const fails = (why, ...given) => assert.rejects(verify(...given), ({ message }) => why.test(message));

test('files', async () => {
  const plants = await verify({ pactUrls: ['good.json'] }, { states });
  assert.ok(plants.some(({ id }) => id === ${LARGEST}n));
  assert.deepEqual(calls, ['setup', 'teardown', 'revoked']);
});

test('a broker', () => verify({
  pactBrokerUrl: '${brokerUrl}',
  consumerVersionSelectors: [{ mainBranch: true }],
  publishVerificationResult: true,
  providerVersion: '1.2.3',
}, { provider: '${PROVIDER}' }));

test('a wrong status', () => fails(/expected 201 but was 200/, { pactUrls: ['wants-201.json'] }));
test('an unknown state', () => fails(/the shop is open - .*error sending request/, { pactUrls: ['good.json'] }));
test('a message', () => fails(/error sending request/, { pactUrls: ['message.json'] }));
test('a wrong token, and only rejections', () => fails(/error sending request/, { pactUrls: ['rejection.json'] }, { token: 'another' }));
`;

const PACTS = {
  'good.json': pactOf([creation, ownState, exact, wrongToken]),
  'wants-201.json': pactOf([{ ...creation, status: 201, response: '{"name":"Aloe"}' }]),
  'message.json': pactOf([creation]).replace('Synchronous/HTTP', 'Asynchronous/Messages'),
  'rejection.json': pactOf([{ description: 'no name', body: '{"id":7}', status: 'clientError' }]),
};

test.concurrent.for([
  ['16', '@pact-foundation/pact'],
  ['17', 'pact-17'],
] as const)('the options serve the Verifier of Pact %s, in Vitest and in node:test', async ([, name]) => {
  await using broker = await startBroker({ pacts: [{ consumer: 'garden-app', pending: false }] });
  const project = await InstalledProject.create();
  project.renew({
    ...PACTS,
    'vitest.config.js': "export default { test: { include: ['vitest.js'], testTimeout: 180_000 } };",
    'vitest.js': tests('vitest', broker.url),
    'node.test.js': tests('node:test', broker.url),
  });
  const scope = join(project.folder, 'node_modules/@pact-foundation');
  mkdirSync(scope);
  symlinkSync(await packageFolder(name), join(scope, 'pact'));
  const inVitest = await project.vitest();
  expect(inVitest.tests.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(inVitest.tests).toHaveLength(6);
  const inNode = await project.node('--test', 'node.test.js');
  expect(inNode.output).toContain('pass 6');
  expect(inNode.output).toContain(
    'the state "the shop is open" cannot be set up: there is no handler for it',
  );
  expect(inNode.output).toContain('the provider could not be tested: it accepts no plain plant');
  expect(inNode.code).toBe(0);
  expect(broker.results()['garden-app']).toMatchObject({
    success: true,
    providerApplicationVersion: '1.2.3',
  });
});
