import { gzipSync } from 'node:zlib';
import { checkConformance } from 'plant-store-contract/conformance';
import { reporters } from 'plant-store-contract/reporters';
import { describe, expect, test } from 'vitest';
import { startHandler } from './providers/handler.js';
import { startInFront } from './providers/in-front.js';

const token = 'a-Token-that-nobody-may-read-0123456789';
const key = 'a-Key-that-nobody-may-read-either';

/** Every part of a secret that would tell most of it. */
function partsOf(secret: string): string[] {
  return [secret, secret.slice(0, 16), Buffer.from(secret).toString('base64').slice(0, 20)];
}

describe('no report tells a secret', () => {
  test.for<[string, (authorization: string) => string | Buffer, Record<string, string>]>([
    ['sent back as it was', (authorization) => `bad: ${authorization}`, {}],
    ['sent back compressed', (authorization) => gzipSync(authorization), { 'content-encoding': 'gzip' }],
    ['cut off where a text is too long', (authorization) => `${'x'.repeat(130)} ${authorization}`, {}],
    ['sent back in base64', (authorization) => Buffer.from(authorization.slice(7)).toString('base64'), {}],
    [
      'at the end of a long body',
      (authorization) => `${'x'.repeat(16 * 1024 - 20)}${authorization.slice(7)}`,
      {},
    ],
  ])('%s', async ([, answer, headers]) => {
    await using provider = await startHandler((request, response) => {
      request.resume().on('end', () => {
        const { authorization = '' } = request.headers;
        response.writeHead(500, {
          'x-echo': authorization,
          'x-key': request.headers['x-key'] ?? '',
          ...headers,
        });
        response.end(answer(authorization));
      });
    });
    const report = await checkConformance({ baseUrl: provider.url, token, headers: [['X-Key', key]] });
    expect(report.counts.fail).toBeGreaterThan(0);
    for (const [name, reporter] of Object.entries(reporters)) {
      const text = reporter(report);
      for (const part of [...partsOf(token), ...partsOf(key)])
        expect(text.includes(part), `${name}: ${part}`).toBe(false);
    }
  });

  test('and the lines of a shell take it from the environment', async () => {
    await using provider = await startInFront({ token, faults: ['leaks-id'] }, ({ pass }) => pass());
    const report = await checkConformance({ baseUrl: provider.url, token, headers: [['X-Key', key]] });
    const [failure] = report.rules.find(({ id }) => id === 'success/plant-fields-only')?.failures ?? [];
    expect(failure?.curl.at(-1)).toContain('-H "X-Key: $PLANT_STORE_HEADER_1"');
  });
});

describe('a short token', () => {
  test('spoils no word of the report', async () => {
    await using provider = await startInFront({ token: '4' }, ({ pass }) => pass());
    const report = await checkConformance({ baseUrl: provider.url, token: '4' });
    expect(report.conclusion).toBe('conforms');
    expect(reporters.text(report)).toContain('Malformed JSON is answered with 400.');
    expect(report.exchanges[0]?.request.headers[0]).toEqual(['Authorization', 'Bearer $PLANT_STORE_TOKEN']);
  });
});

describe('what a provider sends', () => {
  test('moves no cursor of a terminal', async () => {
    await using provider = await startHandler((_request, response) => {
      response.writeHead(500).end('\u001b[2J\u001b]0;title\u0007');
    });
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(reporters.text(report)).toContain('\\u001b[2J');
    expect(reporters.text(report)).not.toContain('\u001b');
  });
});
