import { auditPact } from 'plant-store-contract/pact';
import { expect, test } from 'vitest';
import { verify } from '../../../src/pact/verification/verify.js';
import { casesOf } from '../../../src/report/frame.js';
import { folderWith } from '../../folder.js';
import { isPlain, startReader } from '../verification/provider.js';
import { type InteractionPatch, type MessagePatch, matchers, pactOf, problemsIn } from './one-interaction.js';

const JSON_TYPE = 'application/json';
const WITH_CHARSET = 'application/json; charset=utf-8';

/** What conforming providers send. */
const CONFORMING = [JSON_TYPE, WITH_CHARSET];

/** Where a pact says the type of a body: in the header, or in V4 also beside the content. */
interface Types {
  readonly header?: string;
  readonly body?: string;
}

const IN_HEADERS: readonly Types[] = [
  {},
  { header: JSON_TYPE },
  { header: WITH_CHARSET },
  { header: 'text/plain' },
];
const IN_BOTH: readonly Types[] = [
  ...[{ body: JSON_TYPE }, { body: WITH_CHARSET }],
  ...[
    { header: JSON_TYPE, body: WITH_CHARSET },
    { header: WITH_CHARSET, body: JSON_TYPE },
  ],
];

const RULE = { match: 'regex', regex: 'application/json.*' };
const EXACT = { match: 'regex', regex: '^application/json$' };
const RULES = {
  '2.0.0': { '$.headers.Content-Type': RULE },
  '4.0': { header: { 'Content-Type': matchers(RULE) } },
} as const;

function messageOf(version: keyof typeof RULES, { header, body }: Types, content: object): MessagePatch {
  const isV4 = version === '4.0';
  return {
    headers: { 'Content-Type': header },
    body: isV4 ? { content: { ...content }, contentType: body, encoded: false } : { ...content },
  };
}

const ROWS = (['2.0.0', '4.0'] as const).flatMap((version) =>
  [...IN_HEADERS, ...(version === '4.0' ? IN_BOTH : [])].flatMap((types): [string, InteractionPatch][] => {
    const request = messageOf(version, types, { name: 'Aloe', id: 7 });
    const response = messageOf(version, types, { name: 'Aloe' });
    const named = `V${version[0]}, ${JSON.stringify(types)}`;
    return [
      [`${named} for the request`, { version, request }],
      [`${named} for the response`, { version, response }],
      [
        `${named} for the response, with a rule`,
        { version, response: { ...response, matchingRules: RULES[version] } },
      ],
    ];
  }),
);
ROWS.push([
  'V2, a pattern without a charset',
  {
    version: '2.0.0',
    response: { headers: { 'Content-Type': JSON_TYPE }, matchingRules: { '$.headers.Content-Type': EXACT } },
  },
]);

/**
 * Verifies all pacts against conforming providers, which send each type.
 *
 * @returns for each pact, whether Pact accepts them all, and the type that it sends
 */
async function verifiedWith(pacts: readonly string[]) {
  const names = pacts.map((_, at) => `${String(at).padStart(3, '0')}.json`);
  const folder = folderWith(Object.fromEntries(names.map((name, at) => [name, pacts[at] ?? ''])));
  const runs = CONFORMING.map(async (type) => {
    const sent: (string | undefined)[] = [];
    await using provider = await startReader(({ headers }, response, body) => {
      if (!isPlain(body)) sent.push(headers['content-type']);
      response.setHeader('content-type', type).end('{"name":"Aloe"}');
    });
    const report = await verify({ baseUrl: provider.url, token: 'secret', pacts: [folder] });
    return { sent, verdicts: casesOf(report).map(({ verdict }) => verdict) };
  });
  const ran = await Promise.all(runs);
  return pacts.map((_, at) => ({
    accepts: ran.every(({ verdicts }) => verdicts[at] === 'pass'),
    sent: ran[0]?.sent[at],
  }));
}

test('an audit and Pact see the same content types', async () => {
  const pacts = ROWS.map(([, patch]) => pactOf(patch));
  const seen = await verifiedWith(pacts);
  const audited = pacts.map((pact) => problemsIn(auditPact(pact)));
  const expected = seen.map(({ accepts, sent }) => [
    ...(sent !== undefined && CONFORMING.includes(sent) ? [] : ['media-type request header "content-type"']),
    ...(accepts ? [] : ['media-type response header "content-type"']),
  ]);
  const named = (all: readonly string[][]) => ROWS.map(([name], at) => [name, all[at]]);
  expect(named(audited)).toEqual(named(expected));
});
