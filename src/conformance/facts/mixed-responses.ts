import type { Exchange } from '../exchange.js';
import { FRESH_NAME, type Probe } from '../probe.js';
import { decodedBody, jsonOf, membersOf } from '../response-body.js';

/** A name in a response that belongs to another request. */
interface MixedResponse {
  readonly name: string;
  /** The request that has this name. */
  readonly owner: Exchange;
}

/** Fresh names are not looked for in bodies that are larger than this. */
const LARGEST = 2 ** 16;

/**
 * Finds responses that belong to other requests. No two probes have the same fresh name, so a response with the fresh name
 * of another request shows its plant. Each message is read once.
 */
export class MixedResponses {
  private readonly owners = new Map<string, Exchange[]>();
  private readonly byPlant = new Map<string, Exchange[]>();
  private readonly found = new Map<Exchange, MixedResponse>();
  /** The fresh names in each response. */
  private readonly received: ReadonlyMap<Exchange, readonly string[]>;
  /** Whether the response to a duplicate id shows the plant that has the id. */
  private readonly showsOldPlants: boolean;

  constructor(
    exchanges: readonly Exchange[],
    private readonly probes: ReadonlyMap<string, Probe>,
  ) {
    this.received = new Map(exchanges.map((exchange) => [exchange, receivedNames(exchange)]));
    for (const exchange of exchanges) {
      for (const name of sentNames(exchange)) add(this.owners, name, exchange);
      if (exchange.request.plant !== undefined) add(this.byPlant, exchange.request.plant.name, exchange);
    }
    this.showsOldPlants = exchanges.some(
      (one) => one.probe === 'repeated-id' && one.request.idMayExist && this.foreignName(one) !== undefined,
    );
    for (const exchange of exchanges) {
      const mixed = this.foreignName(exchange);
      if (mixed !== undefined && !this.mayBeOldPlant(exchange, mixed)) this.found.set(exchange, mixed);
    }
  }

  /** The request to which the response of an exchange belongs, if that is another one. */
  of(exchange: Exchange): MixedResponse | undefined {
    return this.found.get(exchange);
  }

  /** Whether a response has a fresh name of its own request. */
  isOwn(exchange: Exchange): boolean {
    const names = this.received.get(exchange) ?? [];
    return names.some((name) => this.owners.get(name)?.includes(exchange));
  }

  /**
   * Whether the plant in a response is that of another request. Names that are the same in every run, or in several requests at
   * once, do not show it. They count only if the provider mixes responses, and the other request was sent at the same time.
   */
  belongsToAnother(exchange: Exchange): boolean {
    if (this.found.has(exchange)) return true;
    const plant = this.found.size === 0 ? undefined : plantOf(exchange);
    if (plant === undefined) return false;
    const own = exchange.request.plant;
    const isOther = plant.name !== own?.name;
    if (!isOther && plant.tag === own?.tag) return false;
    const others = this.byPlant.get(plant.name) ?? [];
    return others.some((other) => {
      const hasTag = isOther || other.request.plant?.tag === plant.tag;
      return other !== exchange && hasTag && overlap(exchange, other);
    });
  }

  private foreignName(exchange: Exchange): MixedResponse | undefined {
    for (const name of this.received.get(exchange) ?? []) {
      const owners = this.owners.get(name) ?? [];
      const [owner] = owners;
      if (owner !== undefined && !owners.includes(exchange)) return { name, owner };
    }
    return undefined;
  }

  /**
   * Whether a response may show an existing plant. That is allowed if its id may be the same: it is a duplicate, it is one
   * of several ids in a row that differ in a few bits, or the provider may have converted an invalid id.
   */
  private mayBeOldPlant({ probe: name, request, expectation }: Exchange, { owner }: MixedResponse): boolean {
    if (request.idMayExist === true) return true;
    if (this.showsOldPlants && expectation === 'rejected') return true;
    const probe = this.probes.get(name);
    return owner.probe === name && probe?.together !== true && probe?.oneConnection !== true;
  }
}

function add(map: Map<string, Exchange[]>, key: string, exchange: Exchange): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [exchange]);
  else known.push(exchange);
}

function sentNames({ request }: Exchange): Set<string> {
  const { body, plant, query = '' } = request;
  return new Set([
    ...freshNames(body),
    ...(plant?.name.match(FRESH_NAME) ?? []),
    ...(query.match(FRESH_NAME) ?? []),
  ]);
}

/** The fresh names in a response. In its JSON, too, any letter may be escaped. */
function receivedNames(exchange: Exchange): readonly string[] {
  const { request, response } = exchange;
  if (response === undefined || request.otherOperation !== undefined) return [];
  const bytes = decodedBody(response);
  return typeof bytes === 'string' ? [] : freshNames(bytes);
}

const ESCAPED_LETTERS = /\\u00([4-7][0-9a-fA-F])/g;

function freshNames({ buffer, byteOffset, byteLength }: Uint8Array): readonly string[] {
  if (byteLength > LARGEST) return [];
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
  const plain = text.includes('\\u00')
    ? text.replace(ESCAPED_LETTERS, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)))
    : text;
  return plain.match(FRESH_NAME) ?? [];
}

function plantOf({ response }: Exchange): { readonly name: string; readonly tag: unknown } | undefined {
  const { name, tag } = membersOf(response && jsonOf(response)) ?? {};
  return typeof name === 'string' ? { name, tag } : undefined;
}

/** Whether two exchanges took place at the same time. */
export function overlap(one: Exchange, other: Exchange): boolean {
  return one.startMs <= other.startMs + other.durationMs && other.startMs <= one.startMs + one.durationMs;
}
