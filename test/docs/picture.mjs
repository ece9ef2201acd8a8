// The picture of the README: `npm run picture`. It checks the reference server, which has two faults here, with the html
// reporter, and takes a picture of the page in Chromium.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startPlantStore } from 'plant-store-contract/server';
import { chromium } from 'playwright-core';

const FAULTS = ['leaks-id', 'rounds-ids'];
const SIZE = { width: 1200, height: 940 };
const PORT = 3000;
const TOKEN = 'secret';

const commandLine = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const picture = fileURLToPath(new URL('report.png', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'picture-'));
try {
  await takePicture(await writeReport());
} finally {
  rmSync(folder, { recursive: true });
}
process.stdout.write(`${relative('', picture)}: ${Math.round(statSync(picture).size / 1000)} kB\n`);

/** Checks a provider that breaks rules; the report as a file. */
async function writeReport() {
  const report = join(folder, 'report.html');
  const store = await startPlantStore({ token: TOKEN, port: PORT, faults: FAULTS });
  const args = ['check', `http://localhost:${PORT}`, '--token', TOKEN, '--reporter', `html=${report}`];
  const checking = spawn(process.execPath, [commandLine, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [status] = await once(checking, 'exit');
  await store.close();
  if (status !== 1) throw new Error(`expected exit status 1; got ${status}`);
  return report;
}

async function takePicture(report) {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
    await page.goto(pathToFileURL(report).href);
    await page.screenshot({ path: picture });
  } finally {
    await browser.close();
  }
}
