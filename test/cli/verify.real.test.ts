import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import type { VerifyReport } from '../../src/pact/verification/report.js';
import { folderWith } from '../folder.js';
import { commandLine } from '../once.js';
import { pactFile, pactOf } from '../pact/verification/pacts.js';
import { parseXml } from '../report/formats/xml.js';
import { steady } from '../steady.js';
import { plantStore, WIDE } from './console.js';

const token = 'a-token-of-these-tests';
const creation = { description: 'a creation', given: { 'no plant with id': '{"id":7}' } };

describe('plant-store-contract verify', () => {
  test('0: every pact is satisfied', async () => {
    await using store = await startPlantStore({ token });
    const pact = pactFile(creation);
    const argv = ['verify', store.url, '--token', token, '--pacts', pact];
    const { status, stdout, stderr } = await plantStore(argv, WIDE);
    expect(stderr).toBe('');
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "plant-store at http://127.0.0.1:<port> (interface 1.0.0)

      garden → plant-store <folder>/pact.json: 1 pass

      conforms: 1 pass in <duration>
      The provider satisfies 1 of 1 interaction.
      "
    `);
    expect(status).toBe(0);
  });

  test('1: an interaction fails; the report says what was sent and received, but not the token', async () => {
    await using store = await startPlantStore({ token, faults: ['answers-201'] });
    const argv = ['verify', store.url, '--pacts', pactFile(creation), '--quiet'];
    const { status, stdout } = await plantStore(argv, {
      ...WIDE,
      env: { ...WIDE.env, PLANT_STORE_TOKEN: token },
    });
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "1. The response does not match the pact: expected 200 but was 201.
         Case: a creation, given no plant with id (<folder>/pact.json, /interactions/0)
           sent       POST http://127.0.0.1:<port>/plants {"id":<id>,"name":"Aloe"}
           where      pact: status
           found      expected 200 but was 201
         Response: 201 {"name":"Aloe"}

      does not conform: 1 fail in <duration>
      The provider fails 1 of 1 interaction.
      "
    `);
    expect(stdout).not.toContain(token);
    expect(status).toBe(1);
  });

  test('--reporter json writes one JSON document to standard output; JUnit goes to a file', async () => {
    await using store = await startPlantStore({ token, faults: ['answers-201'] });
    const rejection = { description: 'no token', authorization: null, status: 'clientError' } as const;
    const both = pactFile(creation, rejection);
    const reporters = ['--reporter', 'json', '--reporter', 'junit=pacts.xml'];
    const argv = ['verify', store.url, '--token', token, '--pacts', both, ...reporters];
    const { status, stdout, files } = await plantStore(argv);
    expect(status).toBe(1);
    const verification: VerifyReport = JSON.parse(stdout);
    expect(verification.groups[0]?.cases.map(({ verdict }) => verdict)).toEqual(['fail', 'pass']);
    expect(parseXml(files['pacts.xml'] ?? '').attributes).toMatchObject({ tests: '2', failures: '1' });
  });

  test('accepts a URL for states, and further headers', async () => {
    await using store = await startPlantStore({ token, faults: ['answers-201'] });
    const argv = ['verify', store.url, '--token', token, '--pacts', pactFile(creation)];
    const further = ['--header', 'X-Key: 1', '--state-url', 'http://127.0.0.1:9/states'];
    const { status, stdout } = await plantStore([...argv, ...further]);
    expect(stdout).toContain('■ Not judged: the state "no plant with id" cannot be set up:');
    expect(status).toBe(2);
  });

  test('in a shell, Pact itself writes nothing', async () => {
    await using store = await startPlantStore({ token });
    const main = await commandLine();
    const argv = [main, 'verify', store.url, '--token', token, '--reporter', 'json', '--pacts'];
    const exec = promisify(execFile);
    const cwd = folderWith({ 'pact.json': pactOf([creation]) });
    const plain = await exec(process.execPath, [...argv, 'pact.json'], { cwd });
    expect(JSON.parse(plain.stdout).conclusion).toBe('conforms');
    expect(plain.stderr).toBe('');
  });
});
