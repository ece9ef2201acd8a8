import type { CheckReport } from 'plant-store-contract/conformance';
import { expect, test } from 'vitest';
import { brokenIn, checkFetch } from '../checks.js';

const PAGE = '<!DOCTYPE html>\n<html><head><title>Welcome to\n the garden</title></head><body>';

function page(status: number, headers: Record<string, string> = {}): Response {
  return new Response(`${PAGE}</body></html>`, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  });
}

/** A report that says only why nothing was tested, after a few requests. */
function expectNotTestable(report: CheckReport, summary: string): void {
  expect(report.conclusion).toBe('not-testable');
  expect(report.summary).toBe(`The provider could not be tested: ${summary}`);
  expect(report.findings).toEqual([]);
  expect(report.createdIds).toEqual([]);
  expect(report.exchanges.length).toBeLessThanOrEqual(4);
}

const WHERE = 'Is the base URL right? /plants is appended to it.';

test.for([
  [200, page(200), 'text/html'],
  [200, new Response(Buffer.from(PAGE)), 'no Content-Type'],
  [404, page(404), 'text/html'],
] as const)('a web page with %i is named (case %#)', async ([status, response, mediaType]) => {
  expectNotTestable(
    await checkFetch(() => response.clone()),
    `every plain plant gets ${status} with a web page (${mediaType}, "Welcome to the garden"). ${WHERE}`,
  );
});

test('a redirect to a login is named', async () => {
  expectNotTestable(
    await checkFetch(() => page(302, { location: 'https://garden.example/login?next=%2Fplants' })),
    'every plain plant gets 302, a redirect to "https://garden.example/login?next=%2Fplants". Is this the base URL of the provider itself?',
  );
});

test.for([
  ['always the same Plant', () => Response.json({ name: 'Aloe' })],
  ['nothing', () => new Response(null, { status: 204 })],
  ['a text', () => new Response('OK')],
  [
    'whatever it got',
    async (request: Request) => Response.json({ status: 'created', plant: await request.text() }),
  ],
] as const)('a provider that answers everything with %s is judged', async ([, fetch]) => {
  const report = await checkFetch(fetch, { only: ['auth/missing-token-is-refused'] });
  expect(report.conclusion).toBe('does-not-conform');
  expect(brokenIn(report)).toEqual(['auth/missing-token-is-refused']);
});
