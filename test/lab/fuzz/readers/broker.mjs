// @ts-check
import { mutated } from '../../torture/mutate.mjs';
import { one, some, sometimes } from '../inputs/pick.mjs';
import { must, sentenceOf } from '../run.mjs';

/** @typedef {import('../run.mjs').Random} Random */

const ORIGIN = 'http://broker.test';
const TOKEN = 'a-token-of-the-fuzzer';
const MOST_REQUESTS = 40;
const HREFS = [
  ...[
    `${ORIGIN}/pact`,
    '/pact',
    'pact?a={b}',
    `${ORIGIN}/{provider}/{version}/{branch}`,
    '//broker.test/a',
    '?a',
    '',
  ],
  ...[
    'http://elsewhere.test/',
    'https://broker.test/',
    'file:///etc/passwd',
    'javascript:1',
    '//elsewhere.test',
    'http://[',
    `http://${TOKEN}@broker.test/`,
  ],
];
const NAMES = ['shop', '', '\u0007', 'a'.repeat(5_000), '__proto__'];
const RELATIONS = [
  'self',
  'pb:provider-pacts-for-verification',
  'pb:consumer',
  'pb:consumer-version',
  'pb:consumer-versions',
  'pb:provider',
  'pb:branch-version',
  'pb:publish-verification-results',
];
const STATUSES = [200, 200, 200, 200, 200, 200, 201, 204, 301, 302, 400, 401, 404, 409, 500];
const ERRORS = [
  { error: 'not found' },
  { errors: { name: ['is wrong', { deep: 'is too' }] } },
  { errors: [`the token ${TOKEN} is unknown`, null, 7] },
  { error: { message: '\u001b[2J##[error]', reference: 'a\nb' } },
];
/**
 * What a Pact broker responds with, from the index to the results. It gives pacts, or one sentence; only the broker gets
 * requests, but not without an end, and no message shows the token.
 *
 * @type {import('../run.mjs').Reader}
 */
export const broker = {
  title: 'responses of a broker',
  async prepare(load) {
    const { PactServers } = await load('pact/broker/broker.js');
    const { publishVerdicts } = await load('pact/broker/publish.js');
    const publication = { version: '1', branch: 'main' };
    const interactions = [{ brokerId: 'a', verdict: 'pass', mismatches: [], violations: [] }];
    const redact = (/** @type {string} */ text) => text.replaceAll(TOKEN, '[token]');
    return {
      input: (random) => Array.from({ length: 5 }, () => responseFrom(random)),
      async check(responses) {
        let asked = 0;
        const { fetch } = globalThis;
        // No connections: a million of them would take hours.
        globalThis.fetch = async (input) => {
          const url = new URL(String(input));
          must(url.origin === ORIGIN, () => `asks ${url.href}`);
          must(asked++ <= MOST_REQUESTS, () => 'asks without an end');
          const { status, body } = responses[(asked - 1) % responses.length];
          const isEmpty = [204, 301, 302].includes(status);
          return new Response(isEmpty ? null : body, { status });
        };
        try {
          const servers = new PactServers({ url: ORIGIN, token: TOKEN }, redact);
          const pacts = await servers.pactsFor('plant store');
          must(pacts.length > 0, () => 'no pact');
          for (const source of pacts) {
            must(typeof source.text === 'string', () => 'a pact without text');
            const judged = [{ source, interactions, errors: [] }];
            const [{ why = '' }] = await publishVerdicts(judged, publication, servers, { message: redact });
            must(!why.includes(TOKEN), () => 'the token is in a message');
          }
          return 'accepted';
        } catch (cause) {
          const sentence = sentenceOf(cause);
          must(!sentence.includes(TOKEN), () => 'the token is in a message');
          return 'rejected';
        } finally {
          globalThis.fetch = fetch;
        }
      },
    };
  },
};

/**
 * One response: nearly always a document that would do, in one of its members or its bytes wrong.
 *
 * @param {Random} random
 */
function responseFrom(random) {
  const flaw = random() < 0.3 ? 0.2 : 0.01;
  const link = (/** @type {string} */ relation) => {
    const href = sometimes(
      flaw,
      random,
      () => one(HREFS.slice(0, 7), random),
      () => one(HREFS, random),
    );
    const name = sometimes(
      flaw,
      random,
      () => 'shop',
      () => one(NAMES, random),
    );
    const usual = () => (relation === 'pb:consumer-versions' ? [{ href, name }, null] : { href, name });
    return sometimes(flaw, random, usual, () =>
      one([null, [], 'a', { href: 7 }, { href, name: {} }], random),
    );
  };
  const links = Object.fromEntries(
    RELATIONS.filter(() => random() > flaw).map((relation) => [relation, link(relation)]),
  );
  const listed = () => ({
    _links: { self: link('self') },
    verificationProperties: sometimes(
      flaw,
      random,
      () => ({
        pending: random() < 0.5,
        wip: random() < 0.3,
      }),
      () => null,
    ),
  });
  const document = {
    consumer: { name: 'shop' },
    provider: { name: 'plant store' },
    interactions: [],
    _links: sometimes(
      flaw,
      random,
      () => links,
      () => null,
    ),
    _embedded: sometimes(
      flaw,
      random,
      () => ({
        pacts: some(3, random, listed),
        branchVersions: some(2, random, () => ({ name: one(NAMES, random) })),
      }),
      () => one([null, [], { pacts: {} }, { pacts: [null], branchVersions: 7 }], random),
    ),
  };
  const status = random() < 0.85 ? 200 : one(STATUSES, random);
  const text = JSON.stringify(status < 400 || random() < 0.2 ? document : one(ERRORS, random));
  const change = random();
  return {
    status,
    body: change < 0.95 ? Buffer.from(text) : mutated(text, random),
  };
}
