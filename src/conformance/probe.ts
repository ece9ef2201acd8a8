import type { ProbeRequest } from './exchange.js';

/** What a probe is made of: the token of the run, and values that no other probe of it has. */
export interface ProbeMaterial {
  readonly token: string;
  /** An id that this run has not used: random, positive, below 2^31. */
  freshId(): number;
  /** A well-formed token that is not the right one. */
  readonly wrongToken: string;
}

/**
 * When a probe is sent. Controls come first, since all else rests on them; wrong tokens come last, for a provider
 * may lock the client out, and afterwards it is seen whether it has.
 */
export const PHASES = ['control', 'main', 'wrong-token', 'afterwards'] as const;

export type Phase = (typeof PHASES)[number];

/** A request, or a short sequence of them, that gives rules something to judge. */
export interface Probe {
  readonly name: string;
  /** What is sent, as a noun: "a plant without a name". */
  readonly title: string;
  /**
   * `valid`: a plant that must be created; `invalid`: a request that must be refused; `open`: the interface does
   * not say.
   */
  readonly kind: 'valid' | 'invalid' | 'open';
  /** The valid probe that differs in the thing probed only. Where that is not accepted, this proves nothing. */
  readonly control?: string;
  readonly phase: Phase;
  /** The requests, in the order in which they are sent. */
  requests(material: ProbeMaterial): readonly ProbeRequest[];
}

/** Types a probe where it is written. */
export function defineProbe(probe: Probe): Probe {
  return probe;
}
