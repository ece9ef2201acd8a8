import { capitalised } from '../../report/wording.js';
import {
  type Exchange,
  isAccepted,
  isOverloaded,
  isRejected,
  isUnprocessed,
  isValidPlant,
  responseInWords,
  whyNotConcurrent,
} from '../exchange.js';
import { duplicateIn, OF_IDS, OF_NAMES, whyStoreIsHidden } from '../judge/duplicates.js';
import { stopInBrief, untilRestart } from '../judge/facts.js';
import { type RequestRow, sendsValidPlants } from '../row.js';
import {
  accepts,
  CONSTRAINTS,
  type Demand,
  factOfRequest,
  type Gap,
  judgeAcceptance,
  RESPONSE_200,
  RESPONSE_400,
  RESPONSES,
  recording,
  type SentRow,
  type Topic,
  table,
} from '../rule.js';
import { WITH_TAG, WITHOUT_TAG } from '../values/plain-plants.js';
import { EVERYDAY_REQUEST } from './failure.js';

/** The creation of a plain plant with the fresh name and the fresh id of these numbers. */
export function creation(of: number | '' = '', ofName = of): RequestRow {
  return { body: `{"name":"<NAME${ofName}>","id":<ID${of}>}`, expectation: 'created' };
}

/** A plant with an id that may exist. Its response may be the plant that exists. */
function duplicate(plant: RequestRow): RequestRow {
  return { ...plant, expectation: 'open', plant: false, idMayExist: true };
}

function rejected(body: string): RequestRow {
  return { body, expectation: 'rejected' };
}

/**
 * A rejected request, another plant, and a valid plant with the rejected name and id: all three alone. The other plant shows
 * whether the provider works after the rejection, so the last one shows only whether something was stored. An id that is larger by
 * 2^64 has the same 64 bits.
 */
const AFTER_INVALID: readonly SentRow[] = table(
  `
  good-after-malformed-json         a plant without the closing brace   {"name":"<NAME>","id":<ID>
  created-after-wrong-tag           a plant whose tag is a number       {"name":"<NAME>","id":<ID>,"tag":7}
  sequences/after-wrong-name        a plant whose name is a number      {"name":7,"id":<ID>}
  sequences/after-missing-name      a plant without a name              {"id":<ID>}
  sequences/after-id-in-quotes      a plant whose id is a string        {"name":"<NAME>","id":"<ID>"}
  sequences/after-id-outside-int64  a plant whose id is 2^64 too large  {"name":"<NAME>","id":<ID+18446744073709551616>}`,
  3,
).map(([name = '', what = '', body = '']) => ({
  name,
  title: `${what}, then another plant, and a valid plant with its id`,
  expectation: 'created',
  phase: 'recovery',
  requests: [rejected(body), creation(2), creation()],
}));

/** The responses are compared with each other. Each duplicate has a name of its own: a provider may accept the same plant again. */
const HISTORY: SentRow = {
  name: OF_IDS.often,
  rules: [EVERYDAY_REQUEST],
  title: 'two plants, duplicates of both, and an invalid request between them',
  expectation: 'open',
  phase: 'state',
  alone: true,
  requests: [
    creation(0),
    creation(1),
    duplicate(creation(0, 2)),
    rejected('{"name":"Aloe","id":<ID1>,"tag":7}'),
    duplicate(creation(1, 3)),
    duplicate(creation(0, 4)),
  ],
};

/** What holds for each plant of some that have a name again. */
const COMES_BACK = [
  ...['success/name-comes-back', 'success/tag-comes-back', 'success/texts-come-back'],
  'success/absent-tag-stays-absent',
];

/** A plant with a new id, whose name may exist already: a provider may reject it, but it comes back with its own name and tag. */
function again(body: string): RequestRow {
  return { body, expectation: 'open' };
}

