import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALLOWED, packagesNamedIn } from '../../src/packaging/licenses.mjs';
import { packagesOf } from '../packages.mjs';

const root = new URL('../..', import.meta.url).pathname;

/** A package of others, and its license. */
interface Licensed {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** Packages of others: what npm installs with ours, whose code is in ours, and what only developers install. */
export interface LicensedPackages {
  readonly shipped: readonly Licensed[];
  readonly bundled: readonly Licensed[];
  readonly tools: readonly Licensed[];
}

interface LockEntry {
  readonly name?: string;
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly peer?: boolean;
}

/** The folders with packages that tests and laboratories need. */
const SETS = ['frameworks', 'tools', 'lab/mutation', 'lab/runtimes'] as const;

/** The packages of the lock file in a folder, which are installed in another. */
function locked(folder: string, place: string, isMeant: (entry: LockEntry) => boolean): Licensed[] {
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

/** All packages of others. It installs those that tests need, and reads what a build wrote. */
export async function licensedPackages(): Promise<LicensedPackages> {
  const bundled = join(root, 'dist/validation/prism-validators.LICENSES.txt');
  const tools = locked('.', root, ({ dev }) => dev === true);
  for (const set of SETS) {
    // The lock files of laboratories name every license, so these need not be installed.
    const place = set.startsWith('lab/') ? 'nowhere' : join(await packagesOf(set), '..');
    tools.push(...locked(`test/${set}`, place, () => true));
  }
  return {
    shipped: locked('.', root, ({ dev, peer }) => dev !== true && peer !== true),
    bundled: packagesNamedIn(readFileSync(bundled, 'utf8')),
    tools,
  };
}

/** Whether a license is in a list: of `A OR B` one is enough, of `A AND B` both are needed. */
export function isIn(list: readonly string[], license: string): boolean {
  const [inner = ''] = license.match(/^\((.*)\)$/)?.slice(1) ?? [license];
  if (inner.includes(' OR ')) return inner.split(' OR ').some((one) => isIn(list, one));
  return inner.split(' AND ').every((one) => list.includes(one));
}

/** One line for each package and license. */
function table(packages: readonly Licensed[]): string[] {
  const lines = packages.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`);
  return ['| Package | Version | License |', '|---|---|---|', ...[...new Set(lines)].sort()];
}

/** The names of packages by license. */
function byLicense(packages: readonly Licensed[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { name, license } of packages) found.set(license, (found.get(license) ?? new Set()).add(name));
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `src/packaging/licenses.md`. */
export async function licensesPage(): Promise<string> {
  const { shipped, bundled, tools } = await licensedPackages();
  const others = [...byLicense(tools)].filter(([license]) => !isIn(ALLOWED, license));
  return [
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
}
