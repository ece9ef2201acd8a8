import { randomInt } from 'node:crypto';
import { type DiscoveredLimit, type LimitId, limitTitles } from '../../report/profile.js';
import { capitalised } from '../../report/wording.js';
import type { Exchange, ProbeRequest } from '../exchange.js';
import type { CheckSettings } from '../options.js';
import { creation, PLAIN_TAG, type ProbeValues, withBody } from '../probe.js';
import { type Answer, CannotFind, gotInWords, LimitSession } from '../session/limit-session.js';

/** What was found, and everything that was sent for it. */
export interface Discovery {
  readonly limits: readonly DiscoveredLimit[];
  readonly exchanges: readonly Exchange[];
}

/**
 * Looks for the limits that the interface does not show, with few requests. It changes nothing that is judged. What
 * cannot be found has the reason.
 *
 * @param place where the search is in the run: its start in milliseconds, and the index of its first exchange
 * @param onExchange called after each exchange
 */
export async function discoverLimits(
  settings: CheckSettings,
  place: { readonly startMs: number; readonly firstIndex: number },
  onExchange: (exchange: Exchange) => void,
): Promise<Discovery> {
  const session = new LimitSession(settings, place, onExchange);
  const limits: DiscoveredLimit[] = [];
  for (const id of Object.keys(limitTitles) as LimitId[])
    limits.push({ id, ...(await findLimit(session, id)) });
  return { limits, exchanges: session.exchanges };
}

/** Looks for one limit. What cannot be found has the reason. */
export async function findLimit(session: LimitSession, id: LimitId): Promise<FoundLimit> {
  const title = limitTitles[id];
  try {
    return await searchLimit(session, title, searches[id](session.values));
  } catch (cause) {
    if (!(cause instanceof CannotFind)) throw cause;
    const { message: reason } = cause;
    return { outcome: 'unknown', sentence: `${title}: could not be found: ${reason}.`, reason };
  }
}

const searches: Readonly<Record<LimitId, (values: ProbeValues) => Search>> = {
  'longest-name': (values) => lengthOf('name', values),
  'longest-tag': (values) => lengthOf('tag', values),
  'largest-body': sizeOfBody,
  'largest-depth': depthOf,
};

const KIB = 1024;
const MIB = KIB * KIB;
/** A longer body is written by a shell command and not on a command line. */
const LONGEST_IN_LINE = 500;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Names and tags of ASCII letters. A string of 9 letters is accepted everywhere. */
function lengthOf(field: 'name' | 'tag', values: ProbeValues): Search {
  return {
    noun: (length) => `a ${field} of ${number(length)} letters`,
    inWords: (length) => `${number(length)} characters`,
    request: (length) => withLength(values, field, length),
    stages: [PLAIN_TAG.length, 1000, 64 * KIB],
    plainOfSize: (bytes) => padded(values, bytes),
  };
}

/** The body has spaces after the plant, so a limit on names does not matter. */
function sizeOfBody(values: ProbeValues): Search {
  return {
    noun: (bytes) => `a body of ${number(bytes)} bytes`,
    inWords: (bytes) => `${number(bytes)} bytes`,
    request: (bytes) => padded(values, bytes),
    stages: [padded(values, 0).body.length, 64 * KIB, MIB, 4 * MIB, 16 * MIB],
  };
}

/** Arrays in each other in an unknown field. A provider that rejects such a field shows no limit. */
function depthOf(values: ProbeValues): Search {
  return {
    noun: (levels) => (levels === 2 ? 'an array in an unknown field' : `JSON of ${number(levels)} levels`),
    inWords: (levels) => `${number(levels)} levels`,
    request: (levels) => nested(values, levels - 1),
    // A check sends as many without a search for limits.
    stages: [2, 1000, 20_000],
    plainOfSize: (bytes) => padded(values, bytes),
  };
}

function withLength(values: ProbeValues, field: 'name' | 'tag', length: number): ProbeRequest {
  const text = field === 'name' ? randomName(length) : tagOf(length);
  const request = plainPlant(values, { [field]: text });
  if (length <= LONGEST_IN_LINE) return request;
  const letters = `LC_ALL=C tr -dc a-z < /dev/urandom | head -c ${length}`;
  const name = field === 'name' ? letters : `printf ${request.plant?.name}`;
  const tag = field === 'tag' ? `; printf '","tag":"'; ${letters}` : '';
  return writtenBy(request, `printf '{"name":"'; ${name}${tag}; printf '","id":%s}' "$id"`);
}

