import { rules, rulesVersion } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { plantStore } from './console.js';

describe('plant-store-contract rules', () => {
  test('lists every rule by topic, without a provider', async () => {
    const { status, stdout } = await plantStore(['rules']);
    expect(status).toBe(0);
    for (const { id, title } of rules) {
      expect(stdout).toContain(`  ${id} `);
      expect(stdout).toContain(title);
    }
    expect(stdout.match(/^[a-z]+$/gm)).toEqual([
      'success',
      'auth',
      'request',
      'failure',
      'state',
      'unspecified',
    ]);
    const judged = rules.filter(({ level }) => level !== 'unspecified').length;
    const counts = `${rules.length} rules: ${judged} judged, ${rules.length - judged} only observed.`;
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(`${counts} Version ${rulesVersion} of the rules.`);
  });

  test('--json writes JSON', async () => {
    const { stdout } = await plantStore(['rules', '--json']);
    const written = JSON.parse(stdout);
    expect(written.rulesVersion).toBe(rulesVersion);
    expect(written.rules.map(({ id }: { id: string }) => id)).toEqual(rules.map(({ id }) => id));
    expect(written.rules[0]).toHaveProperty('probes.0.title');
  });

  test('explains one rule', async () => {
    const { stdout } = await plantStore(['rules', 'request/nothing-follows-the-json']);
    expect(stdout).toContain('Why  All bodies are JSON');
    expect(stdout).toContain('Source  openapi.yaml#/paths/~1plants/post/requestBody');
    expect(stdout).toContain('Usual cause  A streaming decoder');
    expect(stdout).toContain('Fix  Check that nothing follows');
    expect(stdout).toContain('  a plant with a word after its JSON text-after-json');
    expect(stdout).toMatch(/\nRequests {2}\d+\n {2}a plant/);
    const { stdout: json } = await plantStore(['rules', 'request/nothing-follows-the-json', '--json']);
    expect(JSON.parse(json).rules).toMatchObject([{ id: 'request/nothing-follows-the-json' }]);
  });

  test('lists the rules of a topic or a level', async () => {
    const { stdout } = await plantStore(['rules', 'state']);
    expect(stdout.match(/^ {2}\S+\/\S+/gm)?.every((line) => line.startsWith('  state/'))).toBe(true);
    expect((await plantStore(['rules', 'implied'])).stdout).not.toContain('documented');
  });
});
