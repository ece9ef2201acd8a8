import type { ProbeDraft, RequestDraft } from '../draft.js';
import { type Credentials, requestBy, unauthorised } from './unauthorised.js';

export const NO_ACCESS = 'auth/other-fields-give-no-access';

type Headers = NonNullable<RequestDraft['headers']>;

/** The same value in several header fields. */
function each(value: string, ...names: readonly string[]): Headers {
  return names.map((name) => [name, value] as const);
}

/** Fields of a client that is on the same machine. */
export const LOCAL_ADDRESS: Headers = [
  ...each('127.0.0.1', 'X-Forwarded-For', 'X-Real-IP', 'X-Client-IP', 'True-Client-IP', 'CF-Connecting-IP'),
  ...each('127.0.0.1', 'X-Originating-IP', 'X-Remote-IP', 'X-Remote-Addr', 'X-Cluster-Client-IP'),
  ...each('localhost', 'X-Forwarded-Host', 'X-Host', 'X-Forwarded-Server'),
  ['Forwarded', 'for=127.0.0.1;host=localhost;proto=https'],
];

/** Fields in which gateways tell a provider who the client is. */
export const USER: Headers = [
  ...each('admin', 'X-Forwarded-User', 'X-Remote-User', 'Remote-User', 'X-User', 'X-Username', 'X-Role'),
  ...each('admin', 'X-Auth-Request-User', 'X-Authenticated-User', 'X-Webauth-User', 'X-Consumer-Username'),
  ...each('admin@example.com', 'X-Forwarded-Email', 'X-Auth-Request-Email', 'X-User-Email'),
  ...each('1', 'X-User-Id', 'X-Authenticated-Userid', 'X-Account-Id', 'X-Client-Id', 'X-Tenant-Id'),
  ...each('true', 'X-Authenticated', 'X-Admin', 'X-Internal', 'X-Internal-Request', 'X-Debug', 'X-Test'),
  ['User-Agent', 'kube-probe/1.31'],
];

/** Fields in which gateways ask an authentication service about the original request. */
export const ORIGINAL_REQUEST: Headers = [
  ...each('/health', 'X-Forwarded-Uri', 'X-Forwarded-Path', 'X-Original-Uri', 'X-Auth-Request-Redirect'),
  ...each('OPTIONS', 'X-Forwarded-Method', 'X-Original-Method'),
];

/** Fields with which some frameworks choose another route. */
const OTHER_URL: Headers = each('/health', 'X-Original-URL', 'X-Rewrite-URL');
const OTHER_METHOD: Headers = each('OPTIONS', 'X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override');

export const PREFLIGHT: Headers = [
  ['Origin', 'https://plants.example'],
  ['Access-Control-Request-Method', 'POST'],
  ['Access-Control-Request-Headers', 'authorization, content-type'],
];

/** What a browser accepts if a user enters a URL. */
export const ACCEPTS_PAGES: Headers[number] = [
  'Accept',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
];

/** Paths that are often open to everyone, in a query. */
const OPEN_PATHS = '?next=/login&file=/public/plants.css&path=/health';

function without(name: string, title: string, credentials: Credentials): ProbeDraft {
  const draft = unauthorised(`tokens/none-${name}`, title, NO_ACCESS, credentials);
  return { ...draft, title: `a plain plant without an Authorization header, ${title}` };
}

/** A provider may refuse chunks in its own way. Only that it accepts the plant is wrong. */
const inChunks: ProbeDraft = {
  ...unauthorised('tokens/none-in-chunks', '', 'auth/missing-token-is-refused', {}),
  title: 'a plain plant in chunks, without an Authorization header',
  requests: [{ ...requestBy({}), chunked: true, expectation: 'open' }],
};

/** No token at all, and other fields because of which a gateway or a framework may not ask for one. */
export const withoutToken: readonly ProbeDraft[] = [
  without('from-a-user', 'with the name of a user in other headers', { fields: USER }),
  without('from-this-host', 'with forwarding headers of a client on the same machine', {
    fields: LOCAL_ADDRESS,
  }),
  without('for-an-open-path', 'with forwarding headers that name another path and method', {
    fields: ORIGINAL_REQUEST,
  }),
  without('with-another-url', 'with headers that ask for another path', { fields: OTHER_URL }),
  without('with-another-method', 'with headers that ask for another method', { fields: OTHER_METHOD }),
  without('like-a-preflight', 'with the headers of a CORS preflight', { fields: PREFLIGHT }),
  without('with-open-paths-in-query', 'with open paths in the query', { query: OPEN_PATHS }),
  without('from-a-browser', 'with a charset, from a browser that shows a page', {
    fields: [ACCEPTS_PAGES],
    mediaType: 'application/json; charset=utf-8',
  }),
  inChunks,
];

/** With these, a provider may respond as another operation. A plant that is created shows that it did not. */
export const REROUTED: readonly string[] = [
  'tokens/none-with-another-url',
  'tokens/none-with-another-method',
];
