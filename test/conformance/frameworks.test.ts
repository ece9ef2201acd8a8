import { checkConformance, type Report } from 'plant-store-contract/conformance';
import { expect, test, vi } from 'vitest';
import { startExpress } from './providers/express.js';
import { startFastify } from './providers/fastify.js';
import { startHono } from './providers/hono.js';
import { startKoa } from './providers/koa.js';
import { startPrismMock } from './providers/prism-mock.js';
import type { Provider } from './providers/provider.js';

const token = 'a-token-of-these-tests';

/** What is wrong with a provider, as rules and as what the report makes of them. */
async function judged(start: (token: string) => Promise<Provider>): Promise<[string[], string[]]> {
  await using provider = await start(token);
  const { rules, findings }: Report = await checkConformance({ baseUrl: provider.url, token });
  return [
    rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id),
    findings.map(({ id }) => id),
  ];
}

test('Express answers malformed JSON with a page of its own, and JSON.parse rounds ids', async () => {
  const [broken, findings] = await judged(startExpress);
  expect(broken).toEqual([
    // express.json() reads with JSON.parse: 2^64 and 30 digits become doubles that Number.isInteger takes.
    'request/id-is-within-int64',
    // By the same rounding, 2^53 + 1 is taken for 2^53, and refused with 409 where that exists.
    'request/ids-are-exact',
    // What express.json() refuses (malformed JSON, a body above 100 kB) goes to Express's error handler: text/html.
    'failure/media-type-is-json',
    // That page is no JSON, and so has neither "error" nor "message".
    'failure/body-is-an-error',
  ]);
  expect(findings).toEqual(['id-through-a-double', 'framework-error-page']);
});

test('Fastify converts types before it looks at them, and its "error" is a text', async () => {
  const [broken, findings] = await judged(startFastify);
  expect(broken).toEqual([
    // Fastify's Ajv has coerceTypes: 'array': 7 becomes "7", null becomes "", ["Aloe"] becomes "Aloe".
    'request/name-is-a-string',
    // The same; { tag: null } is answered with a tag "", which nobody gave it.
    'request/tag-is-a-string',
    // The same the other way round: "7" becomes 7, true becomes 1, [7] becomes 7.
    'request/id-is-an-integer',
    // JSON.parse rounds, and the schema says "integer" without a format: 2^64 is one.
    'request/id-is-within-int64',
    // JSON.parse rounds: 2^53 + 1 is 2^53.
    'request/ids-are-exact',
    // Fastify's own failures are {"statusCode":400,"code":"FST_…","error":"Bad Request","message":"…"}.
    'failure/error-is-an-int32',
  ]);
  expect(findings).toEqual([
    // 7 becomes "7", null becomes "", and ["Aloe"] becomes "Aloe".
    'types-are-converted',
    'id-through-a-double',
    'framework-error-page',
  ]);
});

test('Koa answers what its body parser refuses with a plain text', async () => {
  const [broken, findings] = await judged(startKoa);
  expect(broken).toEqual([
    // @koa/bodyparser reads with JSON.parse, which rounds; Number.isInteger takes 2^64 for an integer.
    'request/id-is-within-int64',
    // By the same rounding, 2^53 + 1 is taken for 2^53.
    'request/ids-are-exact',
    // What the body parser throws, Koa's context.onerror answers as text/plain: "Bad Request".
    'failure/media-type-is-json',
    // That text is no JSON.
    'failure/body-is-an-error',
  ]);
  expect(findings).toEqual(['id-through-a-double', 'framework-error-page']);
});

test('Hono answers malformed JSON with 500, and a wrong token with a plain text', async () => {
  // Hono's error handler prints every exception.
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const [broken, findings] = await judged(startHono);
  printed.mockRestore();
  expect(broken).toEqual([
    // c.req.json() is JSON.parse, which rounds; Number.isInteger takes 2^64 for an integer.
    'request/id-is-within-int64',
    // By the same rounding, 2^53 + 1 is taken for 2^53.
    'request/ids-are-exact',
    // c.req.json() throws a SyntaxError, and null cannot be taken apart: app.onError answers both with 500.
    'failure/refusal-is-4xx',
    // bearerAuth() answers "Unauthorized" and "Bad Request" as text/plain, app.onError "Internal Server Error".
    'failure/media-type-is-json',
    // These texts are no JSON.
    'failure/body-is-an-error',
  ]);
  expect(findings).toEqual(['id-through-a-double', 'unhandled-exception', 'framework-error-page']);
});

test("Prism's mock knows no plant, no token and no failure of the interface's form", async () => {
  const [broken, findings] = await judged(startPrismMock);
  expect(broken).toEqual([
    // It answers every creation with the example that it makes of the schema: {"name":"string","tag":"string"}.
    'success/name-comes-back',
    'success/tag-comes-back',
    'success/texts-come-back',
    // The example has a tag, whether there was one or not.
    'success/absent-tag-stays-absent',
    // It looks whether there is a bearer token, and not at the token.
    'auth/wrong-token-is-refused',
    'auth/near-miss-token-is-refused',
    // It validates format int64 on what JSON.parse has rounded, and takes nothing above 2^53.
    'request/int64-ids-are-accepted',
    // A missing token is answered with 401 as application/problem+json, which is another media type.
    'failure/media-type-is-json',
    // Problem details have no "error" and no "message"; malformed JSON is answered {"error":{"code":…}}.
    'failure/body-is-an-error',
    // There, "error" is an object.
    'failure/error-is-an-int32',
  ]);
  expect(findings).toEqual([
    'answer-is-an-example',
    'token-is-not-verified',
    'id-through-a-double',
    'framework-error-page',
    // {"error":{"code":…,"message":…}}
    'error-is-nested',
  ]);
});
