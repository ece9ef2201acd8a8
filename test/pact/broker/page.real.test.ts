import { startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { plantStore } from '../../cli/console.js';
import { readPage } from '../../docs/pages.js';
import { PROVIDER, pactPath, startBroker } from './stub.js';

const token = 'a-token-of-these-tests';
const commands = readPage('src/pact/broker/README.md')
  .blocks.filter(({ language }) => language === 'sh')
  .flatMap(({ code }) => code.replaceAll('\\\n', ' ').split('\n'))
  .map((line) => line.replace(/ +#.*$/, '').replace(/; result=\$\?$/, ''))
  .filter((line) => line !== '' && !line.startsWith('export '));

/** The words of a command. It has only quotes and variables. */
function wordsOf(command: string, env: Readonly<Record<string, string>>): string[] {
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)];
  return words.map(([, single, double, bare]) =>
    single !== undefined
      ? single
      : (double ?? bare ?? '').replace(/\$(\w+)/g, (all, name: string) => env[name] ?? all),
  );
}

test('every command on the page is one of plant-store or of Pact', () => {
  expect(commands.length).toBeGreaterThan(7);
  expect(
    commands.filter((command) => !/^npx (?:--no-install plant-store|pact-broker|pactflow) /.test(command)),
  ).toEqual([]);
});

test.for(commands.filter((command) => command.startsWith('npx --no-install plant-store verify ')))(
  '%s',
  async (command) => {
    await using broker = await startBroker();
    await using store = await startPlantStore({ token });
    const env = {
      PACT_BROKER_BASE_URL: broker.url,
      PACT_BROKER_TOKEN: 'token-of-the-broker',
      PLANT_STORE_TOKEN: token,
      PACT_URL: `${broker.url}${pactPath}`,
      GIT_COMMIT: '0123abc',
      GIT_BRANCH: 'main',
      BUILD_URL: 'https://ci.example/7',
    };
    const [, , , ...words] = wordsOf(command, env);
    const argv = words.map((word) => word.replace('http://localhost:3000', store.url));
    // The provider of the recording has another name.
    const { status, stderr } = await plantStore([...argv, '--provider', PROVIDER], { env });
    expect([status, stderr]).toEqual([0, '']);
    expect(broker.results()['garden-app']).toMatchObject({
      success: true,
      providerApplicationVersion: '0123abc',
    });
    expect(broker.calls.every(({ headers }) => headers.authorization === 'Bearer token-of-the-broker')).toBe(
      true,
    );
  },
);
