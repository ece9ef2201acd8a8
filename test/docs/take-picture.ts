// `npm run picture`: makes the picture of the README anew, in Chromium, and the text that a test compares.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startChromium } from '../report/formats/chromium.js';
import { pageOfPicture, textOfPicture } from './picture.js';

const SIZE = { width: 1000, height: 660 };

const picture = fileURLToPath(new URL('report.png', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'picture-'));
const browser = await startChromium();
try {
  const html = await pageOfPicture();
  const file = join(folder, 'report.html');
  writeFileSync(file, html);
  const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
  await page.goto(pathToFileURL(file).href);
  await page.screenshot({ path: picture });
  writeFileSync(new URL('report.txt', import.meta.url), textOfPicture(html));
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
process.stdout.write(`${picture}: ${Math.round(statSync(picture).size / 1000)} kB\n`);
