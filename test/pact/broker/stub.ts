import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startReader } from '../verification/provider.js';

/** A request to a broker and its response, as recorded. */
interface Recorded {
  readonly request: { readonly method: string; readonly target: string; readonly body?: object };
  readonly response: { readonly status: number; readonly body: Readonly<Record<string, unknown>> };
}

const read = (file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));

/** The provider, and the two consumers of the recording. They have the same pact, the one of the reference client. */
export const PROVIDER = 'plant-store-x';
const CONSUMERS = ['flower-shop', 'garden-app'] as const;
const { interactions: shipped } = read('../../../pacts/plant-store-client-plant-store.json');

/**
 * The requests that Pact's verifier sent to a real broker, Pact Broker 2.112.0, and its responses, in order: two consumers
 * of one provider, pending pacts, a branch, and the publication of results. Left out are links that nothing follows,
 * headers, and a list that nothing reads. Of the interactions of the pact there are the ids, and the pact of flower-shop is made from that of garden-app.
 */
export const recorded: readonly Recorded[] = read('./pact-broker-2.112.json').flatMap((one: Recorded) => {
  const { interactions: ids } = one.response.body;
  if (!Array.isArray(ids)) return [one];
  const interactions = ids.map((id, at) => ({ ...shipped[at], _id: id }));
  const whole = { ...one, response: { ...one.response, body: { ...one.response.body, interactions } } };
  const other = JSON.stringify(whole)
    .replaceAll('garden-app', 'flower-shop')
    .replaceAll(metadata(38), metadata(39));
  return [JSON.parse(other), whole];
});

/** What the address of a pact says about the selectors and about the version of its consumer. */
function metadata(version: number): string {
  const consumer = `s[][l]=true&s[][cv]=${version}`;
  return Buffer.from(`s[][b]=main&${consumer}&${consumer}&p=true`).toString('base64url');
}

function find(method: string, ending: RegExp): Recorded {
  const found = recorded.find(({ request }) => request.method === method && ending.test(request.target));
  if (found === undefined) throw new Error(`no ${method} ${ending} is recorded`);
  return found;
}

