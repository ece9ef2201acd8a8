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
const NOTICES = [
  { when: 'before_verification', text: 'The pact at http://a is verified\\n  * one\n* two' },
  { when: 'after_verification:success_true_published_true', text: '\u001b[31m::error::' },
  { when: null, text: 7 },
  { text: '' },
  null,
];
const STATUSES = [200, 200, 200, 200, 200, 200, 201, 204, 301, 302, 400, 401, 404, 409, 500];
const ERRORS = [
  { error: 'not found' },
  { errors: { name: ['is wrong', { deep: 'is too' }] } },
  { errors: [`the token ${TOKEN} is unknown`, null, 7] },
  { error: { message: '\u001b[2J##[error]', reference: 'a\nb' } },
];
const CODINGS = ['gzip', 'identity', 'br', 'x', 'deflate, gzip', ''];
const LOCATIONS = [
  '/other',
  `${ORIGIN}/other`,
  'http://elsewhere.test/',
  'https://elsewhere.test/a',
  'ftp://a',
  'http://[',
  '\u0007',
];

/**
 * What a Pact broker responds with, from the index to the results. It gives pacts of the broker, or one sentence; it never asks
 * a server that no redirect named, nor without an end, and never shows the token.
 *
 * @type {import('../run.mjs').Reader}
 */
export const broker = {
  title: 'responses of a broker',
  async prepare(load) {
    const { fetchPacts } = await load('pact/broker/pacts.js');
    const { PactServer } = await load('pact/broker/pact-server.js');
    const { publishVerdicts } = await load('pact/verification/publish.js');
    const publication = { version: '1', branch: 'main' };
    const interactions = [{ brokerId: 'a', verdict: 'pass', mismatches: [], violations: [] }];
    return {
      input: (random) => Array.from({ length: 5 }, () => responseFrom(random)),
      async check(responses) {
        /** @type {URL[]} */
        const asked = [];
        /** @type {Set<string>} */
        const named = new Set([ORIGIN]);
        const { send } = PactServer.prototype;
        // No connections: a million of them would take hours.
        PactServer.prototype.send = async (/** @type {string} */ _method, /** @type {URL} */ url) => {
          must(named.has(url.origin), () => `asks ${url.href}`);
          must(asked.push(url) <= MOST_REQUESTS, () => 'asks without an end');
          const response = responses[(asked.length - 1) % responses.length];
          const { location } = response.headers;
          if (location !== undefined && URL.canParse(location, url.href))
            named.add(new URL(location, url).origin);
          return response;
        };
        try {
          const pacts = await fetchPacts({ url: ORIGIN }, 'plant store', { token: TOKEN, timeoutMs: 1_000 });
          must(pacts.length > 0, () => 'no pact');
          for (const one of pacts) {
            must(new URL(one.where).origin === ORIGIN || named.size > 1, () => `a pact of ${one.where}`);
            must(typeof one.text === 'string', () => 'a pact without text');
            for (const { text } of one.notices ?? [])
              must(!/[\r\n]/.test(text), () => `a notice of two lines: ${text}`);
            const judged = [{ source: one, interactions, errors: [] }];
            const [{ why = '' }] = await publishVerdicts(judged, publication, String);
            must(!why.includes(TOKEN), () => 'the token is in a message');
          }
          return 'accepted';
        } catch (cause) {
          const sentence = sentenceOf(cause);
          must(!sentence.includes(TOKEN), () => 'the token is in a message');
          return 'rejected';
        } finally {
          PactServer.prototype.send = send;
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
        notices: some(3, random, () => one(NOTICES, random)),
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
    headers: {
      ...(random() < flaw && { 'content-encoding': one(CODINGS, random) }),
      ...(status > 300 && status < 400 && random() < 0.9 && { location: one(LOCATIONS, random) }),
    },
    body: change < 0.95 ? Buffer.from(text) : mutated(text, random),
  };
}
