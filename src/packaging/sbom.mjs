// @ts-check
// Run by the workflow that publishes, after the build: `node src/packaging/sbom.mjs > sbom.cdx.json`. It writes a software
// bill of materials (SBOM) as CycloneDX: what npm installs with the package, with the exact versions of the lock file, and
// the packages whose code the build has joined into the file of Prism's validators.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesNamedIn, ROOT } from './licenses.mjs';

const BUNDLE = 'dist/validation/prism-validators.js';

/** @typedef {{ ref: string, dependsOn: string[] }} Dependency */

/** @param {string} file */
const read = (file) => readFileSync(join(ROOT, file), 'utf8');

/** @type {Set<string>} */
const installed = new Set();
/** @type {[string, { version: string, dev?: boolean, peer?: boolean }][]} */
const locked = Object.entries(JSON.parse(read('package-lock.json')).packages);
for (const [path, { version, dev, peer }] of locked)
  if (path !== '' && dev !== true && peer !== true)
    installed.add(`${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`);

const bundled = packagesNamedIn(read(BUNDLE.replace(/\.js$/, '.LICENSES.txt'))).map(
  ({ name, version, license }) => ({
    // npm names its own components name@version, and one of these may be installed too.
    'bom-ref': `${BUNDLE}#${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    properties: [{ name: 'plant-store-contract:bundled-in', value: BUNDLE }],
    licenses: [{ license: { id: license } }],
  }),
);
const bundledRefs = bundled.map((component) => component['bom-ref']);

// With --omit=dev, npm also leaves out every package that a tool needs too. So the lock file says what is installed.
const flags = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=library', '--package-lock-only'];
const sbom = JSON.parse(execFileSync('npm', flags, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 }));

const root = sbom.metadata.component;
// npm takes the name of the folder.
root.name = JSON.parse(read('package.json')).name;
sbom.components = [
  ...sbom.components.filter((/** @type {{ 'bom-ref': string }} */ { 'bom-ref': ref }) => installed.has(ref)),
  ...bundled,
];
sbom.dependencies = [
  ...sbom.dependencies
    .filter((/** @type {Dependency} */ { ref }) => ref === root['bom-ref'] || installed.has(ref))
    .map((/** @type {Dependency} */ { ref, dependsOn }) => {
      const others = dependsOn.filter((one) => installed.has(one));
      return { ref, dependsOn: ref === root['bom-ref'] ? [...others, ...bundledRefs] : others };
    }),
  ...bundledRefs.map((ref) => ({ ref, dependsOn: [] })),
];
process.stdout.write(`${JSON.stringify(sbom, null, 2)}\n`);
