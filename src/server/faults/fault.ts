import type { Settings } from '../options.js';
import type { Steps } from '../steps.js';
import type { PlantMap } from '../store.js';
import type { FaultName } from './names.js';

/** What a fault may use of the server that it breaks. */
export interface FaultTools {
  readonly settings: Settings;
  readonly plants: PlantMap;
}

/** A named way in which the reference server can be made wrong. */
export interface Fault {
  readonly name: FaultName;
  /** What the server does then, as a sentence. */
  readonly title: string;
  /** The ids of the rules that this breaks: those, and no others. */
  readonly breaks: readonly string[];
  /** The steps that it puts in the place of the given ones. */
  replace(steps: Steps, tools: FaultTools): Partial<Steps>;
}

/** Types a fault where it is written. */
export function defineFault(fault: Fault): Fault {
  return fault;
}
