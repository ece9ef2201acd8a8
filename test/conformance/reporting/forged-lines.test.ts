import { checkConformance } from 'plant-store-contract/conformance';
import { type Reporter, reporters } from 'plant-store-contract/reporters';
import { describe, expect, test } from 'vitest';
import { startHandler } from '../providers/handler.js';

const forged = 'x\n::error::forged\nconforms: 1\r::warning::';

describe('a text of the provider begins no line of a report', () => {
  test.each<keyof typeof reporters>(['text', 'junit', 'github', 'markdown'])('as %s', async (name) => {
    await using provider = await startHandler((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ name: forged, [forged]: forged }));
    });
    const report = await checkConformance({ baseUrl: provider.url, token: 'secret', prism: false });
    const write: Reporter = reporters[name];
    const lines = write(report, {}).split(/\n|\r/);
    expect(lines.join('\n')).toContain('forged');
    expect(lines.filter((line) => /^(?:::\w+::|conforms)/.test(line.trim()))).toEqual([]);
  });
});
