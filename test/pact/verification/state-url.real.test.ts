import { afterAll, expect, test } from 'vitest';
import {
  type PactVerifier,
  readNativeResult,
  startPactVerifier,
} from '../../../src/pact/verification/pact-verifier.js';
import { casesOf } from '../../../src/report/frame.js';
import { ID_FROM_STATE, pactFile } from './pacts.js';
import { startReader } from './provider.js';
import { Verifiers } from './verifiers.js';

const pact: PactVerifier = startPactVerifier();
const verifiers = new Verifiers();
afterAll(() => {
  pact.stop();
  verifiers.stop();
});

const JSON_TYPE = 'application/json';

/** What a state URL answers, whether Pact's verifier then takes the state for set up, and the id that it sends. */
const ROWS: readonly [
  what: string,
  status: number,
  type: string | undefined,
  body: string,
  id: number | undefined,
][] = [
  ['text', 200, 'text/plain', 'OK', 7],
  ['an object without a type', 200, undefined, '{"id":5}', 7],
  ['broken JSON', 200, JSON_TYPE, '{"id":', 7],
  ['a list', 200, JSON_TYPE, '[5]', 7],
  ['an object', 200, JSON_TYPE, '{"id":5}', 5],
  ['an object of another JSON type', 200, 'application/vnd.states+json', '{"id":5}', 5],
  ['204', 204, undefined, '', 7],
  ['500', 500, JSON_TYPE, '{"id":5}', undefined],
];

test.each(ROWS)('%s means the same to `verify` and to Pact', async (_what, status, type, body, id) => {
  const sent: unknown[] = [];
  await using states = await startReader((_request, response) => {
    if (type !== undefined) response.setHeader('content-type', type);
    response.writeHead(status).end(body);
  });
  await using provider = await startReader((_request, response, request) => {
    sent.push(JSON.parse(request.toString()).id);
    response.setHeader('content-type', JSON_TYPE).end('{"name":"Aloe"}');
  });
  const given = { 'the shop is open': '{}' };
  const file = await pactFile({ description: 'a creation', given, generators: ID_FROM_STATE });

  const options = {
    providerBaseUrl: provider.url,
    provider: 'plant-store',
    pactUrls: [file],
    logLevel: 'error',
  };
  const setup = {
    providerStatesSetupUrl: states.url,
    providerStatesSetupTeardown: true,
    providerStatesSetupBody: true,
  };
  const theirs = readNativeResult(await pact.verify({ ...options, ...setup }, 60_000), [false]);
  expect([theirs.interactions[0]?.length === 0, sent]).toEqual([
    id !== undefined,
    id === undefined ? [] : [id],
  ]);

  sent.length = 0;
  const ours = await verifiers.verify({
    baseUrl: provider.url,
    token: 'secret',
    pacts: [file],
    stateUrl: states.url,
  });
  const [interaction] = casesOf(ours);
  expect(interaction?.verdict).toBe(id === undefined ? 'blocked' : 'pass');
  // If nothing is accepted, a plain plant with another id asks why.
  expect(sent.filter((one) => one === 5 || one === 7)).toEqual(id === undefined ? [] : [id]);
  if (id === undefined) expect(interaction?.detail).toContain(`${states.url}/ returned ${status}`);
});
