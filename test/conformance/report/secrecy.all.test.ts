import { gzipSync } from 'node:zlib';
import { checkConformance } from 'plant-store-contract/conformance';
import { reporters } from 'plant-store-contract/reporters';
import { describe, expect, test } from 'vitest';
import { startHandler } from '../providers/handler.js';
import { startInFront } from '../providers/in-front.js';

const token = 'a-Token-that-nobody-may-read-0123456789';
const key = 'a-Key-that-nobody-may-read-either';

/** The parts of a secret that reveal most of it. */
function partsOf(secret: string): string[] {
  return [secret, secret.slice(0, 16), Buffer.from(secret).toString('base64').slice(0, 20)];
}

describe('no report shows a secret', () => {
  test.for<[string, (authorization: string) => string | Buffer, Record<string, string>]>([
    ['sent back as it was', (authorization) => `bad: ${authorization}`, {}],
    ['sent back compressed', (authorization) => gzipSync(authorization), { 'content-encoding': 'gzip' }],
    ['cut off because the text is too long', (authorization) => `${'x'.repeat(130)} ${authorization}`, {}],
    ['sent back in base64', (authorization) => Buffer.from(authorization.slice(7)).toString('base64'), {}],
    [
      'at the end of a long body',
      (authorization) => `${'x'.repeat(16 * 1024 - 20)}${authorization.slice(7)}`,
      {},
    ],
  ])('%s', async ([, echo, headers]) => {
    await using provider = await startHandler((request, response) => {
      request.resume().on('end', () => {
        const { authorization = '' } = request.headers;
        response.writeHead(500, {
          'x-echo': authorization,
          'x-key': request.headers['x-key'] ?? '',
          ...headers,
        });
        response.end(echo(authorization));
      });
    });
    const options = { token, headers: [['X-Key', key]] as const };
    const report = await checkConformance({ baseUrl: provider.url, ...options });
    expect(report.counts.fail).toBeGreaterThan(0);
    for (const [name, reporter] of Object.entries(reporters)) {
      const text = reporter(report);
      for (const part of [...partsOf(token), ...partsOf(key)])
        expect(text.includes(part), `${name}: ${part}`).toBe(false);
    }
  });
});

describe('a short token', () => {
  test.for<[what: string, echo: (authorization: string) => string]>([
    ['sent back as it was', (authorization) => `bad: ${authorization}`],
    ['sent back in a URL', (authorization) => `/login?token=${authorization.split(' ').at(-1)}&next=1`],
  ])('is in no report, %s', async ([, echo]) => {
    await using provider = await startInFront({ token: 'Sesame' }, ({ request, response, pass }) => {
      const { authorization = '' } = request.headers;
      response.setHeader('x-echo', echo(authorization));
      return authorization === 'Bearer Sesame' ? pass() : response.writeHead(500).end(echo(authorization));
    });
    const report = await checkConformance({ baseUrl: provider.url, token: 'Sesame' });
    expect(report.exchanges.map(({ name }) => name)).toContain('longer-token');
    for (const [name, reporter] of Object.entries(reporters))
      expect([name, reporter(report).match(/.{0,40}sesam.{0,20}/gi)]).toEqual([name, null]);
  });

  test('changes no other word of the report', async () => {
    await using provider = await startInFront({ token: '4' }, ({ pass }) => pass());
    const report = await checkConformance({ baseUrl: provider.url, token: '4' });
    expect(report).toConform();
    expect(reporters.text(report, { verbose: true })).toContain('Malformed JSON returns 400.');
    expect(report.exchanges[0]?.request.headers[0]).toEqual(['Authorization', 'Bearer $PLANT_STORE_TOKEN']);
  });
});

describe('a control character of the provider', () => {
  test('does not reach a terminal', async () => {
    await using provider = await startHandler((_request, response) => {
      response.writeHead(500).end('\u001b[2J\u001b]0;title\u0007');
    });
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(reporters.text(report)).toContain('\\u001b[2J');
    expect(reporters.text(report)).not.toContain('\u001b');
  });
});