/** The last names are one word in other letters, and in other code points: those of its letters composed and decomposed. */
const ON_ONE_CONNECTION: SentRow = {
  name: 'sequences/on-one-connection',
  title: '12 requests on one connection, with and without tags',
  expectation: 'created',
  phase: 'state',
  oneConnection: true,
  rules: COMES_BACK,
  requests: [
    { body: '{"name":"<NAME1>","id":<ID0>,"tag":"succulent"}' },
    creation(1, 2),
    rejected('{"id":<ID>}'),
    // Long enough that the next body is shorter.
    { body: '{"name":"<NAME3>",<PAD 900>"id":<ID3>,"tag":"succulent"}' },
    creation(4),
    again('{"name":"<NAME1>","id":<ID5>,"tag":"fern"}'),
    again('{"name":"<NAME1>","id":<ID6>}'),
    rejected('{"name":"<NAME>","id":<ID>,"tag":["aloe"]}'),
    again('{"name":"<NAME5>Rosé","id":<ID8>,"tag":"moss"}'),
    again('{"name":"<NAME5>Rose\u0301","id":<ID9>}'),
    again('{"name":"<NAME5>ROSÉ","id":<ID10>,"tag":"palm"}'),
    { body: '{"name":"<NAME6>","id":<ID11>,"tag":"succulent"}' },
  ],
};

const EQUAL_IDS: SentRow = {
  name: 'equal-ids-side-by-side',
  title: 'four plants with one id at the same time',
  expectation: 'open',
  phase: 'state',
  control: false,
  together: true,
  alone: true,
  requests: numbers(4).map((at) => ({ body: `{"name":"<NAME${at}>","id":<ID>}`, idMayExist: true })),
};

const DIFFERENT_IDS: SentRow = {
  name: 'different-ids-side-by-side',
  title: 'five plants with different ids at the same time',
  expectation: 'created',
  phase: 'state',
  together: true,
  alone: true,
  requests: numbers(5).map((of) => creation(of)),
};

const BURST: SentRow = {
  ...DIFFERENT_IDS,
  name: 'volume/ten-plants-at-once',
  title: '10 plants with different ids at the same time',
  requests: numbers(10).map((of) => creation(of)),
};

const SAME_NAME_AT_ONCE: SentRow = {
  ...EQUAL_IDS,
  name: OF_NAMES.often,
  title: '3 plants with one name at the same time',
  rules: COMES_BACK,
  requests: [
    again('{"name":"<NAME1>","id":<ID0>,"tag":"fern"}'),
    again('{"name":"<NAME1>","id":<ID1>}'),
    again('{"name":"<NAME1>","id":<ID2>,"tag":"moss"}'),
  ],
};

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}

/** The invalid request before a valid plant that has the same id or the same name. */
function invalidBefore(
  { request, step, expectation }: Exchange,
  sequence: readonly Exchange[],
): Exchange | undefined {
  if (expectation === 'rejected' || request.plant === undefined || request.idMayExist === true)
    return undefined;
  const { id, name } = request.plant;
  return sequence.find(
    (before) =>
      before.step < step &&
      before.expectation === 'rejected' &&
      (before.request.id === id || Buffer.from(before.request.body).includes(JSON.stringify(name))),
  );
}

