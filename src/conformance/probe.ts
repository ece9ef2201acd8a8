import type { Expectation, ProbeRequest } from './exchange.js';

/** What a probe is made of: the token of the run, and values that no other probe of it has. */
export interface ProbeMaterial {
  readonly token: string;
  /** An id that this run has not used: random, positive, below 2^31. */
  freshId(): number;
  /** A random integer from `low` to `high`, that this run has not used; both included. */
  freshIdBetween(low: bigint, high: bigint): bigint;
  /** A name that this run has not used: 10 ASCII letters. Names may have to be unique, which is not shown. */
  freshName(): string;
  /** A well-formed token that is not the right one. */
  readonly wrongToken: string;
}

/**
 * When a probe is sent, so that what it does to the provider does not reach the others. Controls come first,
 * since all else rests on them; then what is valid, before any bad request could spoil it; wrong tokens come
 * last, for a provider may lock the client out, and afterwards it is seen whether it has.
 */
export const PHASES = [
  'control',
  'valid',
  'invalid',
  'recovery',
  'state',
  'wrong-token',
  'afterwards',
] as const;

/** When a probe is sent: one of {@link PHASES}. */
export type Phase = (typeof PHASES)[number];

/** A request, or a short sequence of them, that gives rules something to judge. */
export interface Probe {
  readonly name: string;
  /** What is sent, as a noun: "a plant without a name". */
  readonly title: string;
  /** What its requests are meant to meet with, where they do not say otherwise. */
  readonly expectation: Expectation;
  /**
   * The probe that differs in the thing probed only. Where that is not accepted although it must be, this one
   * proves nothing; where it may be refused and is, this one does not apply.
   */
  readonly control?: string;
  readonly phase: Phase;
  /** Whether its requests go out all at once, or (left out) one after the other. */
  readonly together?: boolean;
  /** Whether its requests go over one connection, if the provider keeps it open. */
  readonly oneConnection?: boolean;
  /** The requests, in the order in which they are sent; none where the material allows none. */
  requests(material: ProbeMaterial): readonly ProbeRequest[];
}

/** Types a probe where it is written. */
export function defineProbe(probe: Probe): Probe {
  return probe;
}
