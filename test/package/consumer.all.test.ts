import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { installProject, readExample } from './project.js';

const PACT = 'pacts/garden-app-plant-store.json';

describe("a consumer's repository", async () => {
  const project = await installProject('consumer', ['@pact-foundation/pact', 'vitest']);

  test('writes its pact, with every digit of its ids', async () => {
    const { status, stdout } = await project.run('npm', ['test']);
    expect(stdout).toMatch(/Tests {2}7 passed \(7\)/);
    expect(status).toBe(0);
    const text = project.read(PACT);
    const { consumer, provider, interactions } = JSON.parse(text);
    expect([consumer.name, provider.name]).toEqual(['garden-app', 'plant-store']);
    expect(interactions.map(({ description }: { description: string }) => description)).toEqual([
      'a request to create a plant with a tag',
      'a request to create a plant with a wrong token',
      'a request to create a plant with the largest id',
    ]);
    // JSON.parse would round the id.
    expect(text).toMatch(/"id": 9223372036854775807,\s+"name": "Aloe",\s+"tag": "succulent"/);
    // The provider's repository has this pact.
    expect(interactionsIn(readExample('provider', PACT))).toBe(interactionsIn(text));
  });

  test('the reference server finds a client that rounds ids, and no pact is written', async () => {
    project.edit('src/plants.js', 'BigInt(id)', 'Number(id)');
    rmSync(join(project.folder, 'pacts'), { recursive: true, force: true });
    const { status, stdout, stderr } = await project.run('npm', ['test']);
    expect(status).toBe(1);
    // Pact's mock server accepts any integer.
    expect(stdout).toContain('× every digit of an id arrives');
    expect(stderr).toContain(`${PACT} was not written, because the run failed`);
    expect(() => project.read(PACT)).toThrow('ENOENT');
  });
});

/** As text, to keep every digit, but without white space and without the versions of Pact at the end. */
function interactionsIn(pact: string): string {
  return pact.slice(0, pact.indexOf('"metadata"')).replaceAll(/\s/g, '');
}
