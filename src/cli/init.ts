import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { baseUrlOf } from '../http/address.js';
import { toolVersion } from '../report/version.js';
import { didYouMean } from '../suggestion.js';
import { invalidOption, reasonOf } from '../toolkit-error.js';
import { choice, defineCommand, type FlagsOf, flag } from './command.js';
import type { CommandIo } from './io.js';

/** What the files are for: a server that implements the interface, or a program that calls one. */
const ROLES = ['provider', 'consumer'] as const;

type Role = (typeof ROLES)[number];

const BASE_URL = 'http://127.0.0.1:3000';
const START = 'npm start';

const initFlags = [
  choice(
    '--for <role>',
    'what you have: a server that implements the interface, or a program that calls one',
    ROLES,
  ),
  flag('--base-url <url>', `provider: its base URL (default: ${BASE_URL})`),
  flag('--start <command>', `provider: the command that starts it (default: ${START})`),
  flag('--force', 'replace files that exist'),
] as const;

/** `plant-store init`: writes the first files of a new user. */
export const init = defineCommand({
  description:
    'Writes plant-store.config.json, a GitHub workflow and a first test to the working directory. ' +
    'Asks on a terminal for what the flags do not say. A file that exists stays as it is.',
  flags: initFlags,
  examples: `Examples:
  plant-store init
  plant-store init --for provider --start "go run ." --base-url http://127.0.0.1:8080
  plant-store init --for consumer

Exit status: 0: the files are there. 2: usage error, or a file cannot be written.`,
  hasFileOptions: false,
  async run(given, io) {
    const answers = await answersFrom(given.flags, io);
    for (const [path, text] of Object.entries(projectFiles(answers))) {
      const stats = await statsOf(path, io);
      if (stats !== undefined && given.flags.force !== true) {
        io.stdout.write(`kept      ${path}: it exists; --force replaces it\n`);
        continue;
      }
      // Writing to a pipe would wait for a reader.
      if (stats?.isFile() === false) throw invalidOption(`${path} cannot be written: it is no regular file`);
      await io.writeFile(path, text).catch((cause) => {
        throw invalidOption(`${path} cannot be written: ${reasonOf(cause)}`, { cause });
      });
      io.stdout.write(`${stats === undefined ? 'wrote   ' : 'replaced'}  ${path}\n`);
    }
    io.stdout.write(NEXT[answers.role]);
    return 0;
  },
});

const NEXT: Readonly<Record<Role, string>> = {
  provider: `
Next:
  PLANT_STORE_TOKEN=… npx --no-install plant-store check   starts the provider and checks it; it must accept the token
  node --test                                              does the same as a test
`,
  consumer: `
Next:
  node --test                          tests the example client in plant-store.test.mjs; put your own there
  npx --no-install plant-store serve   runs the reference server on port 4010
`,
};

/** @throws ToolkitError `invalid-option` if a flag is wrong, or is missing and there is no terminal to ask on */
async function answersFrom(flags: FlagsOf<typeof initFlags>, io: CommandIo): Promise<ProjectAnswers> {
  const questions = io.openQuestions?.();
  const ask = async (question: string, usual: string): Promise<string> =>
    (await questions?.ask(`${question} [${usual}] `)) ?? usual;
  try {
    if (flags.for === undefined && questions === undefined)
      throw invalidOption('there is no terminal to ask on: pass --for provider or --for consumer');
    const role =
      flags.for ??
      roleIn(await ask('Do you implement the plant store (provider), or call it (consumer)?', ROLES[0]));
    if (role === 'consumer' && (flags.baseUrl ?? flags.start) !== undefined)
      throw invalidOption('--base-url and --start are for a provider');
    const isAsked = role === 'provider';
    const start = flags.start ?? (isAsked ? await ask('Which command starts it?', START) : START);
    const given = flags.baseUrl ?? (isAsked ? await ask('What is its base URL then?', BASE_URL) : BASE_URL);
    return { role, baseUrl: baseUrlOf(given), start, install: await installation(io) };
  } finally {
    questions?.close();
  }
}

function roleIn(text: string): Role {
  const role = ROLES.find((one) => one.startsWith(text.toLowerCase()));
  if (role !== undefined) return role;
  throw invalidOption(`"${text}" is neither provider nor consumer${didYouMean(text, ROLES)}`);
}

