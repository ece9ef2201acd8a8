import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type CheckReport, checkConformance, dryRun } from 'plant-store-contract/conformance';
import { type FaultName, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { freshValues } from '../../../src/conformance/probe.js';
import { probeOf } from '../../../src/conformance/row.js';
import { tokens } from '../../../src/conformance/topics/tokens.js';
import { rowsOf } from '../../../src/conformance/topics/topic.js';
import { isBroken } from '../../../src/report/conclusion.js';
import { hasCurl } from '../../tools.js';
import { evidenceOf } from '../evidence.js';
import { startInFront } from '../providers/in-front.js';

// With what a shell and a query have to be careful about.
const token = 'a-Token.with~/all+that=';
const exec = promisify(execFile);

async function shell(lines: readonly string[]): Promise<string> {
  const env = { ...process.env, PLANT_STORE_TOKEN: token };
  // All lines of a probe together may be longer than an argument may be.
  const running = exec('bash', ['-s'], { env, maxBuffer: 2 ** 26 });
  running.child.stdin?.end(lines.join('\n'));
  return (await running).stdout;
}

/** The last status that curl printed. */
function lastStatus(output: string): number {
  return Number([...output.matchAll(/HTTP\/1\.1 (?!100)(\d{3}) /g)].at(-1)?.[1]);
}

/** @param only the rules that are judged. Default: all. */
async function reportOn(
  faults: readonly FaultName[],
  only: readonly string[] = [],
): Promise<{ report: CheckReport; url: string; close(): Promise<void> }> {
  const store = await startPlantStore({ token, faults });
  const report = await checkConformance({ baseUrl: store.url, token, prism: false, only });
  return { report, url: store.url, close: () => store.close() };
}

describe('the shell lines of a report', () => {
  test('contain neither the token nor what is derived from it', async () => {
    const { report, close } = await reportOn(['accepts-missing-token', 'compares-token-start', 'leaks-id']);
    await close();
    const text = JSON.stringify(report);
    expect(text).toContain('$PLANT_STORE_TOKEN');
    for (const secret of [token, token.slice(0, -2), encodeURIComponent(token), btoa(`${token}:`)])
      expect(text).not.toContain(secret);
    expect(text).not.toContain(token.replace('a-', 'A-'));
  });

  test('contain no edit of the token, whatever the provider sends back', async () => {
    await using provider = await startInFront({ token }, async ({ request, response, pass }) => {
      const { authorization, cookie } = request.headers;
      if (authorization === `Bearer ${token}`) return pass();
      const message = `${authorization} ${cookie} ${request.url}`;
      response.writeHead(200, { 'content-type': 'application/json', 'x-echo': String(authorization) });
      response.end(JSON.stringify({ name: message }));
    });
    const report = await checkConformance({ baseUrl: provider.url, token, prism: false });
    const text = JSON.stringify(report);
    const edits = rowsOf(tokens)
      .flatMap((row) => probeOf(row).requests(freshValues(token)))
      .flatMap(({ secrets = [] }) => secrets.map(({ value }) => value));
    expect(edits.length).toBeGreaterThan(8);
    // As JSON escapes it. What is made of no part of the token is no secret.
    const shown = edits.filter((edit) => text.includes(JSON.stringify(edit).slice(1, -1)));
    expect(shown).toEqual([]);
    expect(report.rules.filter(isBroken).map(({ id }) => id)).toContain('auth/near-miss-token-is-refused');
  });

  test('of a sequence share an id', async () => {
    const { report, close } = await reportOn(['keeps-refused-plants'], ['state/refused-plant-is-not-stored']);
    await close();
    const [failure] = evidenceOf(report, 'state/refused-plant-is-not-stored');
    expect(failure?.reproduce).toHaveLength(3);
    expect(failure?.reproduce?.[0]).toMatch(/^id=\$\(\(/);
    expect(failure?.reproduce?.[1]).toContain('"tag":7');
    expect(failure?.reproduce?.filter((line) => line.includes('"id":\'"$id"\''))).toHaveLength(2);
  });

  test('make ids in the same range', () => {
    const lines = dryRun({ baseUrl: 'http://localhost' }).find(
      ({ probe }) => probe === 'id-near-upper-end',
    )?.curl;
    expect(lines?.[0]).toContain('9223372032559808512 + (RANDOM ');
  });
});

describe.skipIf(!hasCurl)('real curl, run by a shell', () => {
  test('makes an id that is 2^64 too large, which has the same 64 bits as an ordinary one', async () => {
    const dry = dryRun({ baseUrl: 'http://localhost' });
    const sums = dry.flatMap(({ curl }) => curl).filter((line) => /^id=\d{10}/.test(line));
    expect(sums).not.toEqual([]);
    for (const sum of sums) {
      const id = BigInt((await shell([sum, 'echo "$id"'])).trim());
      expect(id).toBeGreaterThan(2n ** 64n);
      expect(id).toBeLessThanOrEqual(2n ** 64n + 2n ** 31n);
    }
  });

  test('gets the same response as the check for every probe', async () => {
    const { report, url, close } = await reportOn([]);
    const expected = new Map(report.exchanges.map(({ name, response }) => [name, response?.status]));
    // Of ids that are always the same, the second is refused.
    const alwaysTheSame =
      /^(?:id-at-upper-end|id-at-lower-end|id-zero|ids\/\d+|ids\/of-(?:one|few)-digits?)$/;
    const planned = dryRun({ baseUrl: url }).filter(
      ({ probe }) => !alwaysTheSame.test(probe) && !/side-by-side$|race-for-an-id$/.test(probe),
    );
    const wrong: unknown[] = [];
    await Promise.all(
      planned.map(async ({ probe, curl }) => {
        const status = lastStatus(await shell(curl));
        if (status !== expected.get(probe))
          wrong.push({ probe, curl, status, expected: expected.get(probe) });
      }),
    );
    await close();
    expect(planned.length).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });

  test.each<[FaultName, string, RegExp]>([
    ['leaks-id', 'success/plant-fields-only', /^HTTP\/1\.1 200 .*"id":\d+\}$/s],
    ['accepts-missing-name', 'request/name-is-required', /^HTTP\/1\.1 200 /],
    ['omits-message', 'failure/body-is-an-error', /\{"error":\d+\}$/s],
    ['rounds-ids', 'request/ids-are-exact', /^HTTP\/1\.1 200 .*HTTP\/1\.1 400 /s],
    ['refuses-large-ids', 'request/int64-ids-are-accepted', /"id\\" is too large/],
    ['authenticates-the-connection', 'auth/connection-is-not-authenticated', /200 .*HTTP\/1\.1 200 /s],
    ['ignores-token-case', 'auth/near-miss-token-is-refused', /^HTTP\/1\.1 200 /],
    ['accepts-token-in-query', 'auth/token-in-query-is-refused', /^HTTP\/1\.1 200 /],
    ['trips-over-bad-requests', 'state/bad-request-spoils-nothing', /400 .*has not recovered/s],
  ])('reproduces what %s breaks', async (fault, id, again) => {
    const { report, close } = await reportOn([fault], [id]);
    const [failure] = evidenceOf(report, id);
    expect(failure?.repeated).toBe('steady');
    expect(await shell(failure?.reproduce ?? [])).toMatch(again);
    // And once more, with another id.
    expect(await shell(failure?.reproduce ?? [])).toMatch(again);
    await close();
  });

  test('sends bytes that are not text with printf', async () => {
    const lines = dryRun({ baseUrl: 'http://localhost' }).find(
      ({ probe }) => probe === 'byte-order-mark',
    )?.curl;
    expect(lines?.at(-1)).toMatch(/^printf '\\357\\273\\277\{.*%s.*' "\$id" \| curl .* --data-binary @-$/);
  });
});

describe('an intermittent failure', () => {
  test('is reported as such, without lines', async () => {
    const { report, close } = await reportOn(['mixes-answers'], ['state/answers-do-not-mix']);
    await close();
    const [failure] = evidenceOf(report, 'state/answers-do-not-mix');
    expect(failure).toMatchObject({ repeated: 'intermittent' });
  });
});
