import { checkConformance } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { plantStore } from '../../cli/console.js';
import { certificate, key, startMutualTls } from '../providers/tls.js';

const token = 'token-of-these-tests';
const cert = certificate;
const path = (name: string) => new URL(`../providers/tls/${name}`, import.meta.url).pathname;

describe('a provider that asks for a client certificate', () => {
  test('gets it on every connection', async () => {
    await using provider = await startMutualTls(token);
    const options = { baseUrl: provider.url, token, ca: certificate, prism: false };
    const report = await checkConformance({ ...options, cert, key });
    expect(report.exchanges.filter(({ failure }) => failure?.kind === 'tls')).toEqual([]);
    expect(report.conclusion).toBe('conforms');
    expect(JSON.stringify(report)).not.toContain(key.split('\n')[1]);
    expect((await checkConformance(options)).conclusion).toBe('not-testable');
  });

  test('gets it from the command line too, also while the check waits for it', async () => {
    await using provider = await startMutualTls(token);
    const certificates = `--ca ${path('certificate.pem')} --cert ${path('certificate.pem')} --key ${path('key.pem')}`;
    const flags = `--token ${token} --wait 20s ${certificates}`;
    const argv = ['check', provider.url, ...flags.split(' ')];
    const { status, stdout } = await plantStore(argv);
    expect([status, stdout]).toEqual([0, expect.stringContaining('conforms')]);
    const { stdout: requests } = await plantStore([...argv, '--dry-run']);
    expect(requests).toContain(
      `--cert "$PLANT_STORE_CERT" --key "$PLANT_STORE_KEY" '${provider.url}/plants'`,
    );
  });
});

test.for([
  [{ cert }, 'a client certificate needs both'],
  [{ key }, 'a client certificate needs both'],
  [{ cert, key: 'no key' }, 'the client certificate and its key cannot be used'],
  [{ cert, key, baseUrl: 'http://127.0.0.1:1' }, 'a client certificate needs a base URL with https'],
] as const)('%# is a usage error', async ([options, sentence]) => {
  const given = { baseUrl: 'https://127.0.0.1:1', token, ...options };
  await expect(checkConformance(given)).rejects.toMatchObject({
    code: 'invalid-option',
    message: expect.stringContaining(sentence),
  });
});
