import { join } from 'node:path';
import { startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { folderWith } from '../folder.js';
import { plantStore } from './console.js';

const token = 'token-of-these-tests';
const RULE = `{ id: 'house/date', title: 'Every response has the header Date.',
  judge: ({ response }) => response.headers.some(([name]) => name === 'Date')
    ? undefined : { expected: 'Date', actual: 'no such header' } }`;
const BROKEN = `{ id: 'house/teapot', title: 'Every response is a teapot.', fix: 'Boil water.',
  judge: ({ response }) => response.status === 418
    ? undefined : { expected: '418', actual: String(response.status) } }`;

const written = (name: string, text: string): string => join(folderWith({ [name]: text }), name);

async function check(...flags: string[]) {
  await using store = await startPlantStore({ token });
  return await plantStore(['check', store.url, '--token', token, ...flags]);
}

test('rules of several modules are judged, and shown in the report', async () => {
  const [one, two] = [
    written('one.mjs', `export default [${RULE}];`),
    written('two.cjs', `module.exports = [${BROKEN}];`),
  ];
  const { status, stdout } = await check('--rules', one, '--rules', two, '--only', 'house', '--verbose');
  expect(status).toBe(1);
  expect(stdout).toMatch(/✓ Every response has the header Date\.\s+house\/date/);
  expect(stdout).toMatch(/A house rule is broken: Every response is a teapot\.[\s\S]*house\/teapot/);
  expect(stdout).toContain('Fix: Boil water.');
  expect(stdout).toContain('breaks house rules: ');
});

test('the rules command lists and explains them', async () => {
  const file = written('two.mjs', `export default [${BROKEN}];`);
  const listed = await plantStore(['rules', 'house', '--rules', file]);
  expect(listed.stdout).toContain('house/teapot house');
  const explained = await plantStore(['rules', 'house/teapot', '--rules', file]);
  expect(explained.stdout).toContain('Boil water.');
  expect(explained.stdout).not.toContain('Source');
  expect((await plantStore(['rules', 'house/teapto', '--rules', file])).stderr).toContain(
    'did you mean "house/teapot"?',
  );
});

test('an update of the expected failures has them', async () => {
  const rules = written('two.mjs', `export default [${BROKEN}];`);
  const known = join(folderWith(), 'known.json');
  await using store = await startPlantStore({ token });
  const argv = ['check', store.url, '--token', token, '--only', 'house/teapot'];
  const flags = ['--rules', rules, '--expect-failures', known, '--update-expected-failures'];
  const { files } = await plantStore([...argv, ...flags]);
  expect(JSON.parse(files[known] ?? '[]')).toMatchObject([{ rule: 'house/teapot' }]);
});

test.for([
  ['missing.mjs', undefined, /house rules cannot be read from \S+missing\.mjs: there is no such file/],
  ['syntax.mjs', 'export default [', /cannot be loaded: /],
  ['empty.mjs', 'export default [];', /must be a list, and the default export: /],
  ['wrong.mjs', 'export default [{ id: "mine" }];', /a house rule or its row has the name "mine": it must/],
] as const)('a module that cannot be used: %s', async ([name, text, problem]) => {
  const file = text === undefined ? name : written(name, text);
  expect(await check('--rules', file)).toMatchObject({ status: 2, stderr: expect.stringMatching(problem) });
});
