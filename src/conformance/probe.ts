import { randomBytes, randomInt } from 'node:crypto';
import type { Expectation, Fields, RequestShape } from './exchange.js';

/** What requests are made of: the token of the run, and values that no other request of the run has. */
export interface ProbeValues {
  readonly token: string;
  /** A random id that this run has not used: positive, below 2^31. */
  freshId(): number;
  /** A random id that this run has not used, from `low` to `high`, both included. */
  freshIdBetween(low: bigint, high: bigint): bigint;
  /** A name that this run has not used: 10 ASCII letters. A provider may require unique names. */
  freshName(): string;
  /** A well-formed token that the provider does not know. */
  readonly wrongToken: string;
}

const IDS_BELOW = 2 ** 31;
const MOST_TRIES = 100;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const NAME_LETTERS = 6;

/** Every fresh name in a text. */
export const FRESH_NAME: RegExp = new RegExp(`Aloe[a-z]{${NAME_LETTERS}}`, 'g');

/**
 * Values for the probes of one run. They are random, so that runs do not collide.
 *
 * @param token the token, or where it is read each time: before exploring, there may be another one
 */
export function freshValues(token: string | { readonly current: string }): ProbeValues {
  const used = new Set<number | bigint | string>();
  const fresh = <T extends number | bigint | string>(make: () => T): T => {
    let value = make();
    // Of ids with one digit there are eight. Exploring draws more, and their rows allow that the id exists.
    for (let tries = 0; used.has(value) && tries < MOST_TRIES; tries++) value = make();
    used.add(value);
    return value;
  };
  return {
    get token() {
      return typeof token === 'string' ? token : token.current;
    },
    // A usual length, and no character that a base64 decoder could read as padding.
    wrongToken: `wrong${randomBytes(15).toString('hex')}`,
    freshId: () => fresh(() => randomInt(1, IDS_BELOW)),
    freshIdBetween: (low, high) => fresh(() => low + (randomBytes(9).readBigUInt64BE(1) % (high - low + 1n))),
    freshName: () =>
      fresh(() => `Aloe${Array.from({ length: NAME_LETTERS }, () => LETTERS[randomInt(26)]).join('')}`),
  };
}

/**
 * When a probe is sent. The order protects the later probes from the earlier ones. Controls are first, because
 * every verdict depends on them. Valid requests follow, before an invalid request can disturb the provider. Probes of house
 * rules may send anything, so they come after those of the interface. Wrong tokens are late, because a provider may lock
 * the client out. The phase `afterwards` shows whether it has. What is deep or very long is last: it may stop the provider.
 */
export const PHASES = [
  ...(['control', 'valid', 'invalid', 'recovery', 'state', 'house'] as const),
  ...(['wrong-token', 'afterwards', 'heavy'] as const),
];

/** When a probe is sent: one of {@link PHASES}. */
export type Phase = (typeof PHASES)[number];

/** The names of the probes that are controls of other probes. */
export type ControlName = 'plain-plant' | 'plain-plant-with-tag' | 'id-near-upper-end' | 'id-near-lower-end';

/** A request as plain data. */
export interface RequestRow extends RequestShape {
  /** Default: those that the interface requires, with the right token. */
  readonly headers?: Fields;
  readonly body: string;
  /** How the bytes of the body are made of its text. Default: UTF-8. */
  readonly encoding?: 'gzip' | 'utf-16le';
  /**
   * The plant that must come back if the request is accepted. Default: the one that the body means, if it is a NewPlant.
   * `false`: another plant may come back.
   */
  readonly plant?: false | { readonly name: string; readonly id: string; readonly tag?: string };
}

/** What a rule has sent: one request, or a short sequence. As plain data, it is drawn, made smaller, saved and read again. */
export interface Row {
  readonly name: string;
  /** What is sent, as a noun: "a plant without a name". */
  readonly title: string;
  /** The expected response to its requests, unless a request has its own expectation. */
  readonly expectation: Expectation;
  /** The ids of the rules that it is sent for, beside that which owns it. */
  readonly rules?: readonly string[];
  /** Default: `invalid` if its requests must be rejected, and `valid` if not. */
  readonly phase?: Phase;
  /**
   * The row that differs only in the thing that is tried. If its request must be accepted and is not, this row proves nothing. If
   * its request may be rejected and is, this row does not apply. Default: a plain plant, with a tag if the first body has one.
   * `false`: none.
   */
  readonly control?: ControlName | false;
  /** Whether its requests are sent at the same time. Default: one after the other. */
  readonly together?: boolean;
  /** Whether no other request may be under way meanwhile. Those of the phases `control`, `recovery` and `heavy` are alone. */
  readonly alone?: boolean;
  /** Whether its requests use one connection, if the provider keeps it open. */
  readonly oneConnection?: boolean;
  /** Whether its requests are hostile, or hardly any client sends them: if the provider fails on them, that is a warning. */
  readonly rare?: boolean;
  /** The bounds of its fresh ids, as decimal digits. */
  readonly ids?: readonly [low: string, high: string];
  /** What is sent if the provider does not accept its only request, to see which part it is about. */
  readonly parts?: readonly Row[];
  /** The requests in the order in which they are sent. */
  readonly requests: readonly RequestRow[];
}

/** A row with its defaults filled in. */
export interface Probe extends Row {
  readonly phase: Phase;
  readonly control?: ControlName;
  readonly parts?: readonly Probe[];
}

/**
 * The phases whose probes are alone: every other probe depends on controls, a valid request must follow an invalid one, and it
 * must be clear which request stopped the provider.
 */
const ALONE: ReadonlySet<Phase> = new Set<Phase>(['control', 'recovery', 'heavy']);

/** Whether a provider may have locked the client out before the probes of a phase, or while they are sent. */
export function isAfterWrongTokens(phase: Phase | undefined): boolean {
  return phase !== undefined && PHASES.indexOf(phase) >= PHASES.indexOf('wrong-token');
}

/** Whether no other request may be under way while a probe is sent. */
export function isAlone({ alone, phase }: Probe): boolean {
  return alone ?? ALONE.has(phase);
}

/**
 * Whether a check without time for all leaves a probe out, or sends it last. Those whose names have no slash are the most telling
 * ones.
 */
export function mayBeLeftOut(probe: Pick<Probe, 'name'>): boolean {
  return probe.name.includes('/') && !isHouseProbe(probe.name);
}

/** Whether a provider may accept the requests of a probe. An invalid request must not succeed at all. */
export function mayBeAccepted({ expectation }: Probe): boolean {
  return expectation !== 'rejected';
}

/** Whether a probe sends valid plants, perhaps beside other requests. */
export function sendsValidPlants({ phase, expectation }: Probe): boolean {
  return expectation !== 'rejected' || phase === 'recovery' || phase === 'state';
}

/** The id of a house rule, or the name of a probe of one. No rule and no probe of the interface begins like this. */
export type HouseId = `house/${string}`;

/** Whether a probe of this name belongs to house rules. */
export function isHouseProbe(name: string): boolean {
  return name.startsWith('house/');
}

/** Whether a row of this name was drawn, and is not one of those that there are. */
export function isDrawn(name: string): boolean {
  return name.startsWith('drawn/');
}
