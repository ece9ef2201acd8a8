import { IS_SINGLE_FILE } from '../../package-files.js';

/** What the files are for: a server that implements the interface, or a program that calls one. */
export const ROLES = ['provider', 'consumer'] as const;

export type Role = (typeof ROLES)[number];

/** What decides the content of the files. */
export interface ProjectAnswers {
  readonly role: Role;
  readonly baseUrl: string;
  readonly start: string;
  /** How a workflow installs this package. */
  readonly install: string;
}

/** The files of a new user, by their paths. A workflow and a test need the npm package, and its users have the schema. */
export function projectFiles(answers: ProjectAnswers): Readonly<Record<string, string>> {
  const isProvider = answers.role === 'provider';
  if (IS_SINGLE_FILE) return { 'plant-store.config.json': optionsFile(answers) };
  return {
    'plant-store.config.json': optionsFile(answers),
    '.github/workflows/plant-store.yml': isProvider ? providerWorkflow(answers) : consumerWorkflow(answers),
    'plant-store.test.mjs': isProvider ? PROVIDER_TEST : CONSUMER_TEST,
  };
}

function optionsFile({ role, baseUrl, start }: ProjectAnswers): string {
  const schema = { $schema: './node_modules/plant-store-contract/spec/config.schema.json' };
  const options = role === 'provider' ? { baseUrl, start } : { serve: { port: 4010 } };
  return `${JSON.stringify({ ...(!IS_SINGLE_FILE && schema), ...options }, null, 2)}\n`;
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
