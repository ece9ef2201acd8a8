import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditPact } from 'plant-store-contract/pact';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type PactVerifier,
  readNativeResult,
  startPactVerifier,
} from '../../../src/pact/verification/pact-verifier.js';
import { folderWith } from '../verification/pacts.js';
import { startReader } from '../verification/provider.js';

const JSON_TYPE = 'application/json';
const WITH_CHARSET = 'application/json; charset=utf-8';

/** What conforming providers send. */
const CONFORMING = [JSON_TYPE, WITH_CHARSET];

/** Where a pact says the type of a body: in the header, or in V4 also beside the content. */
interface Types {
  readonly header?: string | undefined;
  readonly body?: string | undefined;
}

const HEADERS = [undefined, JSON_TYPE, WITH_CHARSET, 'text/plain'];
const BODIES = [undefined, JSON_TYPE, WITH_CHARSET];

/** The version, which says its form; the types of the request; those of the response; whether a rule is about its header. */
type Row = readonly [version: string, request: Types, response: Types, ruled?: boolean];

const PLAIN: Types = { header: JSON_TYPE };

function rowsOf(version: string): Row[] {
  const types = HEADERS.flatMap((header) =>
    (version === '4.0' ? BODIES : [undefined]).map((body): Types => ({ header, body })),
  );
  const ruled = types.filter(({ header }) => header !== undefined);
  return [
    ...types.map((request): Row => [version, request, PLAIN]),
    ...types.map((response): Row => [version, PLAIN, response]),
    ...ruled.map((response): Row => [version, PLAIN, response, true]),
  ];
}

function pactOf([version, request, response, ruled = false]: Row, description: string): string {
  const isV4 = version === '4.0';
  const headers = ({ header }: Types) =>
    header === undefined ? {} : { 'Content-Type': isV4 ? [header] : header };
  const body = (content: object, { body: contentType }: Types) =>
    isV4 ? { content, contentType, encoded: false } : content;
  const rule = { match: 'regex', regex: 'application/json.*' };
  const matchingRules =
    version === '2.0.0'
      ? { '$.headers.Content-Type': rule }
      : { header: { 'Content-Type': { matchers: [rule] } } };
  return JSON.stringify({
    consumer: { name: 'shop' },
    provider: { name: 'plant-store' },
    interactions: [
      {
        ...(isV4 && { type: 'Synchronous/HTTP' }),
        description,
        request: {
          method: 'POST',
          path: '/plants',
          headers: { ...headers(request), Authorization: isV4 ? ['Bearer example'] : 'Bearer example' },
          body: body({ name: 'Aloe', id: 7 }, request),
        },
        response: {
          status: 200,
          headers: headers(response),
          body: body({ name: 'Aloe' }, response),
          ...(ruled && { matchingRules }),
        },
      },
    ],
    metadata: { pactSpecification: { version } },
  });
}

let verifier: PactVerifier;
let folder: string;
beforeAll(async () => {
  verifier = startPactVerifier();
  folder = await folderWith({});
});
afterAll(() => verifier.stop());

/** Whether Pact accepts a conforming provider, and what it sends. */
async function withPact(
  pact: string,
): Promise<{ readonly accepts: boolean; readonly sent: string | undefined }> {
  writeFileSync(join(folder, 'pact.json'), pact);
  let [accepts, sent]: [boolean, string | undefined] = [true, undefined];
  for (const type of CONFORMING) {
    await using provider = await startReader(({ headers }, response) => {
      sent = headers['content-type'];
      response.setHeader('content-type', type).end('{"name":"Aloe"}');
    });
    const options = {
      providerBaseUrl: provider.url,
      provider: 'plant-store',
      pactUrls: [join(folder, 'pact.json')],
    };
    const [result] = readNativeResult(await verifier.verify(options, 60_000), [false]).interactions;
    accepts &&= result?.length === 0;
  }
  return { accepts, sent };
}

describe.each(['2.0.0', '3.0.0', '4.0'])('the content types of a pact of version %s', (version) => {
  test.each(rowsOf(version))('%s: request %o, response %o, with a rule: %s', async (...row) => {
    const pact = pactOf(row as unknown as Row, 'a creation');
    const { findings, groups } = auditPact(pact);
    const found = groups[0]?.cases[0]?.evidence ?? [];
    const { accepts, sent } = await withPact(pact);
    const isSentAsJson = sent !== undefined && CONFORMING.includes(sent);
    expect(found.map(({ finding, where }) => `${findings[finding]?.id} ${where}`)).toEqual([
      ...(isSentAsJson ? [] : ['media-type request header "content-type"']),
      ...(accepts ? [] : ['media-type response header "content-type"']),
    ]);
  });
});
