import { readFileSync } from 'node:fs';
import { type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { schemaErrors } from '../../report/formats/schema.js';
import { startInFront } from '../providers/in-front.js';

const token = 'a-token-of-these-tests';

/** A failure as it was received. Fields that belong to the connection are left out. */
interface Failure {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

/** What naive providers and gateways returned for malformed JSON, a wrong type, a wrong token and an unknown path. */
const captured: Readonly<Record<string, readonly Failure[]>> = JSON.parse(
  readFileSync(new URL('default-failures.json', import.meta.url), 'utf8'),
);

/** The report on a provider that is right, but for its responses to malformed JSON and to unknown paths. */
async function reportOn(failures: readonly Failure[]): Promise<CheckReport> {
  let count = 0;
  await using provider = await startInFront({ token }, ({ request, body, response, pass }) => {
    const failure = failures[count % failures.length];
    if ((request.method === 'POST' && isJson(body)) || failure === undefined) return pass();
    count++;
    const fields = [...failure.headers, `Content-Length: ${Buffer.byteLength(failure.body)}`];
    response.writeHead(
      failure.status,
      fields.flatMap((field) => field.split(/: (.*)/, 2)),
    );
    response.end(failure.body);
  });
  // A gateway without a server says 503, for which a check waits as long as it may.
  return await checkConformance({ baseUrl: provider.url, token, prism: false, timeLimitMs: 10_000 });
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString());
    return true;
  } catch {
    return false;
  }
}

function pagesIn({ findings }: CheckReport) {
  return findings.filter(({ id }) => id === 'framework-error-page');
}

describe('the default failures', () => {
  test.each(Object.entries(captured))(
    'of %s name it, in one finding with its recipe',
    async (framework, failures) => {
      const report = await reportOn(failures);
      expect(schemaErrors(report)).toEqual([]);
      const [page, ...more] = pagesIn(report);
      expect(more).toEqual([]);
      expect(page?.cause).toBe(`Failures are the default responses of ${framework}, not Errors.`);
      expect(page?.recipe?.framework).toBe(framework);
      expect(page?.recipe?.code).not.toBe('');
    },
  );
});

const own = '{"code":"bad_request","detail":"The body is not JSON."}';
const html = '<!doctype html><html><body><h1>Bad request</h1></body></html>';

describe('the failures of a provider', () => {
  test.each<[what: string, headers: string[], body: string, status?: number]>([
    [
      'JSON of its own, with the header of Express',
      ['X-Powered-By: Express', 'Content-Type: application/json'],
      own,
    ],
    ['a page of its own behind nginx', ['Server: nginx/1.22.1', 'Content-Type: text/html'], html],
    ['a page of its own behind Apache', ['Server: Apache', 'Content-Type: text/html'], html],
    ['no body behind Caddy', ['Server: Caddy'], ''],
    ['the words of a status', ['Content-Type: text/plain; charset=utf-8'], 'Bad Request'],
    [
      'JSON in the shape of hapi',
      ['Content-Type: application/json; charset=utf-8'],
      '{"statusCode":400,"error":"Bad Request","message":"Invalid request payload JSON format"}',
    ],
    [
      'a message and nothing else, as of AWS',
      ['Content-Type: application/json'],
      '{"message":"Forbidden"}',
      403,
    ],
  ])('are not called those of a framework: %s', async (_, headers, body, status = 400) => {
    const { findings } = await reportOn([{ status, headers, body }]);
    expect(findings.length).toBeGreaterThan(0);
    for (const { cause } of findings) expect(cause ?? '').not.toMatch(/default responses of/);
    const named = findings.flatMap(({ recipe }) => recipe?.framework ?? []);
    // The header of Express shows that it is Express, but not that the body is its own.
    expect(new Set(named)).toEqual(
      new Set(headers.some((field) => field.startsWith('X-Powered-By')) ? named : []),
    );
  });
});
