import { resolve } from 'node:path';
import { baseUrlOf } from '../http/address.js';
import { invalidOption, reasonOf } from '../toolkit-error.js';
import { choice, defineCommand, flag, rejectFlags } from './command.js';
import type { CommandIo } from './io.js';
import { CONFIG_FILE } from './options-file.js';
import { exists, type PackageManager, type Project, projectIn } from './project.js';

const BASE_URL = 'http://127.0.0.1:3000';

/** `plant-store-contract init`: writes the first files of a new user. */
export const command = defineCommand({
  description: `Writes ${CONFIG_FILE} and a first test to the working directory, and a GitHub workflow to the root of the repository. A file that exists stays as it is.`,
  flags: [
    choice(
      '--for <role>',
      'what you have: a server that implements the interface, or a program that calls one (default: what package.json looks like)',
      ['provider', 'consumer'],
    ),
    flag('--base-url <url>', `provider: its base URL (default: ${BASE_URL})`),
    flag(
      '--start <command>',
      'provider: the command that starts it (default: npm start, or what your package manager has)',
    ),
  ],
  examples:
    'Example: plant-store-contract init --for provider --start "go run ." --base-url http://127.0.0.1:8080',
  hasFileOptions: false,
  async run({ flags }, io) {
    const { baseUrl = BASE_URL } = flags;
    if (flags.for === 'consumer') rejectFlags(flags, ['baseUrl', 'start'], 'is for a provider');
    const isSaid = flags.baseUrl !== undefined || flags.start !== undefined;
    const project = await projectIn(io.folder, flags.for ?? (isSaid ? 'provider' : undefined), io);
    const { role, why, manager } = project;
    const start = flags.start ?? manager.start;
    const isProvider = role === 'provider';
    const options = isProvider
      ? { baseUrl: baseUrlOf(baseUrl), check: { start } }
      : { serve: { port: 4010 } };
    const files = {
      [CONFIG_FILE]: `${JSON.stringify(options, null, 2)}\n`,
      [await workflowFile(project, io)]: workflow(project),
      'plant-store.test.mjs': isProvider ? providerTest(manager) : CONSUMER_TEST,
    };
    if (why !== '') {
      const other = isProvider ? 'consumer' : 'provider';
      io.stdout.write(`looks like a ${role}: ${why}; if it is a ${other}: init --for ${other}\n`);
    }
    for (const [path, text] of Object.entries(files)) {
      if (await exists(resolve(io.folder, path))) io.stdout.write(`kept   ${path} as it is: it exists\n`);
      else {
        await io.writeFile(path, text).catch((cause) => {
          throw invalidOption(`${path} cannot be written: ${reasonOf(cause)}`, { cause });
        });
        io.stdout.write(`wrote  ${path}\n`);
      }
    }
    io.stdout.write(nextSteps(project, isProvider && flags.start === undefined));
    return 0;
  },
});

/** What is left for the user to do. */
function nextSteps({ role, manager, manifest }: Project, isDefaultStart: boolean): string {
  const { dependencies, devDependencies, scripts } = manifest ?? {};
  const hasPackage = 'plant-store-contract' in { ...Object(dependencies), ...Object(devDependencies) };
  const hasStart = Object(scripts).start !== undefined;
  const steps = [
    ...(hasPackage
      ? []
      : [`add plant-store-contract to package.json${manifest === undefined ? ' (there is none here)' : ''}`]),
    ...(isDefaultStart && !hasStart ? [`write to ${CONFIG_FILE} how the provider is started`] : []),
    ...(role === 'provider' ? ['set PLANT_STORE_TOKEN to a token that the provider accepts'] : []),
    `run ${manager.node} --test`,
  ];
  const [last] = steps.splice(-1);
  const list = steps.length === 0 ? last : `${steps.join(', ')}, and ${last}`;
  return role === 'provider'
    ? `\nNext: ${list}.\nIt starts the provider with the command in ${CONFIG_FILE}, and checks it.\n`
    : `\nNext: ${list}.\nIt tests the example client in plant-store.test.mjs. Put your own there.\n`;
}

/** Where the workflow is written: GitHub reads only those at the root. There, another package may have one already. */
async function workflowFile({ root, folder }: Project, io: CommandIo): Promise<string> {
  const workflows = root === '.' ? '.github/workflows' : `${root}/.github/workflows`;
  const usual = `${workflows}/plant-store.yml`;
  if (folder === '.' || !(await exists(resolve(io.folder, usual)))) return usual;
  const isOurs = (await io.readFile(usual)).includes(`working-directory: ${yamlText(folder)} `);
  return isOurs ? usual : `${workflows}/plant-store-${folder.replace(/[^\w-]+/g, '-')}.yml`;
}

