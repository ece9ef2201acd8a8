import { type Exchange, type ProviderResponse, sentIn } from '../../src/conformance/exchange.js';
import type { Probe } from '../../src/conformance/row.js';
import type { Demand, Observation, Rule } from '../../src/conformance/rule.js';

/** A response as a run keeps it. */
export function response(
  status: number,
  headers: ProviderResponse['headers'] = [],
  body = '{}',
): ProviderResponse {
  const bytes = Buffer.from(body);
  return { status, reason: '', headers, body: bytes, received: bytes.length, complete: true, surplus: 0 };
}

/** An exchange of the probe `plain-plant` that was accepted, unless something else is given. A limit sends every 429. */
export function exchange(given: Partial<Exchange> = {}): Exchange {
  const request = given.request ?? { headers: [], body: Buffer.from('{}'), id: 7 };
  const isTurnedAway = given.response?.status === 429;
  return {
    index: 0,
    probe: 'plain-plant',
    step: 0,
    request,
    expectation: 'created',
    response: 'failure' in given ? undefined : response(200),
    failure: undefined,
    reusedConnection: false,
    shared: false,
    role: 'judged',
    startMs: 0,
    durationMs: 1,
    ...(isTurnedAway && { turnedAway: true }),
    ...given,
    sent: sentIn(request),
  };
}

/** A request that creates a plain plant. */
export const creation = {
  headers: [
    ['Authorization', 'Bearer x'],
    ['Content-Type', 'application/json'],
  ],
  body: Buffer.from('{"name":"Aloeaaaaaa","id":7}'),
  plant: { name: 'Aloeaaaaaa', id: 7 },
  id: 7,
} as const;

/** A probe that sends nothing by itself. */
export function probe(given: Partial<Probe> = {}): Probe {
  return {
    name: 'plain-plant',
    title: 'a plain plant',
    expectation: 'created',
    phase: 'control',
    requests: [],
    ...given,
  };
}

/** A probe that is sent for a rule if the rule has a row of its name. */
export function sentFor({ id, rows = [] }: Rule, one: Probe): Probe {
  return rows.some(({ name }) => name === one.name) ? { ...one, rules: [id] } : one;
}

const source = '/paths';

/** Parts of a rule. Of its rows, only the names count. */
export type Given<Of extends Rule> = Partial<Omit<Of, 'rows'>> & {
  readonly rows?: readonly { readonly name: string }[];
};

/** A rule for which `plain-plant` is sent, and that passes unless `judge` says something else. */
export function demand(given: Given<Demand> = {}): Demand {
  const rows = given.judges === undefined ? [{ name: 'plain-plant' }] : [];
  return {
    rows,
    id: 'request/name-is-a-string',
    severity: 'error',
    title: 'A rule.',
    hurts: 'clients',
    fact: 'A test broke it.',
    level: 'documented',
    source,
    why: '',
    control: 'none',
    usualCause: 'A test breaks it.',
    fix: 'Repair the test.',
    nothingToJudge: 'no exchange was judged',
    judge: () => undefined,
    ...given,
  } as Demand;
}

export function observation(given: Given<Observation> = {}): Observation {
  return {
    id: 'unspecified/get',
    title: 'A question.',
    level: 'unspecified',
    source,
    why: '',
    rows: [{ name: 'plain-plant' }],
    observe: (exchanges) => ({ sentence: `${exchanges.length} seen`, value: `${exchanges.length}` }),
    ...given,
  } as Observation;
}
