import { isObject } from '../../validation/json-value.js';
import { jsonOf } from '../body.js';
import type { Exchange } from '../exchange.js';
import { FRESH_NAME, type Probe } from '../probe.js';
import type { KeptSequence } from './findings.js';

/** How many of the last requests are remembered. More are never under way at once. */
const REMEMBERED = 500;
const LARGEST = 4096;
/** One mixed response proves the failure. A few more show how it comes about. */
const MOST_PAIRS = 3;

/** Finds responses with the plant of another request among the last requests. */
export class RecentPlants {
  readonly pairs: KeptSequence[] = [];
  private readonly byName = new Map<string, Exchange>();

  add(exchange: Exchange): void {
    const name = exchange.request.plant?.name;
    if (name === undefined || !isFresh(name) || exchange.request.body.length > LARGEST) return;
    this.byName.set(name, exchange);
    if (this.byName.size <= REMEMBERED) return;
    for (const oldest of this.byName.keys()) {
      this.byName.delete(oldest);
      break;
    }
  }

  /** Remembers an exchange whose response has the plant of another request, and says whether it is one. */
  isMixed(exchange: Exchange): boolean {
    const read = exchange.response && jsonOf(exchange.response);
    const name = read?.ok === true && isObject(read.value) ? read.value.name : undefined;
    // The provider may show the plant that has the id already: the id is a duplicate, or was converted to one.
    if (exchange.request.idMayExist === true || exchange.expectation === 'rejected') return false;
    if (typeof name !== 'string' || !isFresh(name)) return false;
    const owner = this.byName.get(name);
    if (owner === undefined || Buffer.from(exchange.request.body).includes(name)) return false;
    if (this.pairs.length < MOST_PAIRS) this.pairs.push(pairOf(owner, exchange, this.pairs.length + 1));
    return true;
  }
}

/** Two exchanges: the response of the second belongs to the request of the first. */
function pairOf(owner: Exchange, exchange: Exchange, number: number): KeptSequence {
  const probe: Probe = {
    name: `volume/explored-mixed-${number}`,
    title: 'a plant among many others',
    expectation: 'open',
    phase: 'state',
    together: true,
    requests: () => [owner.request, exchange.request],
  };
  const within = { probe: probe.name, role: 'judged' } as const;
  return {
    probe,
    exchanges: [
      { ...owner, ...within, step: 0 },
      { ...exchange, ...within, step: 1 },
    ],
  };
}

function isFresh(name: string): boolean {
  return name.match(FRESH_NAME)?.[0] === name;
}
