import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ALLOWED, packagesNamedIn } from '../../src/packaging/licenses.mjs';
import { installed, type PackageSet } from '../install.js';
import { compiledPackage } from '../once.js';
import { root } from './project.js';

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

interface LockEntry {
  readonly name?: string;
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly peer?: boolean;
}

/** Licenses of tools that no user gets: nothing of them is copied, so they demand nothing of this package. */
const ALLOWED_FOR_TOOLS = [
  ...ALLOWED,
  ...['BlueOak-1.0.0', 'CC0-1.0', 'CC-BY-4.0', 'MPL-2.0', 'PSF-2.0', 'Python-2.0', 'Unlicense', 'WTFPL'],
];

/** Where else packages of tests and tools are named. */
const SETS: readonly PackageSet[] = ['other-versions', 'package/tools', 'spec/tools'];

/** The packages of the lock file in a folder, which are installed in another. */
function locked(folder: string, place: string, isMeant: (entry: LockEntry) => boolean): Package[] {
  const { packages } = JSON.parse(readFileSync(join(root, folder, 'package-lock.json'), 'utf8'));
  return Object.entries<LockEntry>(packages)
    .filter(([path, entry]) => path !== '' && isMeant(entry))
    .map(([path, entry]) => ({
      name: entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: entry.version,
      license: entry.license ?? oldLicenseOf(join(place, path)),
    }));
}

/** The license of an old package, which npm does not copy into the lock file. */
function oldLicenseOf(folder: string): string {
  const file = join(folder, 'package.json');
  const { licenses } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return licenses?.[0]?.type ?? 'not named';
}

/** Whether a license is in a list: of `A OR B` one is enough, of `A AND B` both are needed. */
function isIn(list: readonly string[], license: string): boolean {
  const [inner = ''] = license.match(/^\((.*)\)$/)?.slice(1) ?? [license];
  if (inner.includes(' OR ')) return inner.split(' OR ').some((one) => isIn(list, one));
  return inner.split(' AND ').every((one) => list.includes(one));
}

/** One line for each package and license. */
function table(packages: readonly Package[]): string[] {
  const lines = packages.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`);
  return ['| Package | Version | License |', '|---|---|---|', ...[...new Set(lines)].sort()];
}

/** The names of packages by license. */
function byLicense(packages: readonly Package[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { name, license } of packages) found.set(license, (found.get(license) ?? new Set()).add(name));
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe('the licenses', () => {
  let bundled: Package[] = [];
  const shipped = locked('.', root, ({ dev, peer }) => dev !== true && peer !== true);
  let tools: Package[] = [];

  beforeAll(async () => {
    const file = join(await compiledPackage(), 'dist/validation/prism-validators.LICENSES.txt');
    bundled = packagesNamedIn(readFileSync(file, 'utf8'));
    tools = locked('.', root, ({ dev }) => dev === true);
    // Their lock files name every license, so they need not be installed.
    for (const set of ['mutation', 'runtimes']) tools.push(...locked(`test/${set}`, 'nowhere', () => true));
    for (const set of SETS) tools.push(...locked(`test/${set}`, dirname(await installed(set)), () => true));
  });

  test('of all that npm installs with the package, and of all code in it, allow copying it with ours', () => {
    expect(shipped.map(({ name }) => name)).toEqual(expect.arrayContaining(['commander', 'fast-check']));
    expect(bundled.map(({ name }) => name)).toContain('ajv');
    expect([...shipped, ...bundled].filter(({ license }) => !isIn(ALLOWED, license))).toEqual([]);
  });

  test('of tools allow using them', () => {
    expect(tools.length).toBeGreaterThan(500);
    expect(tools.filter(({ license }) => !isIn(ALLOWED_FOR_TOOLS, license))).toEqual([]);
  });

  test('are as many as SECURITY.md says', () => {
    const text = readFileSync(join(root, 'SECURITY.md'), 'utf8');
    const [, others, contained] = /npm installs (\d+) others, .* code of (\d+) more/s.exec(text) ?? [];
    expect([Number(others), Number(contained)]).toEqual([shipped.length, bundled.length]);
  });

  // `npm run generate` writes it.
  test('are listed in src/packaging/licenses.md', async () => {
    const others = [...byLicense(tools)].filter(([license]) => !isIn(ALLOWED, license));
    const page = [
      '# The licenses of other packages',
      '',
      'Written by `npm run generate`, from the lock files and the build. This package itself has the [MIT license](../../LICENSE).',
      'All licenses below allow passing on this package under it.',
      '',
      '## What npm installs with the package',
      '',
      ...table(shipped),
      '',
      'The optional peers, Pact and Vitest, have the MIT license; you choose their versions.',
      '',
      '## What the package contains',
      '',
      'The code of these packages is in `dist/validation/prism-validators.js`. The texts of their licenses and notices are beside it, in',
      '`prism-validators.LICENSES.txt`.',
      '',
      ...table(bundled),
      '',
      '## What only developers install',
      '',
      'No code of these tools is in the package, and npm does not install them with it. Most of them have one of these licenses:',
      `${[...byLicense(tools).keys()].filter((license) => isIn(ALLOWED, license)).join(', ')}. The others:`,
      '',
      '| License | Packages |',
      '|---|---|',
      ...others.map(([license, names]) => `| ${license} | ${[...names].sort().join(', ')} |`),
      '',
    ].join('\n');
    await expect(page).toMatchFileSnapshot('../../src/packaging/licenses.md');
  });
});