/** Random, because names may have to be unique. */
function randomName(length: number): string {
  const text = Array.from({ length }, () => LETTERS[randomInt(26)]).join('');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A lower-case ASCII word: only such tags are accepted everywhere. */
function tagOf(length: number): string {
  return PLAIN_TAG.repeat(Math.ceil(length / PLAIN_TAG.length)).slice(0, length);
}

/** A plain plant with spaces after it, so that the body has so many bytes. */
function padded(values: ProbeValues, bytes: number): ProbeRequest {
  const request = plainPlant(values);
  const spaces = Math.max(0, bytes - request.body.length);
  const body = Buffer.concat([request.body, Buffer.alloc(spaces, ' ')]);
  const plant = `printf '{"name":"%s","id":%s}' ${request.plant?.name} "$id"`;
  return writtenBy(withBody(request, body), `${plant}; ${repeated(' ', spaces)}`);
}

/** A plain plant with so many arrays in each other in an unknown field. */
function nested(values: ProbeValues, arrays: number): ProbeRequest {
  const plain = plainPlant(values);
  const field = `,"colour":${'['.repeat(arrays)}${']'.repeat(arrays)}}`;
  const request = withBody(plain, Buffer.from(plain.body).toString().replace(/\}$/, field));
  if (request.body.length <= LONGEST_IN_LINE) return request;
  const start = `printf '{"name":"%s","id":%s,"colour":' ${plain.plant?.name} "$id"`;
  return writtenBy(request, `${start}; ${repeated('[', arrays)}; ${repeated(']', arrays)}; printf '}'`);
}

/** A plain plant whose id has ten digits: then all bodies for one value have one size, those of a shell too. */
function plainPlant(values: ProbeValues, given: { name?: string; tag?: string } = {}): ProbeRequest {
  const id = values.freshIdBetween(10n ** 9n, 2n * 10n ** 9n);
  return { ...creation(values, { ...given, id }), shell: { newId: '1000000000 + RANDOM' } };
}

/** The same request, whose body a shell command writes. */
function writtenBy(request: ProbeRequest, command: string): ProbeRequest {
  return { ...request, shell: { ...request.shell, body: command } };
}

/** A shell command that writes one character so often. */
function repeated(character: string, times: number): string {
  return `head -c ${times} /dev/zero | tr '\\0' '${character}'`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}

/** What a search knows of a limit. */
export type FoundLimit = Omit<DiscoveredLimit, 'id'>;

/** How the limit of something with a size is looked for: a name of so many letters, a body of so many bytes. */
interface Search {
  /** A value as a noun: "a name of 255 letters". */
  noun(value: number): string;
  /** A value in a sentence: "255 characters". */
  inWords(value: number): string;
  request(value: number): ProbeRequest;
  /** The values that are tried first. The first one is usually accepted, and nothing larger than the last one is sent. */
  readonly stages: readonly [number, ...number[]];
  /**
   * A plain plant in a body of so many bytes. It shows that a body was not rejected for its size. Left out if the size of
   * the body is what is looked for.
   */
  readonly plainOfSize?: (bytes: number) => ProbeRequest;
}

/** A value, and what the provider said to it. */
interface Tried<T> {
  readonly value: number;
  readonly answer: T;
}

/**
 * Looks for the largest value that a provider accepts.
 *
 * A rejection counts if a second request is rejected too, and a plain plant with a body of the same size is accepted.
 *
 * @param title the title of the limit, as the beginning of a sentence
 * @throws CannotFind if the provider gives no answer that counts
 */
