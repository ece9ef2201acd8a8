import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InstalledProject } from '../installed-project.js';
import { linkPackages } from '../once.js';
import { chromium } from '../report/formats/chromium.js';
import { root } from './project.js';

const folder = join(root, 'examples/plug-ins');
const project = await InstalledProject.create();
await linkPackages(project.folder, 'msw', 'hono');
project.renew(
  Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')])),
);

test.for([
  ['MSW', 'msw', true],
  ['Hono', 'hono', true],
  ['Playwright, in Chromium', 'playwright', chromium !== undefined],
] as const)('the plant store plugs into %s', async ([_name, file, isHere], { skip }) => {
  skip(!isHere);
  const { tests, code, output } = await project.vitest(`${file}.test.js`);
  expect(tests.length).toBeGreaterThan(0);
  expect(code, output).toBe(0);
});
