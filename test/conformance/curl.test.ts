import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { checkConformance, type Report } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';

const token = "a-token'with-quotes".replaceAll("'", '~');
const hasCurl = await promisify(execFile)('curl', ['--version']).then(
  () => true,
  () => false,
);

function curlLines(report: Report): string[] {
  return report.rules.flatMap(({ failures }) => failures.map(({ curl }) => curl));
}

describe('the curl line of a failure', () => {
  test('holds no token', async () => {
    await using store = await startPlantStore({ token, faults: ['leaks-id', 'accepts-missing-name'] });
    const lines = curlLines(await checkConformance({ baseUrl: store.url, token }));
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) {
      expect(line).not.toContain(token);
      expect(line).toContain('"Authorization: Bearer $PLANT_STORE_TOKEN"');
    }
  });

  test.skipIf(!hasCurl)('shows the failure again when a shell runs it', async () => {
    await using store = await startPlantStore({ token, faults: ['accepts-missing-name', 'omits-message'] });
    const report = await checkConformance({ baseUrl: store.url, token });
    const env = { ...process.env, PLANT_STORE_TOKEN: token };
    const again = async (id: string): Promise<string> => {
      const [failure] = report.rules.find((rule) => rule.id === id)?.failures ?? [];
      return (await promisify(execFile)('sh', ['-c', failure?.curl ?? 'false'], { env })).stdout;
    };
    expect(await again('request/name-is-required')).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(await again('failure/body-is-an-error')).toMatch(/^HTTP\/1\.1 400 .*\{"error":\d+\}$/s);
  });
});
