import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
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

  // No image is built. Its commands run here.
  describe.skipIf(!has('busybox', 'true'))('its commands (busybox is needed)', () => {
    let folder = '';
    let port = '';
    const child: { process?: ChildProcess } = {};

    beforeAll(async () => {
      folder = await singleFileFolder();
      port = String(await freePort());
    });

    afterAll(() => child.process?.kill('SIGKILL'));

    const here = (words: readonly string[]): string[] => words.map((word) => word.replace('4010', port));
    /** The status of the health check. In the image, every command but one is busybox. */
    const health = (): number | null => spawnSync('busybox', here(argumentsOf('HEALTHCHECK .* CMD'))).status;

    test('report health while the plant store listens, and SIGTERM ends it', async () => {
      expect(argumentsOf('HEALTHCHECK .* CMD')[0]).toBe('nc');
      expect(health()).toBe(1);

      const [command = '', ...args] = here([...argumentsOf('ENTRYPOINT'), ...argumentsOf('CMD')]);
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
    });
  });
});

/** The arguments of an instruction that is written as JSON. */
function argumentsOf(instruction: string): string[] {
  const [, json = '[]'] = new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(dockerfile) ?? [];
  return JSON.parse(json);
}
