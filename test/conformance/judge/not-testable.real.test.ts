import { checkConformance } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { whyNotTestable } from '../../../src/conformance/judge/testable.js';
import { checkFetch } from '../checks.js';
import { certificate, startMutualTls, startTls } from '../providers/tls.js';
import { exchange } from '../recorded.js';

const token = 'a-token-of-these-tests';

/** What a check says that cannot test anything. */
async function summaryOf(baseUrl: string, options: { readonly ca?: string } = {}): Promise<string> {
  const report = await checkConformance({ baseUrl, token, only: ['auth'], prism: false, ...options });
  expect(report.conclusion).toBe('not-testable');
  return report.summary;
}

describe('a failure of TLS gets the advice that helps', () => {
  test('against an unknown certificate', async () => {
    await using provider = await startTls(token);
    expect(await summaryOf(provider.url)).toMatch(
      /TLS fails: self-signed certificate\. Trust the certificate with --ca <file>, or any certificate with --insecure\./,
    );
  });

  test('against a missing client certificate', async () => {
    await using provider = await startMutualTls(token);
    expect(await summaryOf(provider.url, { ca: certificate })).toMatch(
      /TLS fails: tlsv13 alert certificate required\. The provider wants a client certificate that it trusts: pass one with --cert <file> and --key <file>\./,
    );
  });

  test.each([
    ['certificate has expired', 'Renew the certificate of the provider'],
    ['certificate is not yet valid', 'look at the clock of this machine'],
    [
      "Hostname/IP does not match certificate's altnames: Host: a.example. is not in the cert's altnames: DNS:localhost",
      'Write a host into the base URL for which the certificate was issued',
    ],
    ['unable to get local issuer certificate', '--ca <file>'],
    ['sslv3 alert handshake failure', '--cert <file>'],
    ['tlsv1 alert unknown ca', '--cert <file>'],
    ['tlsv1 alert protocol version', 'TLS fails: tlsv1 alert protocol version'],
  ])('against: %s', (reason, advice) => {
    const failed = exchange({ failure: { kind: 'tls', message: `TLS fails: ${reason}` } });
    const why = whyNotTestable([failed], new URL('https://a.example'));
    expect(why).toContain(advice);
    expect(/--insecure/.test(why ?? '')).toBe(advice.startsWith('--ca'));
  });
});

describe('a rejection of every plain plant shows what it says', () => {
  test.each([
    [
      'a text',
      new Response('Blocked request. This host ("a.example") is not allowed.'),
      'Blocked request. This host',
    ],
    ['JSON without a message', Response.json({ detail: 'HTTP/2 only' }), 'HTTP/2 only'],
    ['an Error', Response.json({ error: 1, message: 'no such tenant' }), '("no such tenant")'],
    ['nothing', new Response(null), 'gets 403. Is the token right?'],
  ])('%s', async (_what, response, said) => {
    const body = (await response.text()) || null;
    const { headers } = response;
    const report = await checkFetch(() => new Response(body, { status: 403, headers }), { only: ['auth'] });
    expect(report.summary).toMatch(/^The provider could not be tested: every plain plant gets 403/);
    expect(report.summary).toContain(said);
  });
});
