import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadPrism } from 'plant-store-contract/validation';
import { beforeAll, describe, expect, test } from 'vitest';
import { built } from '../once.js';
import { OPINIONS } from '../validation/prism-opinions.js';
import { root } from './project.js';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
let dist = '';

beforeAll(async () => {
  dist = await built();
});

type Prism = Awaited<ReturnType<typeof loadPrism>>;

const opinionsOf = (prism: Prism) => OPINIONS.map(({ response }) => prism.errorsIn(response));

describe('the part of Prism that ships', () => {
  test('has the same opinions as the package of Prism, word for word', async () => {
    const shipped = await import(pathToFileURL(join(dist, 'validation/prism.js')).href);
    const found = opinionsOf(await shipped.loadPrism());
    expect(found.length).toBeGreaterThan(58);
    expect(found.flat().length).toBeGreaterThan(30);
    expect(found).toEqual(opinionsOf(await loadPrism()));
  });

  test('imports no package, and no other file names one of Prism', () => {
    const bundle = readFileSync(join(dist, 'validation/prism-validators.js'), 'utf8');
    const imported = [...bundle.matchAll(/^import .* from "(.*)";$/gm)].map(([, name]) => name);
    expect(imported).toEqual([]);
    const naming = readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(js|d\.ts)$/.test(file) && !file.startsWith('validation/prism-validators.'))
      .filter((file) => /(from|import\() ?'@stoplight/.test(readFileSync(join(dist, file), 'utf8')));
    expect(naming).toEqual([]);
  });

  test('names its version, and has the license of every package in it', () => {
    const bundle = readFileSync(join(dist, 'validation/prism-validators.js'), 'utf8');
    expect(bundle).toMatch(
      new RegExp(
        `^// The validators of @stoplight/prism-http ${manifest.devDependencies['@stoplight/prism-http']},`,
      ),
    );
    // esbuild says before each module where it comes from.
    const packages = [...bundle.matchAll(/^ *\/\/ \S*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)].map(
      ([, name]) => name,
    );
    const named = [...new Set(packages)].sort();
    expect(named).toEqual(expect.arrayContaining(['@stoplight/prism-http', 'ajv', 'lodash']));
    const licenses = readFileSync(join(dist, 'validation/prism-validators.LICENSES.txt'), 'utf8');
    const titles = [...licenses.matchAll(/^(\S+) \S+ \(.*\)\n-+$/gm)].map(([, name]) => name);
    expect(titles.sort()).toEqual(named);
    expect(licenses).toContain('TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION');
  });
});