const rules: readonly Demand[] = [
  accepts({
    id: 'state/provider-keeps-responding',
    level: 'implied',
    about: 'state',
    title: 'The provider still responds at the end of the check.',
    fact: ({ exchange }, facts) =>
      facts.stop === undefined
        ? 'The provider stops responding.'
        : `${capitalised(stopInBrief(facts.stop))}: there was none to ${facts.titleOf(exchange)}, nor to anything after it${untilRestart(facts.stop)}.`,
    source: RESPONSE_200,
    why: 'When the request is valid and authorised, the service responds. A provider that no longer does has failed for every client. No request, valid or not, may do that.',
    usualCause:
      'A request ends the process of the provider, or occupies its last thread or connection for ever.',
    fix: 'Look at the end of the log of the provider. Start it again, and check it with "--rate 10", so that few requests are under way at once, to see which is the last.',
    judges: () => true,
    control: 'none',
    nothingToJudge: 'there was no response',
    onNoResponse: 'judge-even-after-stop',
    judge(exchange, { facts: { stop } }) {
      if (stop?.what !== 'silent' || exchange !== stop.first)
        return exchange.response === undefined ? 'nothing-to-judge' : undefined;
      return {
        expected: 'a response',
        actual: `${exchange.failure?.message}; nor was there a response to anything after it${untilRestart(stop)}`,
      };
    },
    rows: [WITHOUT_TAG],
  }),
  // It judges what is not there any more when a request is sent again.
  accepts({
    id: 'state/no-intermittent-failures',
    level: 'implied',
    about: 'state',
    title: 'Valid plants do not fail now and then.',
    fact: (_, { intermittent: { failed, of } }) =>
      `Valid plants fail intermittently (${failed.size} of ${of} requests).`,
    source: RESPONSE_200,
    why: 'When the request is valid and authorised, the service responds with 200. It does not say "usually". What a slow provider does, or one that limits its rate, is no failure: a timeout, a 429, a 503, or a connection that is refused or closed.',
    usualCause:
      'Several workers or connections to a database are not in the same state, or a gateway sends a creation twice.',
    fix: 'Look in the log for the requests that failed. Do not let a gateway send a POST again.',
    judges: sendsValidPlants,
    dependsOn: [OF_IDS.once],
    control: 'none',
    nothingToJudge: 'there was no response to a valid plant',
    everyAttempt: true,
    onNoResponse: 'judge',
    judge(exchange, { facts }) {
      if (!isValidPlant(exchange)) return 'nothing-to-judge';
      const { failed, of } = facts.intermittent;
      if (!failed.has(exchange)) return exchange.response === undefined ? 'nothing-to-judge' : undefined;
      return {
        expected: 'the same response as when the request was sent again',
        actual: `${responseInWords(exchange)}; intermittent (${failed.size} of ${of} valid requests)`,
      };
    },
    rows: [WITHOUT_TAG, WITH_TAG, DIFFERENT_IDS],
  }),
  accepts({
    id: 'state/bad-request-spoils-nothing',
    level: 'implied',
    about: 'state',
    title: 'A valid request after an invalid one returns 200.',
    fact: 'A valid plant fails after an invalid request.',
    source: RESPONSE_200,
    why: 'When the request is valid and authorised, the service responds with 200. An invalid request before it, perhaps from another client, does not make it less valid.',
    usualCause: 'An exception leaves a parser, a transaction or a database connection in a bad state.',
    fix: 'Clean up after each request, even if it fails.',
    nothingToJudge: 'no valid request could be sent after an invalid one',
    dependsOn: [WITHOUT_TAG.name, WITH_TAG.name],
    onNoResponse: 'judge',
    judge(exchange, { sequence, facts }) {
      if (exchange.expectation !== 'created' || isUnprocessed(exchange)) return 'nothing-to-judge';
      // Another rule judges whether what was rejected is stored.
      if (isRejected(exchange) && invalidBefore(exchange, sequence) !== undefined) return 'nothing-to-judge';
      // If it is also rejected alone, with a tag or without, no request before it is the reason.
      const plain = exchange.request.plant?.tag === undefined ? WITHOUT_TAG : WITH_TAG;
      if (isRejected(exchange) && !facts.accepted(plain.name)) return 'nothing-to-judge';
      const { status } = exchange.response ?? {};
      if (isOverloaded(exchange) || (isAccepted(exchange) && status !== 200))
        return { blocked: `the response is ${status}` };
      return isAccepted(exchange) ? undefined : { expected: '200', actual: responseInWords(exchange) };
    },
    rows: [
      ...AFTER_INVALID,
      {
        name: 'sequences/after-no-body',
        title: 'a request without a body, then a plain plant',
        expectation: 'created',
        phase: 'recovery',
        requests: [rejected(''), creation(2)],
      },
      ON_ONE_CONNECTION,
      HISTORY,
      {
        name: 'volume/plant-after-many-requests',
        title: 'a plain plant after many invalid requests and duplicates',
        expectation: 'created',
        phase: 'state',
        alone: true,
        requests: [creation()],
      },
    ],
  }),
  accepts({
    id: 'state/refused-plant-is-not-stored',
    level: 'implied',
    about: 'state',
    title: 'A rejected plant is not stored: its id can still be used.',
    fact: 'A rejected plant is stored: its id can no longer be used.',
    source: RESPONSE_400,
    why: 'A failure does not create a plant. A client that learns that its request failed corrects it and sends it again. If the provider then reports a duplicate id, it stored the plant although it rejected the request.',
    usualCause: 'The plant is stored, or its id is reserved, before everything has been checked.',
    fix: 'Check everything first, and then store the plant in one transaction.',
    dependsOn: [OF_IDS.once],
    nothingToJudge: 'no plant was rejected',
    judge(exchange, { sequence, facts }) {
      const rejected = invalidBefore(exchange, sequence);
      if (rejected === undefined || isAccepted(rejected)) return 'nothing-to-judge';
      const between = sequence.filter(({ step }) => step > rejected.step && step < exchange.step);
      // Another plant in between shows whether the provider locks the client out.
      if (!between.every(isAccepted))
        return { notApplicable: 'the provider also rejects other plants after this one' };
      const judgement = judgeAcceptance({ ...exchange, expectation: 'created' });
      if (judgement === 'nothing-to-judge') return judgement;
      return judgement ?? whyStoreIsHidden(duplicateIn(facts));
    },
    rows: [
      ...AFTER_INVALID,
      {
        name: 'created-after-missing-token',
        title: 'a plant without an Authorization header, then the same plant with it',
        expectation: 'created',
        phase: 'state',
        alone: true,
        requests: [
          { ...creation(), headers: [['Content-Type', 'application/json']], expectation: 'rejected' },
          creation(),
        ],
      },
      HISTORY,
    ],
  }),
  accepts({
    id: 'state/duplicates-are-treated-alike',
    level: 'implied',
    about: 'state',
    title: 'A provider that rejects a duplicate id rejects it every time.',
    fact: 'A duplicate id is rejected at one time and accepted at another.',
    source: RESPONSE_200,
    why: 'The interface does not show what happens to a duplicate id. But a provider that rejects it has decided that an id belongs to one plant. A rejected request creates and deletes nothing, so the plant is still there, and so is the reason.',
    usualCause: 'Only the latest ids are known, or a rejected request changes the plant that has the id.',
    fix: 'Ask the store itself whether the id exists, and change nothing if the request is rejected.',
    dependsOn: [OF_IDS.once],
    control: 'none',
    nothingToJudge: 'no plant was accepted whose id could be sent again',
    judge(exchange, { sequence, facts }) {
      const { id } = exchange.request;
      const isDuplicate = sequence.some(
        (before) =>
          before.step < exchange.step &&
          before.request.id === id &&
          before.expectation === 'created' &&
          isAccepted(before),
      );
      if (exchange.expectation !== 'open' || !isDuplicate || isUnprocessed(exchange))
        return 'nothing-to-judge';
      const why = whyStoreIsHidden(duplicateIn(facts));
      if (why !== undefined) return why;
      return isAccepted(exchange)
        ? { expected: 'a rejection, as for other duplicate ids', actual: responseInWords(exchange) }
        : undefined;
    },
    rows: [HISTORY],
  }),
  accepts({
    id: 'state/equal-ids-side-by-side',
    level: 'implied',
    about: 'state',
    title: 'A provider that rejects a duplicate id also rejects it in concurrent requests.',
    fact: (broken, facts) =>
      (broken.exchange.response?.status ?? 0) >= 500
        ? factOfRequest(broken, facts)
        : 'A duplicate id is accepted in concurrent requests, and rejected in sequential ones.',
    source: RESPONSE_200,
    why: 'The interface does not show what happens to a duplicate id. But a provider that rejects it has decided that an id belongs to one plant. That decision cannot depend on when two requests arrive.',
    usualCause: 'The provider first looks for the id, and then stores the plant in a separate step.',
    fix: 'Let the store decide: use a unique index, or an insert that fails if the id exists.',
    dependsOn: [OF_IDS.once],
    control: 'none',
    nothingToJudge: 'none of the plants was accepted',
    judge(exchange, { sequence, facts }) {
      if ((exchange.response?.status ?? 0) >= 500 && !isUnprocessed(exchange))
        return { expected: 'a response that is no 5xx', actual: responseInWords(exchange) };
      // A provider may accept fewer connections at once, so some may have no response.
      const answered = sequence.filter((one) => one.response !== undefined && !isUnprocessed(one));
      if (exchange !== answered.at(-1)) return 'nothing-to-judge';
      const why = whyStoreIsHidden(duplicateIn(facts)) ?? whyNotConcurrent(answered);
      if (why !== undefined) return why;
      const accepted = sequence.filter(isAccepted).length;
      if (accepted === 0) return 'nothing-to-judge';
      if (accepted === 1) return undefined;
      return {
        expected: `1 of ${sequence.length} concurrent plants with the same id accepted, as in sequential requests`,
        actual: `${accepted} of ${sequence.length} accepted`,
      };
    },
    rows: [EQUAL_IDS],
  }),
  accepts({
    id: 'state/concurrent-plants-are-accepted',
    level: 'implied',
    about: 'state',
    title: 'A valid plant is accepted beside other plants.',
    fact: 'A valid plant fails beside concurrent requests.',
    source: RESPONSE_200,
    why: 'When the request is valid and authorised, the service responds with 200. The requests of other clients do not make it less valid. A provider may limit how many requests it serves, and then says so with 429, or with 503 and Retry-After.',
    usualCause:
      'Concurrent requests get in the way of each other: a locked file, a full queue, or a shared variable.',
    fix: 'Let requests wait for each other, or reject them with 429.',
    nothingToJudge: 'no plants were sent at the same time',
    onNoResponse: 'judge',
    judge(exchange, { sequence }) {
      const { failure, response } = exchange;
      if (failure?.kind === 'reset' || failure?.kind === 'not-connected' || failure?.kind === 'unreachable')
        return { notApplicable: 'the provider accepts fewer connections at once, as it is allowed to' };
      const why = whyNotConcurrent(sequence);
      if (why !== undefined || isUnprocessed(exchange)) return why ?? 'nothing-to-judge';
      if (response === undefined || response.status >= 500)
        return { expected: '200', actual: responseInWords(exchange) };
      return judgeAcceptance(exchange);
    },
    rows: [DIFFERENT_IDS, BURST],
  }),
  accepts({
    id: 'state/answers-do-not-mix',
    level: 'implied',
    about: 'state',
    title: 'Each request gets the response to itself, and not to another request.',
    fact: 'A request gets the response to another request.',
    source: RESPONSE_200,
    why: 'The response to a request describes the plant of that request. The plant of another client is the wrong one, and this client must not see it.',
    usualCause: 'Data of one request is kept in a variable that all requests share.',
    fix: 'Keep the data of a request in that request.',
    judges: () => true,
    control: 'none',
    everyAttempt: true,
    nothingToJudge: 'no response had the name of a plant',
    judge(exchange, { facts }) {
      const name = facts.mixed.get(exchange);
      if (name === undefined) return facts.own.has(exchange) ? undefined : 'nothing-to-judge';
      return {
        expected: 'the response to this request',
        actual: `a ${exchange.response?.status} with ${JSON.stringify(name)}, the name in another request`,
      };
    },
    rows: [DIFFERENT_IDS, BURST],
  }),
];

