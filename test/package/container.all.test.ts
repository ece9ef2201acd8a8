import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { singleFileFolder } from '../once.js';
import { has } from '../tools.js';
import { freePort } from './free-port.js';
import { readExample } from './project.js';

const dockerfile = readExample('container', 'Dockerfile');

describe('the container file', () => {
  test('passes a linter', () => {
    const lint = (text: string) => validate(text).map(({ message }) => message);
    expect(lint(dockerfile)).toEqual([]);
    // The linter works.
    expect(lint(dockerfile.replace('--interval', '--intervall'))).toEqual(['Unknown flag: intervall']);
    expect(lint(dockerfile.replace('EXPOSE 4010', 'EXPOSE port'))).toEqual(['Invalid containerPort: port']);
  });

  test('runs without root rights, and without a shell that would not pass on signals', () => {
    const image = dockerfile.slice(dockerfile.indexOf('\nFROM scratch\n'));
    expect(image).toMatch(/^USER 65532:65532$/m);
    expect(image).not.toMatch(/^RUN /m);
    expect([...argumentsOf('ENTRYPOINT'), ...argumentsOf('CMD')].join(' ')).toBe(
      'plant-store serve --host 0.0.0.0 --port 4010',
    );
  });

  test('builds the single file, and copies what that writes', () => {
    expect(dockerfile).toMatch(/^RUN npm run build:binary$/m);
    const copied = [...dockerfile.matchAll(/ cp \/plant-store\/build\/(\S+) /g)].map(([, file]) => file);
    expect(copied).toEqual(['plant-store', 'LICENSES.txt']);
  });

  test('starts from an image with a version and a digest', () => {
    expect(dockerfile).toMatch(/^ARG NODE=node:\d+\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/m);
  });

  test('links every command of busybox, which also lists itself', () => {
    const image = mkdtempSync(join(tmpdir(), 'image-'));
    mkdirSync(join(image, 'bin'));
    writeFileSync(join(image, 'bin/busybox'), "#!/bin/sh\nprintf '%s\\n' [ busybox nc sh\n", { mode: 0o755 });
    const [, loop = 'false'] = /^ {2}&& (for command in .*; done) \\$/m.exec(dockerfile) ?? [];
    const { status, stdout, stderr } = spawnSync('sh', ['-c', loop.replaceAll('/image', image)], {
      encoding: 'utf8',
    });
    const links = readdirSync(join(image, 'bin')).sort();
    rmSync(image, { recursive: true });
    expect([status, stdout, stderr, links]).toEqual([0, '', '', ['[', 'busybox', 'nc', 'sh']]);
  });

  // No image is built. Its commands run here.
  describe.skipIf(!has('busybox', 'true'))('its commands (busybox is needed)', () => {
    let folder = '';
    let port = '';
    const commands = mkdtempSync(join(tmpdir(), 'commands-'));
    const child: { process?: ChildProcess } = {};

    beforeAll(async () => {
      folder = await singleFileFolder();
      port = String(await freePort());
      for (const name of ['sh', 'nc', 'tr', 'sed', 'true']) symlinkSync('/bin/busybox', join(commands, name));
    });

    afterAll(() => {
      child.process?.kill('SIGKILL');
      rmSync(commands, { recursive: true });
    });

    /** The status of the health check. In the image, the process is the first, and every other command is busybox. */
    function health(): number | null {
      const [command = '', ...args] = argumentsOf('HEALTHCHECK .* CMD');
      const own = args.map((word) => word.replace('/proc/1/', `/proc/${child.process?.pid}/`));
      return spawnSync(join(commands, command), own, { env: { PATH: commands } }).status;
    }

    test('report no health while nothing listens on the port', () => {
      const waits = ['-e', 'setInterval(() => {}, 1000)', '--', '--port', port];
      child.process = spawn(process.execPath, waits, { stdio: 'ignore' });
      expect(health()).toBe(1);
      child.process.kill('SIGKILL');
    });

    test.each([['--port', 'PORT'], ['--port=PORT']])(
      'report health while the plant store listens, on any port (%s), and SIGTERM ends it',
      async (...flags) => {
        const words = [...argumentsOf('ENTRYPOINT'), ...argumentsOf('CMD').slice(0, -2), ...flags];
        const [command = '', ...args] = words.map((word) => word.replace('PORT', port));
        const env = { PLANT_STORE_TOKEN: 'secret' };
        const store = spawn(join(folder, command), args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
        child.process = store;
        const [line] = await once(createInterface(store.stdout), 'line');
        expect(line).toBe(`listening on http://0.0.0.0:${port}`);
        expect(health()).toBe(0);
        const response = await fetch(`http://127.0.0.1:${port}/plants`, {
          method: 'POST',
          headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
          body: '{"name":"Aloe","id":7}',
        });
        expect(await response.json()).toEqual({ name: 'Aloe' });

        store.kill('SIGTERM');
        expect(await once(store, 'exit')).toEqual([0, null]);
        expect(health()).not.toBe(0);
      },
    );
  });
});

/** The arguments of an instruction that is written as JSON. */
function argumentsOf(instruction: string): string[] {
  const text = dockerfile.replaceAll(' \\\n', '');
  const [, json = '[]'] = new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(text) ?? [];
  return JSON.parse(json);
}