/** The path of the pact of garden-app. */
export const pactPath = find('GET', /\/consumer\/garden-app\/pact-version\//).request.target;

/** A request that the stub received. */
interface BrokerCall {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** How a pact differs from the recorded ones. */
export interface StubbedPact {
  readonly consumer?: string;
  /** The JSON of its interactions, or of a whole pact. Default: the recorded interactions. */
  readonly interactions?: string;
  readonly pact?: string;
  /** Default true, as recorded. */
  readonly pending?: boolean;
  readonly wip?: boolean;
}

/** Answers a request instead of the recording. `false`: the recording answers. */
type Override = (request: IncomingMessage, response: ServerResponse, body: string) => boolean;

/** What the stub returns. */
export interface BrokerStub {
  /** The pacts with the provider. Default: the two recorded ones. */
  readonly pacts?: readonly StubbedPact[];
  readonly override?: Override | undefined;
}

const index = find('GET', /^\/$/);
const question = find('GET', /\/for-verification$/);
const list = find('POST', /\/for-verification$/);
/** The recorded pact of a consumer; of another consumer, that of garden-app. */
const pactOf = ({ consumer = '' }: StubbedPact): Recorded =>
  find('GET', new RegExp(`/consumer/${isRecorded(consumer) ? consumer : 'garden-app'}/pact-version/`));
const isRecorded = (consumer: string): boolean => CONSUMERS.some((one) => one === consumer);
const provider = find('GET', /^\/pacticipants\/[^/]+$/);
const branch = find('PUT', /\/branches\/main\/versions\/1$/);
const results = find('POST', /\/consumer\/garden-app\/.*\/verification-results$/);

/**
 * A stub of the protocol of a Pact broker. It answers with what Pact Broker 2.112.0 answered, and records the requests. It
 * does not choose pacts: its options say which there are. What was not recorded gets the 404 of that broker.
 */
export async function startBroker(stub: BrokerStub = {}) {
  const { pacts = CONSUMERS.map((consumer) => ({ consumer })), override = () => false } = stub;
  const calls: BrokerCall[] = [];
  const server = await startReader((request, response, bytes) => {
    const { method = '', url: target = '', headers } = request;
    const body = bytes.toString();
    calls.push({ method, target, headers, body: body === '' ? undefined : JSON.parse(body) });
    if (override(request, response, body)) return;
    const { status, text } = answerTo(method, target, pacts);
    response
      .writeHead(status, { 'content-type': 'application/hal+json;charset=utf-8' })
      .end(text.replaceAll('http://broker', `http://${headers.host}`));
  });
  return { ...server, calls, results: () => publishedIn(calls) };
}

/** The published results, by consumer. */
function publishedIn(calls: readonly BrokerCall[]): Record<string, PublishedBody> {
  const posts = calls.filter(
    ({ method, target }) => method === 'POST' && target.endsWith('/verification-results'),
  );
  return Object.fromEntries(
    posts.map(({ target, body }) => [/\/consumer\/([^/]+)\//.exec(target)?.[1] ?? '', body as PublishedBody]),
  );
}

/** The body of a published result. */
export interface PublishedBody {
  readonly success: boolean;
  readonly providerApplicationVersion: string;
  readonly buildUrl?: string;
  readonly testResults: readonly { readonly interactionId: string; readonly success: boolean }[];
}

function answerTo(method: string, target: string, pacts: readonly StubbedPact[]) {
  const json = ({ response }: Recorded, body: unknown = response.body) => ({
    status: response.status,
    text: JSON.stringify(body),
  });
  if (method === 'GET' && (target === '/' || target === '')) return json(index);
  const isList = target === `/pacts/provider/${PROVIDER}/for-verification`;
  if (method === 'GET' && isList) return json(question);
  if (method === 'POST' && isList)
    return json(list, { ...list.response.body, _embedded: { pacts: pacts.map(listed) } });
  if (method === 'GET' && target === `/pacticipants/${PROVIDER}`) return json(provider);
  if (method === 'PUT' && target.startsWith(`/pacticipants/${PROVIDER}/branches/`)) return json(branch);
  const which = pacts.find((one) => target.startsWith(pathOf(one)));
  if (which !== undefined && method === 'GET' && target === pathOf(which))
    return { status: 200, text: textOf(which) };
  if (which !== undefined && method === 'POST' && target === `${pathOf(which)}/verification-results`)
    return { status: results.response.status, text: as(which, JSON.stringify(results.response.body)) };
  const missing = /^\/pacts\/provider\/([^/]+)\//.exec(target)?.[1] ?? target;
  return { status: 404, text: JSON.stringify({ error: `No provider with name '${missing}' found` }) };
}

/** The target of a pact. */
function pathOf(one: StubbedPact): string {
  return as(one, pactOf(one).request.target);
}

/** A recorded text, as that of another consumer. */
function as({ consumer = 'garden-app' }: StubbedPact, text: string): string {
  return isRecorded(consumer) ? text : text.replaceAll('garden-app', consumer);
}

/** A pact in the list of pacts to verify. */
function listed(one: StubbedPact): object {
  const { pacts } = list.response.body._embedded as { pacts: readonly object[] };
  const { pending = true, wip, consumer = '' } = one;
  const name = isRecorded(consumer) ? consumer : 'garden-app';
  const entry = pacts.find((each) => JSON.stringify(each).includes(name));
  const { verificationProperties, ...rest } = JSON.parse(as(one, JSON.stringify(entry)));
  return { ...rest, verificationProperties: { ...verificationProperties, pending, ...(wip && { wip }) } };
}

/** A pact as the broker returns it. The numbers of its interactions stay exact. */
function textOf(one: StubbedPact): string {
  const { interactions, pact: whole } = one;
  const { interactions: usual, _links, ...rest } = pactOf(one).response.body;
  if (whole !== undefined)
    return `${whole.trimEnd().replace(/\}$/, '')},"_links":${as(one, JSON.stringify(_links))}}`;
  const links = as(one, JSON.stringify({ ...rest, _links }));
  const ids = withIds(interactions ?? JSON.stringify(usual));
  return `{"interactions":${ids},${links.slice(1)}`;
}

/** The broker gives each interaction an id. */
function withIds(interactions: string): string {
  let next = 0;
  return interactions.replaceAll('{"description":', () => `{"_id":"id-${++next}","description":`);
}
