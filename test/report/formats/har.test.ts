import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { reporters } from 'plant-store-contract/reporters';
import { startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { writeText } from '../../../src/cli/file-access.js';
import { judgeMessages } from '../../../src/proxy/messages/judge.js';
import type { ValidateReport } from '../../../src/proxy/messages/report.js';
import { plantStore } from '../../cli/console.js';
import { startHandler } from '../../conformance/providers/handler.js';
import { quickReportOn, token } from './reports.js';

/** What `validate` says about the exchanges of a report. */
function validated(report: CheckReport, kind: 'request' | 'response'): ValidateReport {
  return judgeMessages(Buffer.from(reporters.har(report)), { file: 'run.har', kind });
}

/** The exchanges that `validate` judges: an entry is a creation, with a response. */
const creations = (report: CheckReport) =>
  report.exchanges.filter(({ request }) => request.method === 'POST' && request.url.includes('/plants'));

test('validate reads every exchange of a check', async () => {
  const report = await quickReportOn([]);
  const { messages, conclusion } = validated(report, 'response');
  expect(messages).toHaveLength(creations(report).length);
  expect(messages.length).toBeGreaterThan(100);
  expect(conclusion).toBe('conforms');
  const log = JSON.parse(reporters.har(report)).log;
  expect(log).toMatchObject({ version: '1.2', creator: { name: 'plant-store-contract' } });
  expect(log.entries).toHaveLength(report.exchanges.length);
  for (const [at, { request, response, startedDateTime, time, comment }] of log.entries.entries()) {
    const exchange = report.exchanges[at];
    expect(request.url).toBe(exchange?.request.url);
    expect(response.status).toBe(exchange?.response?.status ?? 0);
    expect(Date.parse(startedDateTime) - Date.parse(report.startedAt)).toBe(exchange?.startMs);
    expect([time, comment]).toEqual([exchange?.durationMs, exchange?.name]);
  }
});

test('validate finds in it what the check found', async () => {
  const report = await quickReportOn(['leaks-id']);
  const { messages } = validated(report, 'response');
  const created = creations(report).filter(({ response }) => response?.status === 200);
  const failed = messages.filter(({ verdict }) => verdict === 'fail');
  expect(failed.length).toBe(created.length);
  expect(new Set(failed.flatMap(({ violations }) => violations.map(({ pointer }) => pointer)))).toEqual(
    new Set(['/id']),
  );
});

test('validate knows that a token was there', async () => {
  const { messages } = validated(await quickReportOn([]), 'request');
  const plain = messages.find(({ reasons }) => reasons.length > 0);
  expect(plain?.verdict).toBe('blocked');
  expect(plain?.reasons).toEqual(['the HAR file has a placeholder for the value of Authorization']);
});

test.for([
  ['compressed', { 'content-encoding': 'gzip' }, gzipSync('{"name":"Aloe"}'), 'pass'],
  [
    'in another charset',
    { 'content-type': 'application/json; charset=utf-16' },
    Buffer.from('{"name":"A"}'),
    'pass',
  ],
  ['not UTF-8', {}, Buffer.from([0x7b, 0xff, 0x7d]), 'fail'],
  ['long', {}, Buffer.from(JSON.stringify({ name: 'A'.repeat(20_000) })), 'blocked'],
] as const)(
  'a body that is %s is as it was, or is known to be incomplete',
  async ([, headers, bytes, verdict]) => {
    const fetch = () => new Response(bytes, { headers: { 'content-type': 'application/json', ...headers } });
    const only = ['success/tag-is-optional'];
    const report = await checkConformance({ baseUrl: 'http://store', fetch, token, prism: false, only });
    const entries = JSON.parse(reporters.har(report)).log.entries;
    const { content } = entries[0].response;
    const kept = Buffer.from(content.text, content.encoding ?? 'utf8');
    const { messages } = validated(report, 'response');
    if (bytes.length > 16_384) {
      expect([content.size, kept.length]).toEqual([bytes.length, 16_384]);
      expect(messages[0]?.reasons[0]).toContain(`16384 of the ${bytes.length} bytes`);
    } else {
      expect(kept).toEqual('content-encoding' in headers ? Buffer.from('{"name":"Aloe"}') : bytes);
    }
    expect(messages[0]?.verdict).toBe(verdict);
  },
);

test('an incomplete response is known to be incomplete, and a missing one is left out', async () => {
  let count = 0;
  await using provider = await startHandler((request, response) => {
    request.resume();
    count++;
    if (count % 7 === 0) return void response.socket?.destroy();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '15' });
    if (count % 2 === 0) return void response.end('{"name":"Aloe"}');
    response.write('{"name":', () => response.socket?.destroy());
  });
  const only = ['success'];
  const report = await checkConformance({ baseUrl: provider.url, token, prism: false, only });
  const { messages } = validated(report, 'response');
  for (const [at, { response, failure }] of creations(report).entries()) {
    const entry = messages[at];
    // Whole or not, a 200 to a request that must be rejected is wrong.
    const isWrong = entry?.violations.some(({ keyword }) => keyword === 'accepted');
    if (response === undefined) expect(entry?.reasons).toEqual(['there is no response']);
    else expect(entry?.verdict).toBe(isWrong ? 'fail' : response.complete ? 'pass' : 'blocked');
    expect(failure === undefined).toBe(response !== undefined);
  }
  const error = JSON.parse(reporters.har(report)).log.entries.find(
    ({ response }: { response: { status: number } }) => response.status === 0,
  )._error;
  expect(error).toMatch(/\w/);
});

test('a command whose reports have no exchanges has no HAR', async () => {
  const { status, stderr } = await plantStore(['audit', 'pacts', '--reporter', 'har=run.har']);
  expect(status).toBe(2);
  expect(stderr).toContain('the reports of this command have no requests for "har"; there are: text, json');
  const { stdout } = await plantStore(['audit', '--help']);
  expect(stdout).toContain('json, junit');
  expect(stdout).not.toMatch(/\bhar\b/);
});

test('the commands of the page: validate reads the file that check wrote', async () => {
  const store = await startPlantStore({ token });
  const folder = await mkdtemp(join(tmpdir(), 'har-'));
  const file = join(folder, 'run.har');
  const env = { PLANT_STORE_TOKEN: token };
  const flags = ['--quick', '--reporter', 'text', '--reporter', `har=${file}`];
  const checked = await plantStore(['check', store.url, ...flags], { env, writeFile: writeText });
  await store.close();
  expect(checked.status).toBe(0);
  expect(await plantStore(['validate', 'response', file])).toMatchObject({ status: 0 });
  expect(await plantStore(['validate', 'request', file])).toMatchObject({ status: 1 });
  await rm(folder, { recursive: true });
});
