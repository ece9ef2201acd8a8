import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { checkConformance } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CurlTarget } from '../../src/conformance/curl-words.js';
import type { ProbeRequest } from '../../src/conformance/exchange.js';
import { probes } from '../../src/conformance/families/index.js';
import { powerShellLines } from '../../src/conformance/powershell.js';
import { freshValues } from '../../src/conformance/sending/fresh-values.js';
import { listen } from '../../src/http/listen.js';
import { plantStore } from '../cli/console.js';
import { hasCurl } from '../tools.js';
import { PowerShell } from './powershell-rules.js';

const exec = promisify(execFile);
const token = 'it.is-a~token+of/these=';
const folder = mkdtempSync(join(tmpdir(), 'plant-store-powershell-'));
const target: CurlTarget = {
  url: new URL('http://plants.example/plants'),
  tokens: [token],
  headers: [],
  insecure: false,
};
const JSON_TYPE = ['Content-Type', 'application/json'] as const;
const request = (body: string | Uint8Array, given: Partial<ProbeRequest> = {}): ProbeRequest => ({
  headers: [JSON_TYPE],
  body: Buffer.from(body as string),
  ...given,
});

test('the lines are as people read them', () => {
  const sent = request('{"name":"Aloe","id":7}', {
    id: 7,
    headers: [['Authorization', `Bearer ${token}`], JSON_TYPE],
  });
  expect(powerShellLines([sent], target)).toEqual([
    "$PSNativeCommandArgumentPassing = 'Legacy'",
    '$id = [long]([Math]::Floor((Get-Random -Maximum 4294967296) / 2) + 1)',
    '$file1 = [IO.Path]::GetTempFileName()',
    `[IO.File]::WriteAllBytes($file1, [Text.Encoding]::ASCII.GetBytes('{"name":"Aloe","id":' + $\{id} + '}'))`,
    `curl.exe -gsS -i -X POST 'http://plants.example/plants' -H "Authorization: Bearer $\{env:PLANT_STORE_TOKEN}" -H 'Content-Type: application/json' --data-binary "@$file1"`,
  ]);
});

interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly port: number | undefined;
}

