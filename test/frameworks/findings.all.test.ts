import { type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { expect, test, vi } from 'vitest';
import { isBroken } from '../../src/report/conclusion.js';
import type { Provider } from '../conformance/providers/provider.js';
import { startExpress } from './express.js';
import { startFastify } from './fastify.js';
import { startHono } from './hono.js';
import { startKoa } from './koa.js';
import { startPrismMock } from './prism-mock.js';

const token = 'a-token-of-these-tests';

/** The rules that a provider breaks, and the findings of the report. */
async function judged(start: (token: string) => Promise<Provider>): Promise<[string[], string[]]> {
  await using provider = await start(token);
  const { rules, findings }: CheckReport = await checkConformance({ baseUrl: provider.url, token });
  return [rules.filter(isBroken).map(({ id }) => id), findings.map(({ id }) => id)];
}

test('Express returns its own page for malformed JSON, and JSON.parse rounds ids', async () => {
  const [broken, findings] = await judged(startExpress);
  expect(broken).toEqual([
    // express.json() reads with JSON.parse: 2^64 and 30 digits become doubles, and Number.isInteger accepts them.
    'request/id-is-within-int64',
    // The same rounding makes 2^53 + 1 the duplicate of 2^53, which is rejected with 409.
    'request/ids-are-exact',
    // If express.json() rejects a body (malformed JSON, above 100 kB), Express's error handler responds with text/html.
    'failure/media-type-is-json',
    // That page is not JSON, so it has neither "error" nor "message".
    'failure/body-is-an-error',
  ]);
  expect(findings).toEqual(['id-through-a-double', 'framework-error-page']);
});

test('Fastify converts types before it validates them, and its "error" is a string', async () => {
  const [broken, findings] = await judged(startFastify);
  expect(broken).toEqual([
    // Fastify's Ajv has coerceTypes: 'array': 7 becomes "7", null becomes "", ["Aloe"] becomes "Aloe".
    'request/name-is-a-string',
    'request/tag-is-a-string',
    // null becomes "" there, too.
    'request/null-tag-is-refused',
    // The same in the other direction: "7" becomes 7, true becomes 1, [7] becomes 7.
    'request/id-is-an-integer',
    // JSON.parse rounds, and the schema says "integer" without a format: 2^64 is an integer.
    'request/id-is-within-int64',
    // JSON.parse rounds: 2^53 + 1 becomes 2^53.
    'request/ids-are-exact',
    // Fastify's own failures are {"statusCode":400,"code":"FST_…","error":"Bad Request","message":"…"}.
    'failure/error-is-an-int32',
    // {"statusCode":415,"code":"FST_…","error":"Unsupported Media Type","message":"…"}
    'failure/other-4xx-is-an-error',
  ]);
  expect(findings).toEqual([
    'id-through-a-double',
    // 7 becomes "7", null becomes "", and ["Aloe"] becomes "Aloe".
    'types-are-converted',
    'framework-error-page',
  ]);
});

test('Koa returns plain text if its body parser rejects the body', async () => {
  const [broken, findings] = await judged(startKoa);
  expect(broken).toEqual([
    // @koa/bodyparser reads with JSON.parse, which rounds; Number.isInteger accepts 2^64.
    'request/id-is-within-int64',
    // By the same rounding, 2^53 + 1 becomes 2^53.
    'request/ids-are-exact',
    // If the body parser throws, Koa's context.onerror responds with text/plain: "Bad Request".
    'failure/media-type-is-json',
    // That text is not JSON.
    'failure/body-is-an-error',
  ]);
  expect(findings).toEqual(['id-through-a-double', 'framework-error-page']);
});

test('Hono returns 500 for malformed JSON, and plain text for a wrong token', async () => {
  // Hono's error handler prints every exception.
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const [broken, findings] = await judged(startHono);
  printed.mockRestore();
  expect(broken).toEqual([
    // c.req.json() is JSON.parse, which rounds; Number.isInteger accepts 2^64.
    'request/id-is-within-int64',
    // By the same rounding, 2^53 + 1 becomes 2^53.
    'request/ids-are-exact',
    // c.req.json() throws a SyntaxError, and null has no members: app.onError responds to both with 500.
    'failure/refusal-is-4xx',
    'failure/rare-input-is-answered',
    // bearerAuth() responds with text/plain: "Bad Request" to a malformed header, and "Unauthorized" to a wrong token.
    'failure/media-type-is-json',
    // These texts are not JSON.
    'failure/body-is-an-error',
    'failure/other-4xx-is-json',
    'failure/other-4xx-is-an-error',
  ]);
  expect(findings).toEqual([
    ...['id-through-a-double', 'framework-error-page'],
    ...['failure/refusal-is-4xx', 'failure/rare-input-is-answered'],
  ]);
});

test("Prism's mock returns examples, does not verify tokens, and has other failures", async () => {
  const [broken, findings] = await judged(startPrismMock);
  expect(broken).toEqual([
    // It responds to every creation with the example that it makes from the schema: {"name":"string","tag":"string"}.
    'success/name-comes-back',
    'success/tag-comes-back',
    'success/texts-come-back',
    // The example always has a tag.
    'success/absent-tag-stays-absent',
    // It checks that there is a bearer token, but not which one.
    'auth/wrong-token-is-refused',
    'auth/near-miss-token-is-refused',
    'auth/percent-encoded-token-is-refused',
    // It validates the format int64 after JSON.parse has rounded, and accepts nothing above 2^53.
    'request/int64-ids-are-accepted',
    // Malformed JSON returns {"error":{"code":…}}, without a "message".
    'failure/body-is-an-error',
    // There, "error" is an object.
    'failure/error-is-an-int32',
    // A missing token returns 401 as application/problem+json, which is another media type.
    'failure/other-4xx-is-json',
    // Problem details have no "error" and no "message".
    'failure/other-4xx-is-an-error',
  ]);
  expect(findings).toEqual([
    'response-is-an-example',
    'id-through-a-double',
    'token-is-not-verified',
    // {"error":{"code":…,"message":…}}
    'error-is-nested',
    // Of a 401: a warning, and these come last.
    'framework-error-page',
  ]);
});
