import type { DiscoveredLimit } from '../../report/profile.js';
import { capitalised } from '../../report/wording.js';
import type { ProbeRequest } from '../exchange.js';
import { type Answer, CannotFind, gotInWords, type LimitSession } from '../session/limit-session.js';

/** What a search knows of a limit. */
export type FoundLimit = Omit<DiscoveredLimit, 'id'>;

/** How the limit of something with a size is looked for: a name of so many letters, a body of so many bytes. */
export interface Search {
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
export async function searchLimit(session: LimitSession, title: string, search: Search): Promise<FoundLimit> {
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