/**
 * How a workflow installs this package. A project without Node has no package.json, and needs the file that `npm pack` wrote: a
 * package of this name in a registry is not ours.
 */
async function installation(io: CommandIo): Promise<string> {
  if ((await statsOf('package.json', io)) === undefined)
    return `npm install --no-save ./plant-store-contract-${toolVersion}.tgz # the file that npm pack wrote: commit it`;
  return (await statsOf('package-lock.json', io)) === undefined ? 'npm install' : 'npm ci';
}

/** What is there; `undefined` if nothing is. It is not read. */
async function statsOf(path: string, io: CommandIo): Promise<Stats | undefined> {
  return await stat(resolve(io.folder, path)).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw invalidOption(`${path} cannot be read: ${reasonOf(cause)}`, { cause });
  });
}

/** What decides the content of the files. */
interface ProjectAnswers {
  readonly role: Role;
  readonly baseUrl: string;
  readonly start: string;
  /** How a workflow installs this package. */
  readonly install: string;
}

/** The files of a new user, by their paths. */
function projectFiles(answers: ProjectAnswers): Readonly<Record<string, string>> {
  const isProvider = answers.role === 'provider';
  return {
    'plant-store.config.json': optionsFile(answers),
    '.github/workflows/plant-store.yml': isProvider ? providerWorkflow(answers) : consumerWorkflow(answers),
    'plant-store.test.mjs': isProvider ? PROVIDER_TEST : CONSUMER_TEST,
  };
}

function optionsFile({ role, baseUrl, start }: ProjectAnswers): string {
  const schema = { $schema: './node_modules/plant-store-contract/spec/config.schema.json' };
  const options = role === 'provider' ? { baseUrl, start } : { serve: { port: 4010 } };
  return `${JSON.stringify({ ...schema, ...options }, null, 2)}\n`;
}

function workflow(about: string, install: string, steps: string): string {
  return `# ${about}
name: plant store contract

on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read

jobs:
  plant-store:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@v6
      - uses: actions/setup-node@v6
        with:
          node-version: 24
      - run: ${install}
${steps}`;
}

function providerWorkflow({ install }: ProjectAnswers): string {
  return workflow(
    'Checks the provider against the plant store interface. plant-store.config.json says how it is started, and where it is.',
    install,
    `      - run: npx --no-install plant-store check --reporter text --reporter github --reporter html=reports/check.html
        env:
          # The provider must accept this token. Keep a real token in a secret.
          PLANT_STORE_TOKEN: token-of-run-\${{ github.run_id }}
      - uses: actions/upload-artifact@v7
        if: \${{ !cancelled() }}
        with:
          name: plant-store
          path: reports/
`,
  );
}

function consumerWorkflow({ install }: ProjectAnswers): string {
  return workflow(
    'Tests the consumer against the reference server of the plant store.',
    install,
    '      - run: node --test\n',
  );
}

const PROVIDER_TEST = `// The provider against every rule of the plant store interface. plant-store.config.json says how to start it.
// Run it with: node --test
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test('the provider conforms to the interface', () => {
  // The provider must accept this token: it can read the variable as well.
  const env = { PLANT_STORE_TOKEN: 'token-of-this-test', ...process.env };
  const command = 'npx --no-install plant-store check --quiet';
  const { status, stdout, stderr } = spawnSync(command, { shell: true, env, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
});
`;

const CONSUMER_TEST = `// A client against the reference server of the plant store.
// Run it with: node --test
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startPlantStore } from 'plant-store-contract/server';

let store;
before(async () => {
  store = await startPlantStore({ token: 'secret' });
});
beforeEach(() => store.reset());
after(() => store.close());

// Call your own client here.
function createPlant(plant) {
  return fetch(\`\${store.url}/plants\`, {
    method: 'POST',
    headers: { Authorization: \`Bearer \${store.token}\`, 'Content-Type': 'application/json' },
    body: JSON.stringify(plant),
  });
}

test('a plant is created', async () => {
  const response = await createPlant({ name: 'Aloe', id: 7, tag: 'succulent' });
  assert.deepEqual(await response.json(), { name: 'Aloe', tag: 'succulent' });
  assert.deepEqual(store.received()[0].json, { name: 'Aloe', id: 7, tag: 'succulent' });
});

test('the client sees that the plant store is unavailable', async () => {
  store.next({ status: 503 });
  assert.equal((await createPlant({ name: 'Aloe', id: 7 })).status, 503);
});
`;
