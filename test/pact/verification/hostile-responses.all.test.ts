import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { casesOf } from '../../../src/report/frame.js';
import { pactFile } from './pacts.js';
import { startReader } from './provider.js';
import { Verifiers } from './verifiers.js';

// Pact reads and decodes every response as a whole. The forwarder must stop first.

const MIB = 2 ** 20;
const BLOCK = Buffer.alloc(64 * 1024, ' ');
const JSON_TYPE = { 'content-type': 'application/json' };

const verifiers = new Verifiers();
afterAll(() => verifiers.stop());

/** Writes until the client is gone. */
function writeOn(response: ServerResponse): void {
  response.write(BLOCK, (problem) => {
    if (problem == null) writeOn(response);
  });
}

/** 3 MiB, or 6,000 times as much as it has bytes. */
const bomb = gzipSync(Buffer.alloc(3 * MIB));

const HOSTILE: readonly [what: string, respond: (response: ServerResponse) => void, problem: RegExp][] = [
  ['a body without end', (r) => writeOn(r.writeHead(200, JSON_TYPE)), /is longer than 2 MiB$/],
  [
    'a gzip bomb',
    (r) => r.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(bomb),
    /^the response cannot be read: the body .*"gzip"/,
  ],
];

test.for(HOSTILE)('%s fails its interaction before Pact sees it', async ([_what, respond, problem]) => {
  // The first response shows that the token is right.
  let responses = 0;
  await using provider = await startReader((_request, response) => {
    if (responses++ > 0) respond(response);
    else response.writeHead(200, JSON_TYPE).end('{"name":"Aloe"}');
  });
  const pact = pactFile({ description: 'a creation' }, { description: 'another' });
  const report = await verifiers.verify({ baseUrl: provider.url, token: 'secret', pacts: [pact] });
  const [, interaction] = casesOf(report);
  expect(interaction?.verdict).toBe('fail');
  expect(interaction?.evidence).toMatchObject([
    { where: 'pact: request', actual: expect.stringMatching(problem) },
  ]);
  expect(report.conclusion).toBe('does-not-conform');
});

test('a response of 2 MiB is verified', async () => {
  const name = 'x'.repeat(2 * MIB - '{"name":""}'.length);
  await using provider = await startReader((_request, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync(`{"name":"${name}"}`));
  });
  const pact = pactFile({ description: 'a creation' });
  const settings = { baseUrl: provider.url, token: 'secret', pacts: [pact] };
  const report = await verifiers.verify(settings);
  const [interaction] = casesOf(report);
  expect(interaction?.evidence.map(({ where }) => where)).toEqual(['interface: body /name']);
});