/** A text in YAML. JSON is YAML. */
function yamlText(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : JSON.stringify(text);
}

/** The workflow for GitHub, with the steps that the package manager needs. */
function workflow({ role, manager, pinned, installFolder, folder }: Project): string {
  const isBelow = folder !== '.';
  const steps = [
    '- uses: actions/checkout@v6',
    ...(manager.name === 'pnpm' ? pnpmSetup(pinned) : []),
    '- uses: actions/setup-node@v6\n  with: { node-version: 24 }',
    ...(manager.name === 'yarn' ? ['- run: corepack enable'] : []),
    ...(manager.name === 'bun' ? [`- uses: oven-sh/setup-bun@v2${bunVersion(pinned)}`] : []),
    '# Needs plant-store-contract in package.json.',
    `- run: ${manager.install}${installFolder === folder ? '' : `\n  working-directory: ${yamlText(installFolder)}`}`,
    ...(role === 'provider'
      ? checkSteps(manager, isBelow ? `${folder}/reports/` : 'reports/')
      : [`- run: ${manager.node} --test`]),
  ];
  const name = isBelow ? JSON.stringify(`plant store contract of ${folder}`) : 'plant store contract';
  const defaults = isBelow ? `    defaults:\n      run: { working-directory: ${yamlText(folder)} }\n` : '';
  return `name: ${name}
on:
  push: { branches: [main] }
  pull_request:
permissions: { contents: read }
jobs:
  plant-store:
    runs-on: ubuntu-latest
    timeout-minutes: 10
${defaults}    steps:
${steps.map((step) => step.replace(/^/gm, '      ')).join('\n')}
`;
}

function pnpmSetup(pinned: Project['pinned']): readonly string[] {
  const setup = '- uses: pnpm/action-setup@v4';
  // It reads the version from the package.json of the root.
  if (pinned?.folder === '.') return [setup];
  if (pinned === undefined) return [`${setup}\n  with: { version: 10 }`];
  return [`${setup}\n  with: { package_json_file: ${yamlText(`${pinned.folder}/package.json`)} }`];
}

function bunVersion(pinned: Project['pinned']): string {
  return pinned === undefined ? '' : `\n  with: { bun-version: ${pinned.version} }`;
}

function checkSteps({ exec }: PackageManager, reports: string): readonly string[] {
  const report = '--reporter text --reporter github --reporter html=reports/check.html';
  return [
    `- run: ${exec} plant-store-contract check ${report}
  env:
    # The provider must accept this token. Keep a real token in a secret.
    PLANT_STORE_TOKEN: token-of-run-\${{ github.run_id }}`,
    `- uses: actions/upload-artifact@v7
  if: \${{ !cancelled() }}
  with: { name: plant-store, path: ${yamlText(reports)} }`,
  ];
}

const providerTest = ({
  exec,
}: PackageManager): string => `// The provider against every rule of the plant store interface. ${CONFIG_FILE} says how to start it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test('the provider conforms to the interface', () => {
  // The provider must accept this token: it can read the variable as well.
  const env = { PLANT_STORE_TOKEN: 'token-of-this-test', ...process.env };
  const command = '${exec} plant-store-contract check --quiet';
  const { status, stdout, stderr } = spawnSync(command, { shell: true, env, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
});
`;

const CONSUMER_TEST = `// A client against the reference server of the plant store.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPlantStore } from 'plant-store-contract/server';

test('a plant is created, and the client sees that the plant store is unavailable', async () => {
  const store = await startPlantStore({ token: 'secret' });
  // Call your own client here.
  const createPlant = (plant) =>
    fetch(\`\${store.url}/plants\`, {
      method: 'POST',
      headers: { Authorization: 'Bearer secret', 'Content-Type': 'application/json' },
      body: JSON.stringify(plant),
    });
  const response = await createPlant({ name: 'Aloe', id: 7, tag: 'succulent' });
  assert.deepEqual(await response.json(), { name: 'Aloe', tag: 'succulent' });
  store.next({ status: 503 });
  assert.equal((await createPlant({ name: 'Aloe', id: 8 })).status, 503);
  await store.close();
});
`;
