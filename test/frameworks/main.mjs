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
import { linesOfRecipe, RECIPE, sourcesOf } from './code.mjs';
import { write } from './tables.mjs';

/**
 * @typedef {{ title: string, language: string, install: string, start: string, version: string }} Framework
 * @typedef {{ fact: string, sent: string, expected: string, got: string }} Evidence
 * @typedef {{ version: string, date: string, conclusion: string, errors: Record<string, Evidence>,
 *   warnings: Record<string, Evidence>, observed: number }} Checked
 * @typedef {Checked & { name: string, title: string, language: string, lines: number, withRecipe?: WithRecipe }} Result
 * @typedef {Checked & { framework: string, findings: string[], lines: number }} WithRecipe the findings that have a recipe,
 *   for the framework as the report names it, and how many lines their code adds or changes
 */

const exec = promisify(execFile);
const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
const resultsFile = join(here, 'results.json');
const TOKEN = 'a-token-for-frameworks';
const MINUTES = 60_000;
/** How much of a text is kept. */
const MOST = 300;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { cache: { type: 'string', default: join(tmpdir(), 'plant-store-frameworks') } },
});

/** The folders of the frameworks. */
const all = readdirSync(here).filter((name) => existsSync(join(here, name, 'framework.json')));
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')}; there are ${all.join(', ')}`);

for (const name of positionals.length > 0 ? positionals : all) {
  try {
    const result = await resultOf(name);
    process.stdout.write(`${name} ${result.version}: ${inWords(result)}\n`);
    if (result.withRecipe !== undefined)
      process.stdout.write(`  with the recipes: ${inWords(result.withRecipe)}\n`);
    keep(result);
  } catch (error) {
    process.stdout.write(
      `${name} is skipped: ${error instanceof Error ? error.message.slice(0, 2_000) : error}\n`,
    );
  }
}

/** Puts a result in the place of an earlier one. @param {Result} result */
function keep(result) {
  /** @type {Result[]} */
  const before = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')).frameworks : [];
  const results = new Map([...before, result].map((one) => [one.name, one]));
  const frameworks = all.flatMap((name) => results.get(name) ?? []);
  writeFileSync(resultsFile, `${JSON.stringify({ frameworks }, undefined, 2)}\n`);
  write(frameworks);
}

/** @param {Checked} checked */
function inWords({ conclusion, errors, warnings }) {
  return `${conclusion}; ${Object.keys(errors).join(' ')}; ${Object.keys(warnings).join(' ')}`;
}

/**
 * Checks a framework, and once more with the code of its recipes, if it has a folder of files that have it.
 *
 * @param {string} name
 * @returns {Promise<Result>}
 * @throws Error if it cannot be installed, started or checked
 */
async function resultOf(name) {
  const folder = join(here, name);
  /** @type {Framework} */
  const framework = JSON.parse(readFileSync(join(folder, 'framework.json'), 'utf8'));
  const { title, language } = framework;
  const lines = sourcesOf(folder).split('\n').length - 1;
  const { checked, recipes } = await check(framework, join(values.cache, name), [folder]);
  const result = { name, title, language, lines, ...checked };
  const recipe = join(folder, RECIPE);
  if (!existsSync(recipe)) return result;
  const fixed = await check(framework, join(values.cache, `${name}-${RECIPE}`), [folder, recipe]);
  return { ...result, withRecipe: { ...recipes, lines: linesOfRecipe(folder), ...fixed.checked } };
}

/**
 * Installs a framework, unless it is there, starts it, and checks it.
 *
 * @param {Framework} framework
 * @param {string} folder where it is installed
 * @param {readonly string[]} sources the folders of its code. A file of a later one replaces that of an earlier one
 * @returns {Promise<{ checked: Checked, recipes: Pick<WithRecipe, 'framework' | 'findings'> }>}
 * @throws Error if it cannot be installed, started or checked
 */
async function check({ install, start, version }, folder, sources) {
  mkdirSync(folder, { recursive: true });
  for (const source of sources)
    cpSync(source, folder, { recursive: true, filter: (file) => file === source || !file.endsWith(RECIPE) });
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), TOKEN, OPENAPI: join(root, 'spec/openapi.yaml') };
  /** @param {string} command */
  const run = async (command) => {
    const options = { cwd: folder, env, timeout: 20 * MINUTES, maxBuffer: 2 ** 26 };
    return (await exec('bash', ['-c', command], options)).stdout.trim();
  };
  const stamp = join(folder, '.installed');
  const installed = install + sources.map(sourcesOf).join('');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== installed) {
    await run(install);
    writeFileSync(stamp, installed);
  }
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  // On a busy machine, a framework of Java starts in 30 seconds.
  const flags = ['--token', TOKEN, '--start', start, '--wait', '2m', '--reporter', `json=${report}`];
  const command = [join(root, 'dist/cli/main.js'), 'check', `http://127.0.0.1:${port}`, ...flags];
  // A provider that breaks rules ends it with 1.
  const { stderr } = await exec(process.execPath, command, { cwd: folder, env, maxBuffer: 2 ** 26 }).catch(
    (error) => error,
  );
  if (!existsSync(report)) throw new Error(`no report: ${stderr}`);
  const { conclusion, summary, rules, groups, findings } = JSON.parse(readFileSync(report, 'utf8'));
  if (conclusion !== 'conforms' && conclusion !== 'does-not-conform') throw new Error(summary);
  /** @param {string} verdict */
  const broken = (verdict) =>
    Object.fromEntries(
      rules
        .filter((/** @type {any} */ rule) => rule.verdict === verdict)
        .map((/** @type {any} */ { id }) => [id, evidenceOf(id, groups)]),
    );
  const checked = {
    version: await run(version),
    date: new Date().toISOString().slice(0, 10),
    conclusion,
    errors: broken('fail'),
    warnings: broken('warn'),
    observed: rules.filter((/** @type {any} */ rule) => rule.verdict === 'observed').length,
  };
  const fixable = findings.filter((/** @type {any} */ { recipe }) => recipe !== undefined);
  /** @type {string[]} */
  const ids = fixable.map((/** @type {any} */ { id }) => id);
  return { checked, recipes: { framework: fixable[0]?.recipe.framework, findings: [...new Set(ids)] } };
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
