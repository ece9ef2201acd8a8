// @ts-check
// `npm run frameworks`: installs the web frameworks of this folder, starts each, checks it, and writes the results.
//
//   npm run frameworks                          all of them: it takes an hour
//   npm run frameworks -- express flask         only these; the results of the others stay
//   npm run frameworks -- --cache /tmp/there    where they are installed. Default: a folder of the system for temporary files
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { write } from './tables.mjs';

/**
 * @typedef {{ title: string, language: string, install: string, start: string, version: string }} Framework
 * @typedef {{ fact: string, sent: string, expected: string, got: string }} Evidence
 * @typedef {{ name: string, title: string, language: string, version: string, lines: number, date: string,
 *   conclusion: string, errors: Record<string, Evidence>, warnings: Record<string, Evidence>, observed: number }} Result
 */

const exec = promisify(execFile);
const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
const resultsFile = join(here, 'results.json');
const TOKEN = 'a-token-for-frameworks';
const MINUTES = 60_000;
/** So much of a text is kept. */
const MOST = 300;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { cache: { type: 'string', default: join(tmpdir(), 'plant-store-frameworks') } },
});

/** The folders of the frameworks. */
const all = readdirSync(here).filter((name) => existsSync(join(here, name, 'framework.json')));
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')}; there are ${all.join(', ')}`);

/** @type {Result[]} */
const before = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')).frameworks : [];
const results = new Map(before.map((result) => [result.name, result]));
for (const name of positionals.length > 0 ? positionals : all) {
  try {
    const result = await resultOf(name);
    results.set(name, result);
    const [errors, warnings] = [Object.keys(result.errors), Object.keys(result.warnings)];
    process.stdout.write(
      `${name} ${result.version}: ${result.conclusion}; ${errors.join(' ')}; ${warnings.join(' ')}\n`,
    );
  } catch (error) {
    process.stdout.write(
      `${name} is skipped: ${error instanceof Error ? error.message.slice(0, 2_000) : error}\n`,
    );
  }
  const frameworks = all.flatMap((one) => results.get(one) ?? []);
  writeFileSync(resultsFile, `${JSON.stringify({ frameworks }, undefined, 2)}\n`);
  write(frameworks);
}

/**
 * Installs a framework in the cache, unless it is there, starts it, and checks it.
 *
 * @param {string} name
 * @returns {Promise<Result>}
 * @throws Error if it cannot be installed, started or checked
 */
async function resultOf(name) {
  const source = join(here, name);
  /** @type {Framework} */
  const { title, language, install, start, version } = JSON.parse(
    readFileSync(join(source, 'framework.json'), 'utf8'),
  );
  const folder = join(values.cache, name);
  mkdirSync(folder, { recursive: true });
  cpSync(source, folder, { recursive: true });
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), TOKEN, OPENAPI: join(root, 'spec/openapi.yaml') };
  /** @param {string} command */
  const run = async (command) => {
    const options = { cwd: folder, env, timeout: 20 * MINUTES, maxBuffer: 2 ** 26 };
    return (await exec('bash', ['-c', command], options)).stdout.trim();
  };
  const stamp = join(folder, '.installed');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== install + sourcesOf(source)) {
    await run(install);
    writeFileSync(stamp, install + sourcesOf(source));
  }
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const flags = ['--token', TOKEN, '--start', start, '--reporter', `json=${report}`];
  const command = [join(root, 'dist/cli/main.js'), 'check', `http://127.0.0.1:${port}`, ...flags];
  // A provider that breaks rules ends it with 1.
  const { stderr } = await exec(process.execPath, command, { cwd: folder, env, maxBuffer: 2 ** 26 }).catch(
    (error) => error,
  );
  if (!existsSync(report)) throw new Error(`no report: ${stderr}`);
  const { conclusion, summary, rules, groups } = JSON.parse(readFileSync(report, 'utf8'));
  if (conclusion !== 'conforms' && conclusion !== 'does-not-conform') throw new Error(summary);
  /** @param {string} verdict */
  const broken = (verdict) =>
    Object.fromEntries(
      rules
        .filter((/** @type {any} */ rule) => rule.verdict === verdict)
        .map((/** @type {any} */ { id }) => [id, evidenceOf(id, groups)]),
    );
  return {
    ...{ name, title, language, version: await run(version) },
    lines: sourcesOf(source).split('\n').length - 1,
    date: new Date().toISOString().slice(0, 10),
    ...{ conclusion, errors: broken('fail'), warnings: broken('warn') },
    observed: rules.filter((/** @type {any} */ rule) => rule.verdict === 'observed').length,
  };
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

/** The code of a handler. @param {string} folder */
function sourcesOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        /\.(?:mjs|ts|py|go|rs|java|kt|rb|ru|php|pl|cpp)$/.test(file) && !file.includes('node_modules'),
    )
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('');
}

/**
 * What was sent and what came back, for one failure of a rule.
 *
 * @param {string} id
 * @param {any[]} groups
 * @returns {Evidence}
 */
function evidenceOf(id, groups) {
  const { title, evidence } = groups.flatMap(({ cases }) => cases).find((one) => one.id === id);
  const [{ sent, expected, actual }] = evidence;
  return { fact: title, sent, expected: expected.slice(0, MOST), got: actual.slice(0, MOST) };
}
