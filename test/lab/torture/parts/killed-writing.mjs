// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { start } from '../processes.mjs';

/** One attack in so many is on a whole command, the others on the function with which every command writes. */
const COMMAND_EVERY = 10;
const ENTRIES = 3_000;

/** Two long texts, one after the other, until it is killed. */
const WRITER = `
const [module, file] = process.argv.slice(1);
const { writeWhole } = await import(module);
const texts = ['x', 'y'].map((letter) => JSON.stringify(letter.repeat(5_000_000)));
for (let n = 0; ; n++) await writeWhole(file, texts[n % 2]);`;

/** @type {import('../run.mjs').Part} */
export const killedWriting = {
  title: 'SIGKILL while a file is written',
  count: 100,
  limit: '0 truncated files',
  seconds: 60,
  async run({ dist, main, count, random }) {
    const folder = mkdtempSync(join(tmpdir(), 'plant-store-torture-'));
    const har = join(folder, 'traffic.har');
    writeFileSync(
      har,
      JSON.stringify({ log: { entries: Array.from({ length: ENTRIES }, (_, at) => entry(at)) } }),
    );
    const broken = [];
    let hits = 0;
    try {
      for (let at = 0; at < count; at++) {
        const place = mkdtempSync(join(folder, 'run-'));
        const file = join(place, 'report.json');
        if (at % COMMAND_EVERY === 0) await killCommand(main, har, place, file);
        // At any moment, or as soon as something is written: at any moment alone, few of ten would hit.
        else await killWriter(dist, file, random() * 100, at % 2 === 0 ? place : undefined);
        // What was being written at that moment is still there under its own name.
        if (isWriting(place)) hits++;
        const problem = problemOf(file);
        if (problem !== undefined) broken.push(`attack ${at}: ${problem}`);
        rmSync(place, { recursive: true });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    if (hits < count / 4) broken.push(`only ${hits} of ${count} attacks came while a file was written`);
    return { worst: `${broken.length} truncated, ${hits} hit`, broken };
  },
};

/**
 * @param {string} dist
 * @param {string} file
 * @param {number} delay
 * @param {string | undefined} place where something must be written at that moment; `undefined` if nothing must
 */
async function killWriter(dist, file, delay, place) {
  const argv = ['--input-type=module', '--eval', WRITER, join(dist, 'whole-file.js'), file];
  const child = spawn(process.execPath, argv, { stdio: 'ignore' });
  const ended = once(child, 'close');
  while (!existsSync(file) && child.exitCode === null) await sleep(5);
  await sleep(delay);
  while (place !== undefined && !isWriting(place) && child.exitCode === null) await sleep(0);
  child.kill('SIGKILL');
  await ended;
}

/** @param {string} place */
function isWriting(place) {
  return readdirSync(place).some((name) => name !== 'report.json');
}

/**
 * @param {string} main
 * @param {string} har
 * @param {string} place
 * @param {string} file
 */
async function killCommand(main, har, place, file) {
  const { child, ended } = start(main, ['validate', 'response', har, '--reporter', `json=${file}`]);
  while (readdirSync(place).length === 0 && child.exitCode === null) await sleep(0);
  child.kill('SIGKILL');
  await ended;
}

/** @param {string} file */
function problemOf(file) {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return `the report ends after ${text.length} characters`;
  }
}

/** @param {number} at */
function entry(at) {
  const text = JSON.stringify({ name: `Aloe ${at}`, [`unknown-${at}`]: 1 });
  return {
    request: { method: 'POST', url: 'http://store/plants', headers: [] },
    response: {
      status: 200,
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content: { text },
    },
  };
}
