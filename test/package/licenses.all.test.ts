import { beforeAll, describe, expect, test } from 'vitest';
import { ALLOWED } from '../../src/packaging/licenses.mjs';
import { isIn, type LicensedPackages, licensedPackages } from '../generate/licenses-page.js';
import { built } from '../once.js';

/** Licenses of tools that no user gets: nothing of them is copied, so they demand nothing of this package. */
const ALLOWED_FOR_TOOLS = [
  ...ALLOWED,
  ...['BlueOak-1.0.0', 'CC0-1.0', 'CC-BY-4.0', 'MPL-2.0', 'PSF-2.0', 'Python-2.0', 'Unlicense', 'WTFPL'],
];

describe('the licenses', () => {
  let packages: LicensedPackages;
  beforeAll(async () => {
    await built();
    packages = await licensedPackages();
  });

  test('of all that npm installs with the package, and of all code in it, allow copying it with ours', () => {
    const { shipped, bundled } = packages;
    expect(shipped.map(({ name }) => name)).toEqual(expect.arrayContaining(['commander', 'fast-check']));
    expect(bundled.map(({ name }) => name)).toContain('ajv');
    expect([...shipped, ...bundled].filter(({ license }) => !isIn(ALLOWED, license))).toEqual([]);
  });

  test('of tools allow using them', () => {
    expect(packages.tools.length).toBeGreaterThan(500);
    expect(packages.tools.filter(({ license }) => !isIn(ALLOWED_FOR_TOOLS, license))).toEqual([]);
  });
});
