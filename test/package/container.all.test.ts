import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installedPackage } from '../once.js';
import { freePort } from './free-port.js';
import { readExample } from './project.js';

const dockerfile = readExample('container', 'Dockerfile');

describe('the container file', () => {
  test('passes a linter', () => {
    const lint = (text: string) => validate(text).map(({ message }) => message);
    expect(lint(dockerfile)).toEqual([]);
    // The linter works.
    expect(lint(dockerfile.replace('--interval', '--intervall'))).toEqual(['Unknown flag: intervall']);
  });

  test('runs without root rights, and without a shell that would not pass on signals', () => {
    const image = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    expect(image).toMatch(/^USER node$/m);
    expect(image).not.toMatch(/^RUN /m);
    expect([...argumentsOf('ENTRYPOINT'), ...argumentsOf('CMD')].join(' ')).toBe(
      'plant-store-contract serve --host 0.0.0.0 --port 4010',
    );
  });

  test('starts from an image with a version and a digest', () => {
    expect(dockerfile).toMatch(/^ARG NODE=node:\d+\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/m);
  });

  // No image is built. Its commands run here, on another port.
  describe('its commands', () => {
    let port = '';
    let commands = '';
    let store: ChildProcess | undefined;

    beforeAll(async () => {
      port = String(await freePort());
      commands = join(await installedPackage(), 'node_modules/.bin');
    });

    afterAll(() => void store?.kill('SIGKILL'));

    function run(words: readonly string[]): ChildProcess {
      const [command = '', ...args] = words.map((word) => word.replace('4010', port));
      const env = { PATH: `${commands}:${process.env.PATH}`, PLANT_STORE_TOKEN: 'secret' };
      return spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    }

    const health = async (): Promise<unknown> =>
      (await once(run(argumentsOf('HEALTHCHECK .* CMD')), 'exit'))[0];

    test('report health while the plant store listens, and SIGTERM ends it', async () => {
      expect(await health()).toBe(1);
      store = run([...argumentsOf('ENTRYPOINT'), ...argumentsOf('CMD')]);
      const [line] = await once(createInterface(store.stdout as Readable), 'line');
      expect(line).toBe(`listening on http://0.0.0.0:${port}`);
      expect(await health()).toBe(0);
      const response = await fetch(`http://127.0.0.1:${port}/plants`, {
        method: 'POST',
        headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
        body: '{"name":"Aloe","id":7}',
      });
      expect(await response.json()).toEqual({ name: 'Aloe' });

      store.kill('SIGTERM');
      expect(await once(store, 'exit')).toEqual([0, null]);
      expect(await health()).toBe(1);
    });
  });
});

/** The arguments of an instruction that is written as JSON. */
function argumentsOf(instruction: string): string[] {
  const text = dockerfile.replaceAll(' \\\n', '');
  const [, json = '[]'] = new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(text) ?? [];
  return JSON.parse(json);
}