describe.skipIf(!hasCurl)('by the rules of PowerShell, the lines send', () => {
  const received: Received[] = [];
  const server = createServer(async (incoming, response) => {
    const { method, url: path, headers, socket } = incoming;
    received.push({
      method,
      path,
      headers,
      body: (await buffer(incoming)).toString('latin1'),
      port: socket.remotePort,
    });
    response.end();
  });
  let url = new URL('http://127.0.0.1');
  beforeAll(async () => {
    url = new URL(`${(await listen(server, '127.0.0.1', 0)).url}/plants`);
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function sent(
    requests: readonly ProbeRequest[],
    how?: Parameters<typeof powerShellLines>[2],
    more: Partial<CurlTarget> = {},
    random = 4_000_000_001n,
  ): Promise<readonly Received[]> {
    received.length = 0;
    const env = { PLANT_STORE_TOKEN: token, PLANT_STORE_HEADER_1: more.headers?.[0]?.[1] ?? '' };
    const shell = new PowerShell(env, random);
    shell.run(powerShellLines(requests, { ...target, url, ...more }, how));
    for (const [name, bytes] of shell.files) writeFileSync(join(folder, name), bytes);
    for (const [program, ...argv] of shell.started) {
      expect(program).toBe('curl.exe');
      await exec('curl', argv, { cwd: folder });
    }
    return [...received];
  }

  test.each<[string, ProbeRequest, Partial<Received>]>([
    ['a body with quotes', request(`it's "x" $HOME \`id\` \\ ''`), { body: `it's "x" $HOME \`id\` \\ ''` }],
    ['bytes', request(Buffer.from([0, 0xff, 0x25, 0x5c, 0x80])), { body: '\0\xff%\\\x80' }],
    [
      'quotes that only PowerShell knows',
      request('\u2018a\u2019'),
      { body: Buffer.from('\u2018a\u2019').toString('latin1') },
    ],
    [
      'an id among bytes',
      request(Buffer.from('{"é":7}'), { id: 7 }),
      { body: `{"${Buffer.from('é').toString('latin1')}":2000000001}` },
    ],
    ['a body that is only an id', request('7', { id: 7 }), { body: '2000000001' }],
    [
      'what a CI system takes for a command',
      request('##[error]', { headers: [['X-A', '##[error]'], JSON_TYPE] }),
      { body: '##[error]', headers: expect.objectContaining({ 'x-a': '##[error]' }) },
    ],
    ['no body', request(''), { body: '', headers: expect.objectContaining({ 'content-length': '0' }) }],
    [
      'the token, and what follows it',
      request('{}', { headers: [['Authorization', `Bearer ${token}x`]] }),
      { headers: expect.objectContaining({ authorization: `Bearer ${token}x` }) },
    ],
    ['the token in a body', request(`{"a":"${token}"}`), { body: `{"a":"${token}"}` }],
    [
      'quotes and backslashes in a header',
      request('{}', { headers: [['X-A', 'a "b c" \\" \\d \\\\"e" $x `y'], JSON_TYPE] }),
      { headers: expect.objectContaining({ 'x-a': 'a "b c" \\" \\d \\\\"e" $x `y' }) },
    ],
    [
      'quotes beside the token',
      request('{}', { headers: [['X-A', `"${token}" $x \`y \\"`], JSON_TYPE] }),
      { headers: expect.objectContaining({ 'x-a': `"${token}" $x \`y \\"` }) },
    ],
    [
      'bytes in a header',
      request('{}', { headers: [['X-A', '\xe9'], JSON_TYPE] }),
      { headers: expect.objectContaining({ 'x-a': '\xe9' }) },
    ],
    [
      'an empty header, and no media type',
      request('{}', { headers: [['X-A', '']] }),
      { headers: expect.objectContaining({ 'x-a': '' }) },
    ],
    [
      'chunks',
      request('{}', { chunked: true }),
      { body: '{}', headers: expect.objectContaining({ 'transfer-encoding': 'chunked' }) },
    ],
    [
      'a query, and another path and method',
      request('', { elsewhere: { method: 'DELETE', path: '/x' }, query: "?a='[b]&c=d" }),
      { method: 'DELETE', path: "/x?a='[b]&c=d" },
    ],
    ['many letters', request(`{"a":"${'b'.repeat(100_000)}"}`), { body: `{"a":"${'b'.repeat(100_000)}"}` }],
  ])('%s', async (_what, one, expected) => {
    expect(await sent([one])).toEqual([expect.objectContaining(expected)]);
  });

  test('further headers from the environment', async () => {
    const [one] = await sent([request('{}')], {}, { headers: [['X-Key', 'a $b c']] });
    expect(one?.headers['x-key']).toBe('a $b c');
  });

  test('the requests of one connection over one connection, with other ids', async () => {
    const two = [
      request('7', { id: 7 }),
      request('8', { id: 8, shell: { newId: 'id + 4294967296' } }),
      request('7', { id: 7 }),
    ];
    const [first, second, third] = await sent(two, { oneConnection: true });
    expect([second?.port, third?.port]).toEqual([first?.port, first?.port]);
    expect([second?.body, third?.body]).toEqual([String(2_000_000_001 + 4_294_967_296), first?.body]);
  });

  test('concurrent requests, all of them', async () => {
    const all = await sent([request('a'), request('b'), request('c')], { together: true });
    expect(all.map(({ body }) => body).sort()).toEqual(['a', 'b', 'c']);
  });

  test('every probe of a check: the same target, headers and body, but for the id', async () => {
    const values = freshValues(token);
    const own = /^(?:host|accept|user-agent|connection|content-length|expect|transfer-encoding)$/;
    for (const probe of probes) {
      const requests = probe.requests(values);
      // What is made of the token, PowerShell asks for. What is too long, it makes of letters.
      if (
        requests.some(
          ({ secrets = [], shell }) =>
            secrets.some(({ shown }) => shown.includes('$(')) || shell?.body !== undefined,
        )
      )
        continue;
      if (requests.length === 0 || probe.together === true) continue;
      const got = await sent(requests, probe);
      expect(
        got.map(({ method }) => method),
        probe.name,
      ).toEqual(requests.map(({ elsewhere }) => elsewhere?.method ?? 'POST'));
      for (const [at, { body, headers, id }] of requests.entries()) {
        const text = Buffer.from(body).toString('latin1');
        const parts = id === undefined ? [text] : text.split(String(id));
        let rest = got[at]?.body ?? '';
        for (const part of parts) {
          expect(rest, probe.name).toContain(part);
          rest = rest.slice(rest.indexOf(part) + part.length);
        }
        for (const [name, value] of headers) {
          const lower = name.toLowerCase();
          const others = headers.filter(([other]) => other.toLowerCase() === lower);
          if (!own.test(lower) && others.length === 1)
            expect(got[at]?.headers[lower], `${probe.name} ${name}`).toBe(value.trim());
        }
      }
    }
  });
});

describe('--shell powershell', () => {
  test('writes lines for PowerShell in the report of a check, without the token', async () => {
    await using store = await startPlantStore({ token, faults: ['leaks-id'] });
    const options = { baseUrl: store.url, token, only: ['success'] };
    expect(JSON.stringify(await checkConformance({ ...options, shell: 'powershell' }))).toContain('curl.exe');
    const flags = ['--token', token, '--only', 'success', '--quiet'];
    const { stdout } = await plantStore(['check', store.url, ...flags, '--shell', 'powershell']);
    expect(stdout).toContain('curl.exe -gsS -i -X POST');
    expect(stdout).not.toContain(token);
    expect((await plantStore(['check', store.url, ...flags])).stdout).not.toContain('curl.exe');
  });

  test('also in --dry-run', async () => {
    const { stdout } = await plantStore([
      'check',
      'http://plants.example',
      '--dry-run',
      '--shell',
      'powershell',
    ]);
    expect(stdout.match(/^curl\.exe /gm)?.length).toBeGreaterThan(300);
    expect(stdout).not.toMatch(/^curl /m);
  });

  test('names made of the token are asked for, and the POSIX line is beside it', () => {
    const secrets = [{ value: 'c2VjcmV0', shown: '$(printf x)' }];
    const lines = powerShellLines(
      [request('{}', { headers: [['Authorization', 'Basic c2VjcmV0']], secrets })],
      target,
    );
    expect(lines.slice(1, 3)).toEqual([
      '# $made1 is made of the token, as this makes it in a POSIX shell: $(printf x)',
      "$made1 = Read-Host 'made1'",
    ]);
    expect(lines.at(-1)).toContain(`-H "Authorization: Basic $\{made1}"`);
  });
});
