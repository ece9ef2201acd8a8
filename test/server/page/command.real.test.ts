import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { plantStore } from '../../cli/console.js';
import { commandLine } from '../../once.js';

interface Started {
  readonly child: ChildProcess;
  /** All that was printed. */
  readonly text: () => string;
  /** The address after some words. */
  readonly after: (words: string) => string;
}

/** Starts a command, until it has said where its page is. */
async function start(flags: readonly string[], env: Record<string, string> = {}): Promise<Started> {
  const child = spawn(process.execPath, [await commandLine(), ...flags], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => {
      text += more;
    });
  await expect.poll(() => text).toMatch(/page( on |":")http\S+\/["\n]/);
  const after = (words: string) => new RegExp(`${words}(http://[^\\s"]+)`).exec(text)?.[1] ?? '';
  return { child, text: () => text, after };
}

/** The status with which it ends, and after how many milliseconds. */
async function stop({ child }: Started): Promise<{ status: number; ms: number }> {
  const begin = performance.now();
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const [status] = await ended;
  return { status, ms: performance.now() - begin };
}

test('serve --ui prints the address of the page, on the control port', async () => {
  const it = await start(['serve', '--ui', '--token', 'secret', '--log', 'silent']);
  const page = it.after('page on ');
  expect(page).toBe(`${it.after('control interface on ')}/`);
  expect(page).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  const text = await (await fetch(page)).text();
  for (const [, file] of text.matchAll(/(?:src|href)="(\/page\/[^"]+)"/g))
    expect((await fetch(new URL(file ?? '', page))).status, file).toBe(200);
  // The script and all that it imports, as they are shipped.
  const main = await (await fetch(new URL('/page/main.js', page))).text();
  for (const [, file] of main.matchAll(/from '\.\/([^']+)'/g))
    expect((await fetch(new URL(`/page/${file}`, page))).status, file).toBe(200);
  const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
  await fetch(`${it.after('listening on ')}/plants`, {
    method: 'POST',
    headers,
    body: '{"name":"Aloe","id":1}',
  });
  expect(await (await fetch(`${page}exchanges/1`)).json()).toMatchObject({ verdict: 'conforms' });
  // A page that is open does not keep the command alive.
  const stream = await fetch(`${page}exchanges/stream`);
  const { status, ms } = await stop(it);
  expect(status).toBe(0);
  expect(ms).toBeLessThan(2_000);
  await stream.body?.cancel().catch(() => {});
});

test('serve --ui with a control token shows nothing without it, and with --log json says where the page is', async () => {
  const env = { PLANT_STORE_CONTROL_TOKEN: 'control-secret', PLANT_STORE_TOKEN: 'secret' };
  const it = await start(['serve', '--ui', '--log', 'json'], env);
  const { page, control } = JSON.parse(it.text().split('\n')[0] ?? '');
  expect(page).toBe(`${control}/`);
  expect((await fetch(page)).status).toBe(200);
  for (const path of ['exchanges/stream', 'exchanges/1', 'plants', 'events'])
    expect((await fetch(page + path)).status, path).toBe(401);
  const headers = { authorization: 'Bearer control-secret' };
  expect((await fetch(`${page}plants`, { headers })).status).toBe(200);
  expect(it.text()).not.toContain('control-secret');
  expect((await stop(it)).status).toBe(0);
});

test('proxy --ui prints the address of the page, and the report is as without it', async () => {
  const store = await start(['serve', '--ui', '--token', 'secret', '--log', 'silent', '--fault', 'leaks-id']);
  const it = await start(['proxy', '--ui', '--upstream', store.after('listening on ')]);
  const page = it.after('page on ');
  const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
  await fetch(`${it.after('forwarding ')}/plants`, {
    method: 'POST',
    headers,
    body: '{"name":"Aloe","id":1}',
  });
  await expect
    .poll(async () => await (await fetch(`${page}violations`)).json())
    .toMatchObject({ kinds: [{ where: 'body /id', count: 1 }] });
  // Nothing of a reference server is there.
  expect((await fetch(`${page}plants`)).status).toBe(404);
  const { status, ms } = await stop(it);
  expect(status).toBe(1);
  expect(ms).toBeLessThan(2_000);
  await expect.poll(it.text).toContain('1 violation in responses');
  expect((await stop(store)).status).toBe(0);
});

test('a page on another address needs a token', async () => {
  const { status, stderr } = await plantStore([
    'proxy',
    '--upstream',
    'http://127.0.0.1:1',
    '--control-port',
    '0',
  ]);
  expect([status, stderr]).toEqual([2, 'plant-store: --control-port needs --ui\n']);
  for (const command of [['serve'], ['proxy', '--upstream', 'http://127.0.0.1:1']]) {
    const child = spawn(process.execPath, [
      await commandLine(),
      ...command,
      '--ui',
      '--control-host',
      '0.0.0.0',
    ]);
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (more: string) => {
      text += more;
    });
    expect(await once(child, 'close')).toEqual([2, null]);
    expect(text).toContain('the control interface needs a token of its own on 0.0.0.0');
  }
});
