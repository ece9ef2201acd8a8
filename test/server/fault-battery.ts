import { Agent } from 'node:http';
import { type Answered, plant, type Sent, send } from './plant-request.js';

/** A token that stays one when it grows by a letter. */
export const BATTERY_TOKEN = 'fault-battery-Token';

/** Requests that belong together, and how they are sent. */
interface Probe {
  readonly what: string;
  readonly requests: readonly Sent[];
  readonly sideBySide?: boolean;
}

const AUTHORIZED = { authorization: `Bearer ${BATTERY_TOKEN}` };
let lastId = 0;

function body(text: string): Sent {
  return { body: text };
}

function creation(name?: string, tag?: string): Sent {
  return body(plant(++lastId, name, tag));
}

function fields(text: string): Sent {
  return body(`{${text.replaceAll('ID', String(++lastId))}}`);
}

function authorization(value: string | undefined): Sent {
  return { ...creation(), headers: { authorization: value } };
}

function mediaType(value: string | undefined): Sent {
  return { ...creation(), headers: { 'content-type': value } };
}

function one(what: string, request: Sent): Probe {
  return { what, requests: [request] };
}

/** What a client may send that tells a right plant store from a wrong one. */
const PROBES: readonly Probe[] = [
  one('a plant', creation()),
  one('a plant with a tag', creation('Aloe Vera', 'succulent')),
  one('an empty tag', creation('Aloe', '')),
  one('a name of null', creation('null')),
  one('a long name', creation('Zamioculcas zamiifolia')),
  one('a tag of null, the word', creation('Aloe', 'null')),
  one('HTML', creation('<b>&</b>', '<i>')),
  one('accents', creation('Épinard é')),
  one('an astral character', creation('🌵')),
  one('white space around', creation(' Aloe ', '\tfern\n')),
  one('an id beyond int32', body(plant(2n ** 31n))),
  one('a negative id', body(plant(-5))),
  { what: 'neighbours beyond 2^53', requests: [body(plant(2n ** 53n)), body(plant(2n ** 53n + 1n))] },
  one('the largest id', body(plant(2n ** 63n - 1n))),
  one('past the largest id', body(plant(2n ** 63n))),
  one('past the smallest id', body(plant(-(2n ** 63n) - 1n))),
  one('an id of twenty digits', body(plant(10n ** 19n))),
  one('no name', fields('"id":ID')),
  one('no id', fields('"name":"Aloe"')),
  one('no field', body('{}')),
  one('a name that is a number', fields('"name":7,"id":ID')),
  one('a name that is true', fields('"name":true,"id":ID')),
  one('a name of null, the value', fields('"name":null,"id":ID')),
  one('an id in quotes', fields('"name":"Aloe","id":"ID"')),
  one('an id with a fraction', fields('"name":"Aloe","id":ID.5')),
  one('an id of null', fields('"name":"Aloe","id":null')),
  one('a tag that is a number', fields('"name":"Aloe","id":ID,"tag":7')),
  one('a tag of null, the value', fields('"name":"Aloe","id":ID,"tag":null')),
  one('an unknown field', fields('"name":"Aloe","id":ID,"height":3')),
  one('a repeated key', fields('"name":"Aloe","id":ID,"id":ID')),
  one('a plant in an array', body(`[${creation().body}]`)),
  one('an array', body('[]')),
  one('a text', body('"Aloe"')),
  one('a number', body('7')),
  one('no body', body('')),
  one('a word', body('Aloe')),
  one('half a plant', body('{"name":')),
  one('single quotes', fields("'name':'Aloe','id':ID")),
  one('a trailing comma', fields('"name":"Aloe","id":ID,')),
  one('text after a plant', body(`${creation().body} and more`)),
  one('a media type with a parameter', mediaType('application/json; charset=utf-8')),
  one('a media type in another case', mediaType('Application/JSON')),
  one('another media type', mediaType('text/plain')),
  one('no media type', mediaType(undefined)),
  one('no token', authorization(undefined)),
  one('an empty Authorization', authorization('')),
  one('no token after Bearer', authorization('Bearer')),
  one('a wrong token', authorization('Bearer wrong')),
  one('a longer token', authorization(`Bearer ${BATTERY_TOKEN}a`)),
  one('a token in another case', authorization(`Bearer ${BATTERY_TOKEN.toLowerCase()}`)),
  one('another scheme', authorization(`Basic ${BATTERY_TOKEN}`)),
  one('no scheme', authorization(BATTERY_TOKEN)),
  one('a token in the query', { ...authorization(undefined), path: `/plants?access_token=${BATTERY_TOKEN}` }),
  one('a token in the body', {
    ...fields(`"name":"Aloe","id":ID,"access_token":"${BATTERY_TOKEN}"`),
    headers: { authorization: undefined },
  }),
  one('a wish for failure', { ...creation(), headers: { prefer: 'code=400' } }),
  one('another path', { ...creation(), path: '/elsewhere' }),
  one('another method', { method: 'GET' }),
  { what: 'a token, then none', requests: [creation(), authorization(undefined)] },
  { what: 'the same plant again', requests: [body(plant(1001)), body(plant(1001))] },
  {
    what: 'a refused plant, then a right one of its id',
    requests: [body('{"name":"Aloe","id":1002,"tag":7}'), body(plant(1002))],
  },
  { what: 'malformed JSON, then a plant', requests: [body('{"name'), creation()] },
  { what: 'one id side by side', sideBySide: true, requests: Array(3).fill(body(plant(1003))) },
  {
    what: 'plants side by side',
    sideBySide: true,
    requests: ['Fern', 'Moss', 'Reed'].map((name) => creation(name)),
  },
];

/** All that a client can see of the answers to one probe. */
export interface BatteryOutcome {
  readonly what: string;
  readonly outcomes: readonly string[];
}

/** Headers that belong to the connection or the clock. */
const UNCOMPARED = ['connection', 'date', 'keep-alive'];
/** Only what is never answered takes so long. */
const ANSWER_MS = 1_500;

function shown({ status, headers, body }: Answered): string {
  const compared = Object.entries(headers).filter(([name]) => !UNCOMPARED.includes(name));
  return JSON.stringify([status, Object.fromEntries(compared), body.toString('latin1')]);
}

async function outcome(url: string, request: Sent, agent: Agent): Promise<string> {
  const headers = { ...AUTHORIZED, ...request.headers };
  try {
    return shown(await send(url, { ...request, headers, agent, signal: AbortSignal.timeout(ANSWER_MS) }));
  } catch (cause) {
    return String(cause);
  }
}

/**
 * Sends the battery to a store, probe by probe, each on one connection where it is not side by side.
 *
 * @returns an outcome for each probe, the same for all right stores
 */
export async function* batteryOutcomes(url: string): AsyncGenerator<BatteryOutcome> {
  for (const { what, requests, sideBySide = false } of PROBES) {
    const agent = new Agent({ keepAlive: true });
    const outcomes: string[] = [];
    if (sideBySide) outcomes.push(...(await Promise.all(requests.map((each) => outcome(url, each, agent)))));
    else for (const each of requests) outcomes.push(await outcome(url, each, agent));
    agent.destroy();
    // Which one of equals wins is open.
    yield { what, outcomes: sideBySide ? outcomes.sort() : outcomes };
  }
}
