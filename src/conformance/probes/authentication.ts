import type { ProbeRequest } from '../exchange.js';
import { defineProbe, type Probe, type ProbeMaterial } from '../probe.js';
import { creation, withAuthorization } from './requests.js';
import { PLAIN_PLANT } from './valid.js';

/** A plain plant whose token is missing, wrong, or in the wrong place. */
function unauthorised(
  name: string,
  title: string,
  request: (plant: ProbeRequest, material: ProbeMaterial) => ProbeRequest | undefined,
): Probe {
  return defineProbe({
    name,
    title,
    expectation: 'refused',
    control: PLAIN_PLANT,
    phase: 'wrong-token',
    requests(material) {
      const made = request(creation(material), material);
      return made === undefined ? [] : [made];
    },
  });
}

function withValue(name: string, title: string, value: (material: ProbeMaterial) => string): Probe {
  return unauthorised(name, title, (plant, material) => withAuthorization(plant, value(material)));
}

/** The same with something made of the token, which is as secret as the token itself. */
function withMade(
  name: string,
  title: string,
  before: string,
  make: (token: string) => string | undefined,
  shell: string,
): Probe {
  return unauthorised(name, title, (plant, { token }) => {
    const value = make(token);
    if (value === undefined) return undefined;
    return { ...withAuthorization(plant, before + value), secrets: [{ value, shell }] };
  });
}

const TOKEN = '"$PLANT_STORE_TOKEN"';
const FLIP_FIRST_LETTER =
  '{ i = match($0, /[A-Za-z]/); c = substr($0, i, 1); ' +
  'print substr($0, 1, i - 1) (c == toupper(c) ? tolower(c) : toupper(c)) substr($0, i + 1) }';

const NO_HEADER = unauthorised('no-authorization', 'a plain plant without an Authorization header', (plant) =>
  withAuthorization(plant),
);

const WRONG_TOKEN = withValue(
  'wrong-token',
  'a plain plant with a token that was never given out',
  ({ wrongToken }) => `Bearer ${wrongToken}`,
);

const wrongValues = [
  // By two characters: a decoder of base64 may not see the difference of one.
  unauthorised('longer-token', 'the right token with two letters more', (plant, { token }) => {
    if (!token.endsWith('=')) return withAuthorization(plant, `Bearer ${token}xx`);
    // After padding, more letters would make it no token at all.
    const value = token.replace(/=*$/, 'xx$&');
    const secrets = [{ value, shell: `$(printf %s ${TOKEN} | sed 's/=*$/xx&/')` }];
    return { ...withAuthorization(plant, `Bearer ${value}`), secrets };
  }),
  withMade(
    'shorter-token',
    'the right token without its last two characters',
    'Bearer ',
    (token) => (token.length > 2 ? token.slice(0, -2) : undefined),
    `$\{PLANT_STORE_TOKEN%??}`,
  ),
  withMade(
    'token-in-other-case',
    'the right token with one letter in the other case',
    'Bearer ',
    withOneLetterInOtherCase,
    `$(printf %s ${TOKEN} | awk '${FLIP_FIRST_LETTER}')`,
  ),
  withValue('empty-authorization', 'an empty Authorization header', () => ''),
  withValue('scheme-alone', 'the word Bearer without a token', () => 'Bearer'),
  // With as many letters as Bearer, for those who cut that much off.
  withValue('digest-with-token', 'the right token under the scheme Digest', ({ token }) => `Digest ${token}`),
  withValue('token-and-more', 'the right token with a word after it', ({ token }) => `Bearer ${token} x`),
  withMade(
    'basic-with-user',
    'the right token as the user of the scheme Basic',
    'Basic ',
    (token) => Buffer.from(`${token}:`).toString('base64'),
    `$(printf %s: ${TOKEN} | base64 | tr -d '\\n')`,
  ),
  withValue('bare-token', 'the right token without a scheme', ({ token }) => token),
];

/** The token as a query or a JSON text carries it. */
const IN_QUERY = `$(printf %s ${TOKEN} | sed 's/%/%25/g; s/+/%2B/g; s,/,%2F,g; s/=/%3D/g; s/&/%26/g; s/#/%23/g')`;
const IN_JSON = `$(printf %s ${TOKEN} | sed 's/[\\\\"]/\\\\&/g')`;

const wrongPlaces = [
  unauthorised('token-in-query', 'the right token in the query only', (plant, { token }) => {
    const value = encodeURIComponent(token);
    return {
      ...withAuthorization(plant),
      query: `?access_token=${value}&token=${value}`,
      ...(value !== token && { secrets: [{ value, shell: IN_QUERY }] }),
    };
  }),
  unauthorised('token-in-body', 'the right token in the body only', (plant, { token }) => {
    const value = JSON.stringify(token).slice(1, -1);
    const text = Buffer.from(plant.body).toString();
    const members = `"access_token":"${value}","token":"${value}"`;
    return {
      ...withAuthorization(plant),
      body: Buffer.from(text.replace(/\}$/, () => `,${members}}`)),
      ...(value !== token && { secrets: [{ value, shell: IN_JSON }] }),
    };
  }),
];

/** A connection says nothing about who sends the next request over it: HTTP is stateless (RFC 9110, section 3.3). */
const usedConnection = defineProbe({
  name: 'no-token-on-used-connection',
  title: 'a plain plant, then one without an Authorization header on the same connection',
  expectation: 'created',
  control: PLAIN_PLANT,
  phase: 'state',
  oneConnection: true,
  requests: (material) => [
    creation(material),
    { ...withAuthorization(creation(material)), expectation: 'refused' },
  ],
});

/** The right token in a form about which the interface says nothing. */
function open(name: string, title: string, values: (material: ProbeMaterial) => readonly string[]): Probe {
  return {
    ...unauthorised(name, title, (plant, material) => withAuthorization(plant, ...values(material))),
    expectation: 'open',
  };
}

const openForms = [
  open('scheme-in-lower-case', 'the right token after "bearer"', ({ token }) => [`bearer ${token}`]),
  open('two-spaces', 'the right token after two spaces', ({ token }) => [`Bearer  ${token}`]),
  open('two-authorizations', 'the right token and a wrong one, in two headers', ({ token, wrongToken }) => [
    `Bearer ${token}`,
    `Bearer ${wrongToken}`,
  ]),
];

/** The probe that shows whether wrong tokens have locked the right one out. */
export const AFTER_WRONG_TOKENS = 'plain-plant-after-wrong-tokens';

const afterwards = defineProbe({
  name: AFTER_WRONG_TOKENS,
  title: 'a plain plant with the right token, after wrong ones',
  expectation: 'open',
  phase: 'afterwards',
  requests: (material) => [creation(material)],
});

/** Missing and wrong tokens, tokens in other places, and forms of the right one that are not shown. */
export const authenticationProbes: readonly Probe[] = [
  NO_HEADER,
  WRONG_TOKEN,
  ...wrongValues,
  ...wrongPlaces,
  usedConnection,
  ...openForms,
  afterwards,
];

function withOneLetterInOtherCase(token: string): string | undefined {
  const at = token.search(/[a-z]/i);
  if (at < 0) return undefined;
  const letter = token[at] ?? '';
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return token.slice(0, at) + other + token.slice(at + 1);
}
