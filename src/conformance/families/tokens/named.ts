import { defineProbe, type ProbeValues, singleRequestProbes } from '../../probe.js';
import { creation, withAuthorization } from '../requests.js';

const unauthorised = singleRequestProbes('rejected', 'wrong-token', 'plain-plant');

/** A plain plant with other Authorization headers, or with none. `TOKEN` and `WRONG` stand for the two tokens. */
function authorizedBy(...credentials: readonly string[]) {
  return (values: ProbeValues) => {
    const filledIn = credentials.map((text) =>
      text.replace('WRONG', values.wrongToken).replace('TOKEN', () => values.token),
    );
    return withAuthorization(creation(values), ...filledIn);
  };
}

/**
 * A plain plant with something that is made of the token, and so is as secret as the token itself.
 *
 * @param make returns `undefined` if the token does not allow it
 * @param shown makes the same in a shell
 */
function derived<const Name extends string>(
  name: Name,
  title: string,
  scheme: string,
  make: (token: string) => string | undefined,
  shown: (token: string) => string,
) {
  return unauthorised(name, title, (values) => {
    const value = make(values.token);
    if (value === undefined) return undefined;
    const secrets = [{ value, shown: shown(values.token) }];
    return { ...withAuthorization(creation(values), `${scheme} ${value}`), secrets };
  });
}

const TOKEN = '"$PLANT_STORE_TOKEN"';
const FLIP_FIRST_LETTER =
  '{ i = match($0, /[A-Za-z]/); c = substr($0, i, 1); ' +
  'print substr($0, 1, i - 1) (c == toupper(c) ? tolower(c) : toupper(c)) substr($0, i + 1) }';

const wrongValues = [
  unauthorised('no-authorization', 'a plain plant without an Authorization header', authorizedBy()),
  unauthorised('wrong-token', 'a plain plant with an unknown token', authorizedBy('Bearer WRONG')),
  derived(
    'longer-token',
    'the right token with two more letters',
    'Bearer',
    // Two letters: a base64 decoder may not see the difference of one. After padding, they would not be part of a token.
    (token) => token.replace(/=*$/, 'xx$&'),
    (token) => (token.endsWith('=') ? `$(printf %s ${TOKEN} | sed 's/=*$/xx&/')` : `$\{PLANT_STORE_TOKEN}xx`),
  ),
  derived(
    'shorter-token',
    'the right token without its last two characters',
    'Bearer',
    // And without padding: for a decoder of base64, a token is the same without it.
    (token) => /^(.+)..$/.exec(token.replace(/=+$/, ''))?.[1],
    () => `$(printf %s ${TOKEN} | sed 's/=*$//; s/..$//')`,
  ),
  derived(
    'token-in-other-case',
    'the right token with one letter in the other case',
    'Bearer',
    withOneLetterInOtherCase,
    () => `$(printf %s ${TOKEN} | awk '${FLIP_FIRST_LETTER}')`,
  ),
  unauthorised('empty-authorization', 'an empty Authorization header', authorizedBy('')),
  unauthorised('scheme-alone', 'the word Bearer without a token', authorizedBy('Bearer')),
  // "Digest" has as many letters as "Bearer": some providers only cut off that many characters.
  unauthorised('digest-with-token', 'the right token with the scheme Digest', authorizedBy('Digest TOKEN')),
  unauthorised('token-and-more', 'the right token with a word after it', authorizedBy('Bearer TOKEN x')),
  derived(
    'basic-with-user',
    'the right token as the user name of the scheme Basic',
    'Basic',
    (token) => Buffer.from(`${token}:`).toString('base64'),
    () => `$(printf %s: ${TOKEN} | base64 | tr -d '\\n')`,
  ),
  unauthorised('bare-token', 'the right token without a scheme', authorizedBy('TOKEN')),
];

/** The token as it is written in a query and in a JSON string. */
const IN_QUERY = `$(printf %s ${TOKEN} | sed 's/%/%25/g; s/+/%2B/g; s,/,%2F,g; s/=/%3D/g; s/&/%26/g; s/#/%23/g')`;
const IN_JSON = `$(printf %s ${TOKEN} | sed 's/[\\\\"]/\\\\&/g')`;

/** Names under which programs look for a token. */
const IN_QUERIES = ['access_token', 'token', 'auth_token', 'api_key', 'apikey', 'key', 'jwt'];
const IN_BODIES = ['access_token', 'token', 'auth_token', 'api_key'];

const wrongPlaces = [
  unauthorised('token-in-query', 'the right token in the query only', (values) => {
    const value = encodeURIComponent(values.token);
    return {
      ...withAuthorization(creation(values)),
      query: `?${IN_QUERIES.map((name) => `${name}=${value}`).join('&')}&authorization=Bearer%20${value}`,
      ...(value !== values.token && { secrets: [{ value, shown: IN_QUERY }] }),
    };
  }),
  unauthorised('token-in-body', 'the right token in the body only', (values) => {
    const value = JSON.stringify(values.token).slice(1, -1);
    const plant = creation(values);
    const text = Buffer.from(plant.body).toString();
    const members = IN_BODIES.map((name) => `"${name}":"${value}"`).join(',');
    return {
      ...withAuthorization(plant),
      body: Buffer.from(text.replace(/\}$/, () => `,${members},"Authorization":"Bearer ${value}"}`)),
      ...(value !== values.token && { secrets: [{ value, shown: IN_JSON }] }),
    };
  }),
];

/** A connection does not say who sends the next request: HTTP is stateless (RFC 9110, section 3.3). */
const usedConnection = defineProbe({
  name: 'no-token-on-used-connection',
  title: 'a plain plant, then one without an Authorization header on the same connection',
  expectation: 'created',
  control: 'plain-plant',
  phase: 'state',
  oneConnection: true,
  requests: (values) => [
    creation(values),
    { ...withAuthorization(creation(values)), expectation: 'rejected' },
  ],
});

const open = singleRequestProbes('open', 'wrong-token', 'plain-plant');

/** The right token in forms about which the interface says nothing. */
const openForms = [
  open('scheme-in-lower-case', 'the right token after "bearer" in lower case', authorizedBy('bearer TOKEN')),
  open('two-spaces', 'the right token after two spaces', authorizedBy('Bearer  TOKEN')),
  open(
    'two-authorizations',
    'the right token and an unknown token, in two headers',
    // A field that is not a list must not come twice (RFC 9110, section 5.3).
    (values) => ({ ...authorizedBy('Bearer TOKEN', 'Bearer WRONG')(values), isWellFormed: false }),
  ),
];

/** Shows whether the provider still accepts the right token after wrong ones. */
const afterwards = defineProbe({
  name: 'plain-plant-after-wrong-tokens',
  title: 'a plain plant with the right token, after wrong tokens',
  expectation: 'open',
  phase: 'afterwards',
  requests: (values) => [creation(values)],
});

/** Missing and wrong tokens, tokens in other places, and open forms of the right token. */
export const named = { wrongValues, wrongPlaces, usedConnection, openForms, afterwards } as const;

function withOneLetterInOtherCase(token: string): string | undefined {
  const at = token.search(/[a-z]/i);
  if (at < 0) return undefined;
  const letter = token[at] ?? '';
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return token.slice(0, at) + other + token.slice(at + 1);
}
