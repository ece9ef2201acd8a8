import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { startPlantStore } from 'plant-store-contract/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startInFront } from '../conformance/providers/in-front.js';
import { singleFileFolder } from '../once.js';
import { freePort } from './free-port.js';
import { root } from './project.js';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

describe('the single file, alone in a folder, with an empty PATH', () => {
  let folder = '';
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'single-file-'));
    copyFileSync(join(await singleFileFolder(), 'plant-store'), join(folder, 'plant-store'));
  });

  afterAll(() => {
    // A test that failed leaves its server.
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  function start(...args: string[]) {
    const child = spawn(join(folder, 'plant-store'), args, {
      cwd: folder,
      env: {},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    return child;
  }

  async function run(...args: string[]) {
    const child = start(...args);
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { status, stdout, stderr };
  }

  async function firstLine(output: NodeJS.ReadableStream): Promise<string> {
    const [line] = await once(createInterface(output), 'line');
    return line;
  }

  test('says its version', async () => {
    expect(await run('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('imports no house rules', async () => {
    writeFileSync(join(folder, 'house-rules.js'), 'export default [];');
    const argv = ['check', 'http://127.0.0.1:1', '--token', 'secret', '--rules', 'house-rules.js'];
    const ended = await run(...argv);
    rmSync(join(folder, 'house-rules.js'));
    expect(ended).toMatchObject({
      status: 2,
      stderr:
        'plant-store: the house rules in house-rules.js cannot be loaded: the single file imports no modules; install plant-store-contract with npm\n',
    });
  });

  test('serves plants, and checks them with Prism', async () => {
    const store = start('serve', '--port', '0', '--token', 'secret', '--fault', 'leaks-id');
    const url = (await firstLine(store.stdout)).replace('listening on ', '');
    const { status, stdout, stderr } = await run('check', url, '--token', 'secret', '--reporter', 'json');
    store.kill('SIGTERM');
    expect(await once(store, 'exit')).toEqual([0, null]);
    expect(status, stderr).toBe(1);
    const report = JSON.parse(stdout);
    const broken = report.rules.filter(({ verdict }: { verdict: string }) => verdict === 'fail');
    expect(broken.map(({ id }: { id: string }) => id)).toEqual(['success/plant-fields-only']);
    // Prism has a time limit, so a busy machine may judge fewer of them.
    expect(report.prism.responses).toBeGreaterThan(0);
    expect(report.prism.disagreements[0].rules).toEqual(['success/plant-fields-only']);
  });

  test('prints the recipe for the framework of a provider', async () => {
    const page =
      '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>';
    await using provider = await startInFront({ token: 'secret' }, ({ body, response, pass }) => {
      if (body.toString().startsWith('{"name":')) return pass();
      response.writeHead(400, { 'Content-Type': 'text/html' }).end(page);
    });
    const { status, stdout, stderr } = await run(
      'check',
      provider.url,
      '--token',
      'secret',
      '--quick',
      '--verbose',
    );
    expect(status, stderr).toBe(1);
    expect(stdout).toContain('Recipe for Express: Put these two after all routes.');
    expect(stdout).toContain("response.status(404).json({ error: 404, message: 'not found' });");
  });

  test('explores, in a thread that draws', async () => {
    await using store = await startPlantStore({ token: 'secret' });
    const { status, stdout, stderr } = await run(
      ...[
        'check',
        store.url,
        '--token',
        'secret',
        '--explore',
        '--time',
        '2s',
        '--seed',
        '7',
        '--reporter',
        'json',
      ],
    );
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout).exploration.draws).toBeGreaterThan(0);
  });

  test('validates a saved response, and writes an HTML report', async () => {
    writeFileSync(
      join(folder, 'saved.http'),
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"name":"Aloe","id":7}',
    );
    const { status, stdout } = await run(
      ...['validate', 'response', 'saved.http', '--reporter', 'text', '--reporter', 'html=report.html'],
    );
    expect(stdout).toContain('1. a Plant has no field "id"; got 7');
    expect(status).toBe(1);
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toMatch(
      /^<!doctype html>[\s\S]*a Plant has no field/i,
    );
  });

  test('forwards and judges traffic', async () => {
    await using store = await startPlantStore({ token: 'secret', faults: ['leaks-id'] });
    const proxy = start('proxy', '--upstream', store.url, '--port', '0');
    const [, url] = /forwarding (\S+) to/.exec(await firstLine(proxy.stderr)) ?? [];
    const stdout = text(proxy.stdout);
    const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
    const response = await fetch(`${url}/plants`, {
      method: 'POST',
      headers,
      body: '{"name":"Aloe","id":7}',
    });
    expect(await response.text()).toBe('{"name":"Aloe","id":7}');
    proxy.kill('SIGTERM');
    expect(await once(proxy, 'exit')).toEqual([1, null]);
    expect(await stdout).toContain('does not conform: 1 pass, 1 fail in');
  });

  test('serves its page', async () => {
    const store = start('serve', '--port', '0', '--ui', '--token', 'secret', '--log', 'json');
    const { page } = JSON.parse(await firstLine(store.stdout));
    const html = await (await fetch(page)).text();
    const [, script = 'no script'] = /<script [^>]*src="([^"]+)"/.exec(html) ?? [];
    const response = await fetch(new URL(script, page));
    expect(response.headers.get('content-type')).toContain('javascript');
    const [, imported = 'no import'] = /from "(\.[^"]+)"/.exec(await response.text()) ?? [];
    expect((await fetch(new URL(imported, response.url))).status).toBe(200);
    store.kill('SIGTERM');
    await once(store, 'exit');
  });

  test('starts a provider, and stops it', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const provider = `./plant-store serve --port ${port} --token secret`;
    const { status, stdout, stderr } = await run(
      ...['check', url, '--token', 'secret', '--quick', '--start', provider],
    );
    expect(status, stdout + stderr).toBe(0);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  test('explains rules', async () => {
    const { status, stdout } = await run('rules', 'success/plant-fields-only');
    expect(stdout).toContain('A 200 has only the fields of Plant');
    expect(status).toBe(0);
  });

  test('says in one sentence that verify is not in it, and starts no provider for it', async () => {
    expect(
      await run('verify', 'http://127.0.0.1:9', '--token', 'secret', '--start', 'touch started'),
    ).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'plant-store: verify is not in this file, because Pact has native code; install plant-store-contract and @pact-foundation/pact with npm\n',
    });
  });

  test('reads an options file that is for verify too', async () => {
    const options = join(folder, 'plant-store.config.json');
    writeFileSync(options, '{"verify":{"pacts":["pacts"]},"check":{"only":["auth"],"dryRun":true}}');
    const wrong = await run('check', 'http://127.0.0.1:9', '--token', 'secret');
    expect(wrong.stderr).toContain('"check.dryRun"');
    writeFileSync(options, '{"verify":{"pacts":["pacts"]},"check":{"only":["auth"]}}');
    const right = await run('check', 'http://127.0.0.1:9', '--token', 'secret', '--dry-run');
    rmSync(options);
    expect(right.status, right.stderr).toBe(0);
  });

  test('begins a project without Node and npm', async () => {
    const options = join(folder, 'plant-store.config.json');
    const begin = async (...flags: string[]) => {
      const { status, stdout, stderr } = await run('init', '--force', '--for', ...flags);
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout + readFileSync(options, 'utf8')).not.toMatch(/npx|node_modules|node --test/);
      return { stdout, options: JSON.parse(readFileSync(options, 'utf8')) };
    };
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const provider = `./plant-store serve --port ${port} --token secret`;
    const ofProvider = await begin('provider', '--start', provider, '--base-url', url);
    expect(ofProvider.stdout).toContain('PLANT_STORE_TOKEN=… plant-store check ');
    const checked = await run('check', '--token', 'secret', '--quick');
    expect(checked.status, checked.stderr).toBe(0);
    const ofConsumer = await begin('consumer');
    expect(ofConsumer.stdout).toContain('\n  plant-store serve ');
    expect(ofConsumer.options).toEqual({ serve: { port: 4010 } });
    rmSync(options);
  });

  test('shows a check, and what to try next', async () => {
    const { status, stderr } = await run('demo', '--quick');
    expect([status, stderr]).toEqual([0, expect.stringContaining('\n  plant-store check http://')]);
    expect(stderr).not.toContain('npx');
  });

  test('leaves nothing behind', () => {
    expect(readdirSync(folder).sort()).toEqual(['plant-store', 'report.html', 'saved.http']);
  });
});

test('its licenses are beside it: those of Node, of Prism and of every package', async () => {
  const licenses = readFileSync(join(await singleFileFolder(), 'LICENSES.txt'), 'utf8');
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // Only types come from it.
  const { 'openapi-types': _, ...inTheFile } = dependencies;
  for (const name of [...Object.keys(inTheFile), '@stoplight/prism-http', 'lodash', 'Node.js'])
    expect(licenses).toMatch(new RegExp(`^${name} v?\\d.*\\n-+$`, 'm'));
});
