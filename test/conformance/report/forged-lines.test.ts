import { type Reporter, reporters } from 'plant-store-contract/reporters';
import { expect, test } from 'vitest';
import { checkFetch } from '../checks.js';

const forged = 'x\n::error::forged\nconforms: 1\r::warning::';

test('a text of the provider begins no line of a report', async () => {
  const report = await checkFetch(() => Response.json({ name: forged, [forged]: forged }));
  for (const name of ['text', 'junit', 'github', 'markdown'] as const) {
    const write: Reporter = reporters[name];
    const lines = write(report, {}).split(/\n|\r/);
    expect(lines.join('\n'), name).toContain('forged');
    expect(lines.filter((line) => /^(?:::\w+::|conforms)/.test(line.trim()))).toEqual([]);
  }
});
