import type { RequestLine, StartLine } from './head.js';

/** Which requests a response can answer. */
export interface Pairing {
  /** One where that is certain; none where it may be any, or one that is not there. */
  readonly requests: readonly RequestLine[];
  /** What was assumed, as a sentence. */
  readonly note?: string;
}

const LAST_OF_SEVERAL =
  'several requests stand before it, and it is taken for the answer to the last of them';

/** Requests that stand one behind the other, and the responses that follow before the next request. */
interface Turn {
  readonly requests: RequestLine[];
  readonly responses: StartLine[];
}

/**
 * Tells which request each response answers, from the order of both alone. A log may lack answers that never came; on a
 * connection, several requests may have been sent before the first answer, and then answers come in the order of the
 * requests (RFC 9112, section 9.3.2). Where either is possible, each request that can be meant is named.
 */
export function pairings(starts: readonly StartLine[]): ReadonlyMap<StartLine, Pairing> {
  const pipelined = inOrder(starts);
  const pairs = new Map<StartLine, Pairing>();
  for (const { requests, responses } of turns(starts))
    for (const [at, response] of responses.entries()) {
      const pairing = withinTurn(requests, at, responses.length);
      pairs.set(response, withOther(pairing, pipelined.get(response)));
    }
  return pairs;
}

function withOther(pairing: Pairing, other: RequestLine | undefined): Pairing {
  const { requests } = pairing;
  if (other === undefined || requests.length === 0 || requests.includes(other)) return pairing;
  return { ...pairing, requests: requests.length === 1 ? [...requests, other] : [] };
}

function turns(starts: readonly StartLine[]): Turn[] {
  const all: Turn[] = [{ requests: [], responses: [] }];
  for (const start of starts) {
    const last = all.at(-1) as Turn;
    if (start.kind === 'response') last.responses.push(start);
    else if (last.responses.length === 0) last.requests.push(start);
    else all.push({ requests: [start], responses: [] });
  }
  return all;
}

function withinTurn(requests: readonly RequestLine[], at: number, responses: number): Pairing {
  // Nobody sends several requests at once to have one answered.
  if (responses === 1)
    return { requests: requests.slice(-1), ...(requests.length > 1 && { note: LAST_OF_SEVERAL }) };
  if (requests.length === responses) return { requests: requests.slice(at, at + 1) };
  if (requests.length > responses) return { requests };
  // The rest may answer requests that are not there; that of a single request comes first.
  return { requests: requests.length === 1 && at === 0 ? requests : [] };
}

/** The same as if every answer came in the order of the requests, up to the last that leaves none without. */
function inOrder(starts: readonly StartLine[]): ReadonlyMap<StartLine, RequestLine> {
  const pairs = new Map<StartLine, RequestLine>();
  const waiting: RequestLine[] = [];
  let open: [StartLine, RequestLine][] = [];
  for (const start of starts) {
    if (start.kind === 'request') waiting.push(start);
    else {
      const request = waiting.shift();
      if (request !== undefined) open.push([start, request]);
    }
    if (waiting.length > 0) continue;
    for (const [response, request] of open) pairs.set(response, request);
    open = [];
  }
  return pairs;
}
