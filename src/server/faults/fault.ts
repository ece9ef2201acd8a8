import type { Behaviour } from '../behaviour.js';
import type { PlantMap } from '../plants.js';
import type { Steps } from '../steps.js';

/** What a fault may use of its server. */
export interface FaultTools {
  readonly settings: Behaviour;
  readonly plants: PlantMap;
}

/** A named way to make the reference server nonconforming. */
export interface Fault {
  readonly name: string;
  /** What the server does wrong, as a sentence. */
  readonly title: string;
  /** The ids of all rules that this breaks. */
  readonly breaks: readonly string[];
  /** Whether it shows only for rare input: a check finds it by chance at most, and exploring does. */
  readonly needsExploring?: true;
  /** Returns the steps that replace the given steps. */
  replace(steps: Steps, tools: FaultTools): Partial<Steps>;
}

/** Faults by name. */
export type Faults = Readonly<Record<string, Omit<Fault, 'name'>>>;
