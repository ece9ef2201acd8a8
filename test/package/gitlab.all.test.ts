import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { folderWith } from '../folder.js';
import { installedPackage } from '../once.js';
import { projectIn, readExample } from './project.js';

const text = readExample('gitlab', 'plant-store.gitlab-ci.yml');

/** The template as GitLab reads it: the inputs that it declares, and the jobs, with the inputs that it is given. */
function readTemplate(given: Readonly<Record<string, string>>) {
  const [header] = parseAllDocuments(text);
  const declared: Record<string, { default?: string }> = header?.toJS().spec.inputs;
  const used = text
    .slice(text.indexOf('\n---\n'))
    .replaceAll(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name: string) => {
      const value = given[name] ?? declared[name]?.default;
      if (value === undefined) throw new Error(`the input ${name} is missing`);
      return value;
    });
  return { declared, jobs: parseAllDocuments(used).at(-1)?.toJS() };
}

describe('the template for GitLab CI/CD', () => {
  const project = projectIn(folderWith());

  test('uses every input that it declares, and no other', () => {
    const used = [...text.matchAll(/\$\[\[ inputs\.(\w+) \]\]/g)].map(([, name]) => name);
    const { declared } = readTemplate({ url: 'http://provider' });
    expect([...new Set(used)].sort()).toEqual(Object.keys(declared).sort());
    expect(() => readTemplate({})).toThrow('the input url is missing');
  });

  test.each([
    ['passes for a provider that conforms', [], 0],
    ['fails for one that does not', ['leaks-id' as const], 1],
  ])('its script %s, and writes what the job keeps', async (_says, faults, expected) => {
    await using provider = await startPlantStore({ token: 'secret', faults });
    const { jobs } = readTemplate({ url: provider.url, options: '--only success' });
    const { script, variables, artifacts, image } = jobs['plant store contract'];
    // Otherwise GitLab would start the program instead of a shell.
    expect(image.entrypoint).toEqual(['']);
    const { status, stdout, stderr } = await project.run('sh', ['-e', '-c', script.join('\n')], {
      ...variables,
      CI: 'true',
      PLANT_STORE_TOKEN: 'secret',
      PATH: `${join(await installedPackage(), 'node_modules/.bin')}:${process.env.PATH}`,
    });
    expect(status, stdout + stderr).toBe(expected);
    expect(artifacts.paths).toEqual(['plant-store-reports/']);
    expect(readdirSync(join(project.folder, 'plant-store-reports')).sort()).toEqual([
      'check.html',
      'check.json',
      'check.xml',
    ]);
    expect(project.read(artifacts.reports.junit)).toContain(`failures="${expected}"`);
  });
});
