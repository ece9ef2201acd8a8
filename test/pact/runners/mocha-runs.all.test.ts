import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../../once.js';
import { CONSUMER, InstalledProject } from '../consumer/installed-project.js';
import { losesNoInteraction, shownFor } from './runner.js';

const CONFIG = { '.mocharc.json': JSON.stringify({ ...shownFor('mocha'), timeout: 180_000 }) };
const MOCHA = 'node_modules/mocha/bin/mocha.js';

// Mocha loads what it requires from its own place, so a link does not do.
async function install({ folder }: InstalledProject): Promise<void> {
  cpSync(await packageFolder('mocha'), join(folder, 'node_modules/mocha'), { recursive: true });
}

losesNoInteraction({
  name: 'Mocha',
  files: CONFIG,
  head: 'const test = it;',
  command: (processes) => [MOCHA, ...(processes === 1 ? [] : ['--parallel', '--jobs', String(processes)])],
  file: (name) => [name],
  named: (text) => ['--grep', text],
  watch: { flag: '--watch', waiting: 'waiting for changes' },
  install,
});

test('a run of all tests in the process of Mocha itself, which loads the files first, replaces the pact', async () => {
  const project = await InstalledProject.create();
  await install(project);
  const creates = (...names: string[]) =>
    `${CONSUMER}${names.map((name) => `it('${name}', () => creates('${name}'));`).join('\n')}`;
  project.renew({ ...CONFIG, 'test/a.test.js': creates('a', 'gone') });
  await project.node(MOCHA);
  project.write('test/a.test.js', creates('a', 'b'));
  expect(await project.node(MOCHA)).toMatchObject({ code: 0, output: expect.not.stringContaining('pacts/') });
  expect(project.descriptions()).toEqual(['a', 'b']);
  expect(project.leftovers()).toEqual([]);
  project.remove();
});
