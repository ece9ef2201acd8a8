import { capitalised } from '../../output/wording.js';
import type { ProbeRequest } from '../exchange.js';
import { type Answer, type Asker, CannotFind } from './asker.js';
import { type Boundary, findBoundary } from './bisection.js';
import type { Finding } from './limit.js';

/** Something that has a size: a name of so many letters, a body of so many bytes. */
export interface Quantity {
  /** A value as a noun: "a name of 255 letters". */
  noun(value: bigint): string;
  /** A value in a sentence: "255 characters". */
  inWords(value: bigint): string;
  request(value: bigint): ProbeRequest;
}

/** How a limit is looked for. */
export interface Search {
  /** A value that every provider accepts. */
  readonly accepted: bigint;
  /** The values that are tried, from the nearest to the farthest. */
  readonly stages: readonly bigint[];
  /** Usual limits. */
  readonly landmarks: readonly bigint[];
  /** What is said if all stages are accepted: "65,536 characters". */
  readonly upTo: string;
  /** The whole sentence in that case, if another one is better. */
  readonly unlimited?: string;
  /** The title of the limit, as the beginning of a sentence. */
  readonly title: string;
  /**
   * Whether a rejection counts as accepted: an id may be rejected only because it exists.
   */
  readonly isTaken?: (answer: Answer) => boolean;
  /** Why another search may find a slightly different value: the end of a sentence. */
  readonly approximate?: string;
}

/** Looks for the limit of a quantity, with few requests. */
export async function searchLimit(asker: Asker, quantity: Quantity, search: Search): Promise<Finding> {
  const { title, accepted, stages, isTaken = () => false } = search;
  const answers = new Map<bigint, Answer>();
  const accepts = async (value: bigint): Promise<boolean> => {
    const answer = await asker.ask(quantity.noun(value), () => quantity.request(value));
    answers.set(value, answer);
    return answer.accepted || isTaken(answer);
  };
  const staged = await tryStages(accepted, stages, accepts);
  if ('reached' in staged) return notFound(asker, quantity, search, staged, answers.get(staged.reached));
  const boundary = await findBoundary(staged, search.landmarks, accepts);
  const { inside, outside } = boundary;
  if (!answers.has(inside) && !(await accepts(inside)))
    throw new CannotFind(`${quantity.noun(inside)} is rejected as well`);
  const [near, refused] = [answers.get(inside), answers.get(outside)];
  if (near === undefined || refused === undefined) throw new CannotFind('the search asked too little');
  const confirmed = await asker.confirm(refused, () => quantity.request(outside));
  const exception = await exceptionTo(boundary, search, accepts);
  const sides = { accepted: asker.side(near), rejected: asker.side(confirmed) };
  if (exception !== undefined) {
    const answer = answers.get(exception);
    if (answer?.accepted === false) await asker.confirm(answer, () => quantity.request(exception));
    const side = asker.side(answer as Answer);
    const sentence = `${title}: no single limit. ${capitalised(near.sent)} is accepted, ${quantity.noun(outside)} is rejected, and ${quantity.noun(exception)} is ${answer?.accepted ? 'accepted' : 'rejected'}.`;
    return {
      outcome: 'several',
      sentence,
      ...sides,
      ...(answer?.accepted === true ? { accepted: side } : { rejected: side }),
    };
  }
  const about = search.approximate === undefined ? '' : `, ${search.approximate}`;
  return {
    outcome: 'found',
    sentence: `${title}: ${quantity.inWords(inside)}${about}. ${capitalised(confirmed.sent)} gets ${sides.rejected.got}.`,
    value: String(inside),
    ...(search.approximate !== undefined && { approximate: true as const }),
    ...sides,
  };
}

/** Tries values that are farther and farther away, until one is rejected. */
async function tryStages(
  accepted: bigint,
  stages: readonly bigint[],
  accepts: (value: bigint) => Promise<boolean>,
): Promise<Boundary | { readonly reached: bigint; readonly why?: string }> {
  let inside = accepted;
  for (const stage of stages) {
    let isAccepted: boolean;
    try {
      isAccepted = await accepts(stage);
    } catch (cause) {
      // What was accepted before stays accepted.
      if (!(cause instanceof CannotFind) || inside === accepted) throw cause;
      return { reached: inside, why: cause.message };
    }
    if (!isAccepted) return { inside, outside: stage };
    inside = stage;
  }
  return { reached: inside };
}

function notFound(
  asker: Asker,
  quantity: Quantity,
  { title, upTo, unlimited, stages }: Search,
  { reached, why }: { readonly reached: bigint; readonly why?: string },
  answer: Answer | undefined,
): Finding {
  const isEnd = reached === stages.at(-1);
  const most = isEnd ? upTo : quantity.inWords(reached);
  const sentence = `${title}: not found up to ${most}.${why === undefined ? '' : ` Beyond that, ${why}.`}`;
  return {
    outcome: 'not-found',
    sentence: isEnd ? (unlimited ?? sentence) : sentence,
    upTo: String(reached),
    ...(answer !== undefined && { accepted: asker.side(answer) }),
  };
}

/** A value that contradicts a boundary: a rejected one on its near side, or an accepted one on its far side. */
async function exceptionTo(
  { inside, outside }: Boundary,
  { accepted, stages }: Search,
  accepts: (value: bigint) => Promise<boolean>,
): Promise<bigint | undefined> {
  const near = (inside + accepted) / 2n;
  if (near !== inside && near !== accepted && !(await accepts(near))) return near;
  const far = stages.at(-1) ?? outside;
  const beyond = (outside + far) / 2n;
  if (beyond !== outside && beyond !== far && (await accepts(beyond))) return beyond;
  return undefined;
}
