import { join } from 'node:path';
import { startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { folderWith } from '../folder.js';
import { steady } from '../steady.js';
import { plantStore } from './console.js';

const token = 'token-of-these-tests';
const ROWS = `rows: [{ name: 'house/plain', title: 'a plant of the house', requests: [{ body: '{"name":"<NAME>","id":<ID>}' }] }]`;
const RULE = `{ id: 'house/date', title: 'Every response has the header Date.', ${ROWS.replace('plain', 'dated')},
  judge: ({ response }) => response.headers.some(([name]) => name === 'Date')
    ? undefined : { expected: 'Date', actual: 'no such header' } }`;
const BROKEN = `{ id: 'house/teapot', title: 'Every response is a teapot.', fix: 'Boil water.', ${ROWS},
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
  expect(steady(stdout)).toMatchInlineSnapshot(`
    "POST http://127.0.0.1:<port>/plants (interface 1.0.0)

    house
      ✓ Every response has the header Date. house/date
      ✗ Every response is a teapot. house/teapot

    1. A house rule is broken: Every response is a teapot.
       Fix: Boil water.
       Rule: house/teapot (house)
         sent       a plant of the house
         expected   418
         got        200
         reproduce  curl -i 'http://127.0.0.1:<port>/plants' -H "Authorization: Bearer $PLANT_STORE_TOKEN" -H 'Content-Type: application/json' -d '{"name":"'Aloe"$(echo $RANDOM$RANDOM | tr 0-9 a-j)"'","id":'"$((RANDOM * 32768 + RANDOM))"'}'

    breaks house rules: 1 pass, 1 fail in <duration>
    The provider breaks 1 of 2 judged rules. As asked, the check left out <number> other
    rules.
    The check sent 6 requests and created 6 plants; the JSON report lists the ids.
    Before you run a command of this report in bash or zsh, set PLANT_STORE_TOKEN.
    About a rule: npx plant-store-contract rules house/teapot
    Prism agrees with the rules on 2 responses.
    "
  `);
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
