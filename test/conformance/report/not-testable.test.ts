import type { CheckReport } from 'plant-store-contract/conformance';
import { createPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { brokenIn, checkFetch, token } from '../checks.js';

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

test('a provider that demands Accept is judged with it, and the report says so', async () => {
  const { fetch } = createPlantStore({ token });
  const values = new Set<string | null>();
  const report = await checkFetch((request) => {
    const value = request.headers.get('accept');
    values.add(value);
    if (value !== null) return fetch(request);
    return Response.json({ error: 406, message: 'say what you accept' }, { status: 406 });
  });
  expect(report.conclusion, report.summary).toBe('conforms');
  expect(report.notes.filter((note) => note.includes('Accept'))).toEqual([
    'The provider accepts a plain plant only with the header Accept, which the interface does not ask for. Without it, the response was 406: clients that do not send it, such as net/http in Go, cannot create a plant. So the check added "Accept: application/json" to every request that has no Accept of its own.',
  ]);
  // Rows about Accept keep their own.
  expect(values).toContain('application/xml');
});
