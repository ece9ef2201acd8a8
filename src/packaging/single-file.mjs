// @ts-check
// Run by `npm run build:binary`: makes `build/plant-store`, one file that runs without Node and without node_modules.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleProgram } from './bundle.mjs';
import { licenseOfNode, licensesOf, ROOT } from './licenses.mjs';

/** Node looks for a program in itself where this text is. A Node that is only a part, with a shared library, lacks it. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/**
 * Makes the single file for this platform: a copy of the Node that runs this, with our scripts in it.
 *
 * @param {string} folder where it is written, with the licenses of all that is in it
 * @returns {Promise<string>} the file
 */
async function buildSingleFile(folder) {
  const { script, files, metafiles } = await bundleProgram('src/packaging/single-file/main.ts');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, process.platform === 'win32' ? 'plant-store.exe' : 'plant-store');
  copyNode(file);
  withWorkFolder((work) => insert(programIn(work, script, files), file));
  // It must run at least.
  quietly(file, ['--version']);
  writeFileSync(join(folder, 'LICENSES.txt'), `${licensesOf(metafiles)}\n\n${licenseOfNode()}`);
  return file;
}

/**
 * Writes the program in the form that Node reads: the script that starts, and the files under the paths of their URLs.
 *
 * @param {string} work a folder
 * @param {string} script
 * @param {ReadonlyMap<string, string | Buffer>} files
 */
function programIn(work, script, files) {
  let count = 0;
  const written = (/** @type {string | Buffer} */ content) => {
    const place = join(work, String(count++));
    writeFileSync(place, content);
    return place;
  };
  const config = {
    main: written(script),
    output: join(work, 'program'),
    assets: Object.fromEntries([...files].map(([path, content]) => [`/${path}`, written(content)])),
    disableExperimentalSEAWarning: true,
  };
  quietly(process.execPath, ['--experimental-sea-config', written(JSON.stringify(config))]);
  return config.output;
}

/**
 * Inserts a program into a copy of Node.
 *
 * @param {string} program
 * @param {string} file
 */
function insert(program, file) {
  const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js');
  const mac = process.platform === 'darwin';
  const segment = mac ? ['--macho-segment-name', 'NODE_SEA'] : [];
  quietly(process.execPath, [postject, file, 'NODE_SEA_BLOB', program, '--sentinel-fuse', FUSE, ...segment]);
  if (mac) quietly('codesign', ['--sign', '-', file]);
}

/**
 * Copies Node. On Linux, without the names for debuggers if `strip` is there: they are an eighth of it.
 *
 * @param {string} file
 */
function copyNode(file) {
  rmSync(file, { force: true });
  copyFileSync(process.execPath, file);
  if (!readFileSync(file).includes(FUSE))
    throw new Error(`${process.execPath} is only a part of Node. Run this with a Node from nodejs.org.`);
  if (process.platform === 'darwin') quietly('codesign', ['--remove-signature', file]);
  if (process.platform !== 'linux') return;
  try {
    quietly('strip', [file]);
  } catch {
    process.stdout.write(
      'strip (of the package binutils) is missing, so the file is larger than it could be.\n',
    );
  }
}

/** @param {(folder: string) => void} work */
function withWorkFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-build-'));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Runs a program. Its output is in the error if it fails, and otherwise nowhere: postject warns about sections of Node.
 *
 * @param {string} program
 * @param {readonly string[]} args
 */
function quietly(program, args) {
  execFileSync(program, args, { stdio: 'pipe' });
}

const file = await buildSingleFile(process.argv[2] ?? join(ROOT, 'build'));
process.stdout.write(`${file}: ${Math.round(statSync(file).size / 1e6)} MB\n`);
