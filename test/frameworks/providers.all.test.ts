import { checkConformance } from 'plant-store-contract/conformance';
import { expect, test, vi } from 'vitest';
import { isBroken } from '../../src/report/conclusion.js';
import { createHono, startHono } from './hono.js';
import { startPrismMock } from './prism-mock.js';

const token = 'a-token-of-these-tests';

test('a Hono application breaks the same rules without a port as over one', async () => {
  // It writes every exception to the console.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const brokenBy = async (options: Parameters<typeof checkConformance>[0]): Promise<string[]> => {
    const { rules } = await checkConformance({ ...options, prism: false });
    return rules.filter(isBroken).map(({ id }) => id);
  };
  await using provider = await startHono(token);
  const overPort = await brokenBy({ baseUrl: provider.url, token });
  expect(overPort).toContain('request/ids-are-exact');
  const { fetch } = createHono(token, '/api');
  expect(await brokenBy({ baseUrl: 'http://localhost/api', token, fetch })).toEqual(overPort);
});

test("Prism's mock returns examples, does not verify tokens, and has other failures", async () => {
  await using provider = await startPrismMock();
  const { rules, findings } = await checkConformance({ baseUrl: provider.url, token });
  expect(rules.filter(isBroken).map(({ id }) => id)).toEqual([
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
    'request/negative-ids-are-treated-alike',
    // Malformed JSON returns {"error":{"code":…}}, without a "message".
    'failure/body-is-an-error',
    // There, "error" is an object.
    'failure/error-is-an-int32',
    // A missing token returns 401 as application/problem+json, which is another media type.
    'failure/other-4xx-is-json',
    // Problem details have no "error" and no "message".
    'failure/other-4xx-is-an-error',
  ]);
  expect(findings.map(({ id }) => id)).toEqual([
    'response-is-an-example',
    'id-through-a-double',
    'token-is-not-verified',
    // {"error":{"code":…,"message":…}}
    'error-is-nested',
    // Of a 401: a warning, and these come last.
    'framework-error-page',
  ]);
});