async function searchLimit(session: LimitSession, title: string, search: Search): Promise<FoundLimit> {
  const { noun, inWords, request, plainOfSize } = search;
  let isFirstRejection = true;
  const ask = async (value: number): Promise<Answer> => {
    const answer = await session.ask(noun(value), () => request(value));
    if (answer.accepted) return answer;
    // If the provider rejects everything now, the search ends here.
    if (isFirstRejection) await session.control(answer);
    isFirstRejection = false;
    return answer;
  };
  const notFound = ({ value, answer }: Tried<Answer>, end: string): FoundLimit => ({
    outcome: 'not-found',
    sentence: `${title}: not found up to ${inWords(value)}${end}.`,
    upTo: String(value),
    accepted: session.side(answer),
  });

  const { start, highest, lowest, lost } = await tryStages(search, ask);
  if (lowest === undefined) return notFound(highest, lost === undefined ? '' : `. Beyond that, ${lost}`);
  const [inside, outside] = await bisect(highest, lowest, ask);
  const rejected = await session.confirm(outside.answer, () => request(outside.value));
  if (plainOfSize === undefined) await session.control(rejected);
  else {
    const bytes = rejected.exchange.request.body.length;
    const plain = await session.ask(`a plain plant in a body of ${bytes} bytes`, () => plainOfSize(bytes));
    if (!plain.accepted) {
      await session.control(plain);
      return notFound(inside, ', which make the largest body');
    }
  }
  // If there is a single limit, what is between it and the ends is accepted on one side, and rejected on the other.
  for (const [end, near] of [
    [start, inside],
    [lowest, outside],
  ] as const) {
    const value = (end.value + near.value) >> 1;
    const { accepted } = await ask(value);
    if (accepted !== near.answer.accepted)
      throw new CannotFind(
        `there is no single limit: ${noun(inside.value)} is accepted, ${noun(outside.value)} is rejected, and ${noun(value)} is ${accepted ? 'accepted' : 'rejected'}`,
      );
  }
  const side = session.side(rejected);
  return {
    outcome: 'found',
    sentence: `${title}: ${inWords(inside.value)}. ${capitalised(rejected.sent)} gets ${side.got}.`,
    value: String(inside.value),
    accepted: session.side(inside.answer),
    rejected: side,
  };
}

/** What the first values showed. */
interface Stages {
  readonly start: Tried<Answer>;
  /** The highest value that is accepted. */
  readonly highest: Tried<Answer>;
  /** The lowest value that is rejected, if one is. */
  readonly lowest?: Tried<Answer>;
  /** Why a value above the highest one got no answer that counts. */
  readonly lost?: string;
}

/** Tries values that are farther and farther away, until one is rejected. */
async function tryStages(
  { stages: [first, ...others], noun }: Search,
  ask: (value: number) => Promise<Answer>,
): Promise<Stages> {
  const start = { value: first, answer: await ask(first) };
  if (!start.answer.accepted) throw new CannotFind(`${noun(first)} got ${gotInWords(start.answer.exchange)}`);
  let highest = start;
  for (const value of others) {
    try {
      const tried = { value, answer: await ask(value) };
      if (!tried.answer.accepted) return { start, highest, lowest: tried };
      highest = tried;
    } catch (cause) {
      // What was accepted before stays accepted.
      if (!(cause instanceof CannotFind) || highest === start) throw cause;
      return { start, highest, lost: cause.message };
    }
  }
  return { start, highest };
}

/**
 * Finds two neighbours, of which the first is accepted and the second is rejected. It first asks for usual limits, so most
 * limits take a few requests. It always ends, whatever the provider accepts.
 */
export async function bisect<T extends { readonly accepted: boolean }>(
  accepted: Tried<T>,
  rejected: Tried<T>,
  ask: (value: number) => Promise<T>,
): Promise<readonly [inside: Tried<T>, outside: Tried<T>]> {
  let [inside, outside] = [accepted, rejected];
  while (outside.value - inside.value > 1) {
    const usual = USUAL.filter((limit) => limit > inside.value && limit < outside.value);
    const value = usual[usual.length >> 1] ?? (inside.value + outside.value) >> 1;
    const tried = { value, answer: await ask(value) };
    if (tried.answer.accepted) inside = tried;
    else outside = tried;
  }
  return [inside, outside];
}

/**
 * Columns, parsers, servers and gateways have limits like these: round numbers, in units of 1,000 and of 1,024, and powers of
 * two. Either neighbour of a limit is there too, since the limit itself may be rejected.
 */
const USUAL: readonly number[] = [
  ...[1, 1000, 1024, 1000 ** 2, 1024 ** 2].flatMap((unit) =>
    [1, 10, 100].flatMap((ten) => [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8].map((part) => part * ten * unit)),
  ),
  ...Array.from({ length: 24 }, (_, exponent) => 2 ** exponent),
]
  .flatMap((limit) => [limit - 1, limit, limit + 1])
  .filter(Number.isInteger)
  .sort((a, b) => a - b);