const DUPLICATE_IDS: Gap = {
  source: RESPONSES,
  why: 'The behaviour when an id already exists is not shown.',
};

/** What the interface demands of requests that follow each other, or that are sent at the same time. */
export const sequences: Topic = {
  rules,
  open: [
    {
      name: OF_IDS.once,
      title: 'a plant, the same plant again, and another plant with its id',
      expectation: 'open',
      phase: 'state',
      alone: true,
      control: false,
      rules: ['unspecified/repeated-id-with-another-name', EVERYDAY_REQUEST],
      observed: { id: 'repeated-id', subject: 'A duplicate id', gap: DUPLICATE_IDS, step: 1 },
      requests: [creation(), duplicate(creation()), duplicate(creation('', 2))],
    },
    {
      name: OF_NAMES.once,
      title: 'a plant, and another plant with its name and a tag',
      expectation: 'open',
      phase: 'state',
      control: false,
      rules: ['success/tag-comes-back'],
      observed: { id: 'repeated-name', subject: 'A duplicate name', gap: CONSTRAINTS },
      requests: [creation(), { body: '{"name":"<NAME>","id":<ID2>,"tag":"succulent"}' }],
    },
    SAME_NAME_AT_ONCE,
  ],
  observations: [
    recording({
      id: 'repeated-id-with-another-name',
      subject: 'A duplicate id with another name',
      gap: DUPLICATE_IDS,
    }),
  ],
};
