import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { baseUrlOf } from '../http/address.js';
import { invalidOption, reasonOf } from '../toolkit-error.js';
import { choice, defineCommand, flag, rejectFlags } from './command.js';
import type { CommandIo } from './io.js';
import { CONFIG_FILE } from './options-file.js';

const BASE_URL = 'http://127.0.0.1:3000';
const START = 'npm start';

/** `plant-store init`: writes the first files of a new user. */
export const command = defineCommand({
  description: `Writes ${CONFIG_FILE}, a GitHub workflow and a first test to the working directory. A file that exists stays as it is.`,
  flags: [
    choice(
      '--for <role>',
      'what you have: a server that implements the interface, or a program that calls one',
      ['provider', 'consumer'],
    ),
    flag('--base-url <url>', `provider: its base URL (default: ${BASE_URL})`),
    flag('--start <command>', `provider: the command that starts it (default: ${START})`),
  ],
  examples: 'Example: plant-store init --for provider --start "go run ." --base-url http://127.0.0.1:8080',
  hasFileOptions: false,
  async run({ flags }, io) {
    const { for: role, baseUrl = BASE_URL, start = START } = flags;
    if (role === undefined)
      throw invalidOption('what you have is missing: pass --for provider or --for consumer');
    if (role === 'consumer') rejectFlags(flags, ['baseUrl', 'start'], 'is for a provider');
    const isProvider = role === 'provider';
    const options = isProvider
      ? { baseUrl: baseUrlOf(baseUrl), check: { start } }
      : { serve: { port: 4010 } };
    const files = {
      [CONFIG_FILE]: `${JSON.stringify(options, null, 2)}\n`,
      '.github/workflows/plant-store.yml': WORKFLOW + (isProvider ? CHECK : '      - run: node --test\n'),
      'plant-store.test.mjs': isProvider ? PROVIDER_TEST : CONSUMER_TEST,
    };
    for (const [path, text] of Object.entries(files)) {
      if (await exists(path, io)) io.stdout.write(`kept   ${path} as it is: it exists\n`);
      else {
        await io.writeFile(path, text).catch((cause) => {
          throw invalidOption(`${path} cannot be written: ${reasonOf(cause)}`, { cause });
        });
        io.stdout.write(`wrote  ${path}\n`);
      }
    }
    io.stdout.write(isProvider ? NEXT_OF_PROVIDER : NEXT_OF_CONSUMER);
    return 0;
  },
});

async function exists(path: string, io: CommandIo): Promise<boolean> {
  return (await stat(resolve(io.folder, path)).catch(() => undefined)) !== undefined;
}

const NEXT_OF_PROVIDER = `
Next: set PLANT_STORE_TOKEN to a token that the provider accepts, and run node --test.
It starts the provider with the command in plant-store.config.json, and checks it.
`;
const NEXT_OF_CONSUMER = `
Next: node --test tests the example client in plant-store.test.mjs. Put your own there.
`;

const WORKFLOW = `name: plant store contract
on:
  push: { branches: [main] }
  pull_request:
permissions: { contents: read }
jobs:
  plant-store:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@v6
      - uses: actions/setup-node@v6
        with: { node-version: 24 }
      # Needs plant-store-contract in package.json.
      - run: npm ci
`;

const CHECK = `      - run: npx --no-install plant-store check --reporter text --reporter github --reporter html=reports/check.html
        env:
          # The provider must accept this token. Keep a real token in a secret.
          PLANT_STORE_TOKEN: token-of-run-\${{ github.run_id }}
      - uses: actions/upload-artifact@v7
        if: \${{ !cancelled() }}
        with: { name: plant-store, path: reports/ }
`;

const PROVIDER_TEST = `// The provider against every rule of the plant store interface. ${CONFIG_FILE} says how to start it.
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
