import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packedPackage } from '../once.js';
import { freePort } from './free-port.js';
import { type Project, projectIn, readExample } from './project.js';

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
    expect(dockerfile.indexOf('\nUSER node\n')).toBeLessThan(dockerfile.indexOf('\nENTRYPOINT ['));
    expect(dockerfile).toMatch(/^USER node$/m);
    expect([...argumentsOf('ENTRYPOINT'), ...argumentsOf('CMD')].join(' ')).toBe(
      'plant-store serve --host 0.0.0.0 --port 4010',
    );
  });

  // No image is built. Its commands run here.
  describe('its commands', () => {
    let project: Project;
    let port = '';
    const child: { process?: ChildProcess } = {};

    beforeAll(async () => {
      project = projectIn(mkdtempSync(join(tmpdir(), 'container-')));
      cpSync(await packedPackage(), join(project.folder, 'package.tgz'));
      port = String(await freePort());
    });

    afterAll(async () => {
      child.process?.kill('SIGKILL');
      project?.remove();
    });

    const here = (words: readonly string[]): [string, string[]] => {
      const [command = '', ...rest] = words.map((word) => word.replace('4010', port));
      return [command, rest];
    };

    test('install the package with its command', async () => {
      const [, install = ''] = /^RUN (npm install .*) \S+ \\$/m.exec(dockerfile) ?? [];
      const words = [...install.split(' '), '--prefer-offline', '--prefix', project.folder, './package.tgz'];
      expect((await project.run(words[0] as string, words.slice(1))).status).toBe(0);
      expect(readdirSync(join(project.folder, 'bin'))).toEqual(['plant-store']);
    });

    test('report health while the plant store listens, and SIGTERM ends it', async () => {
      const [probe, probing] = here(argumentsOf('  CMD'));
      expect(probe).toBe('node');
      expect((await project.run(probe, probing)).status).toBe(1);

      const [command, args] = here([...argumentsOf('ENTRYPOINT'), ...argumentsOf('CMD')]);
      const env = { ...process.env, PLANT_STORE_TOKEN: 'secret' };
      const store = spawn(join(project.folder, 'bin', command), args, {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child.process = store;
      const [line] = await once(createInterface(store.stdout), 'line');
      expect(line).toBe(`listening on http://0.0.0.0:${port}`);
      expect((await project.run(probe, probing)).status).toBe(0);
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
