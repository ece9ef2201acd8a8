import { headerValues } from '../../http/fields.js';
import type { NewPlant } from '../../spec/types.js';
import { invalidOption } from '../../toolkit-error.js';
import { narrow } from '../../validation/json-value.js';
import type { IncomingRequest } from '../exchange.js';
import { checkFailure } from './check-failure.js';
import { copyOf, type Failure, idOf } from './failure.js';

/** More would make each creation slow. */
const MOST_FAILURES = 1_000;

/** A failure that is set. */
interface Entry {
  readonly failure: Failure;
  readonly matches: (plant: NewPlant, request: IncomingRequest) => boolean;
  /** How many creations matched, and how many of these failed. */
  matched: number;
  used: number;
}

/**
 * The failures that are set. Those with `times` come first, in the order in which they were set, then the others, the
 * latest first. The first one that matches a creation applies to it.
 */
export class FailureQueue {
  private counted: Entry[] = [];
  private standing: Entry[] = [];

  /** @param initial the failures that are set at the start, and again by {@link reset} */
  constructor(private readonly initial: readonly Failure[]) {
    this.reset();
  }

  /**
   * Sets a failure.
   *
   * @throws ToolkitError `invalid-option` if it is not a failure, or if there are too many
   */
  add(given: Failure): Failure {
    const failure = checkFailure(given);
    if (this.counted.length + this.standing.length >= MOST_FAILURES)
      throw invalidOption(`at most ${MOST_FAILURES} failures can be set at a time`);
    const entry: Entry = { failure, matches: matcherOf(failure), matched: 0, used: 0 };
    if (failure.times === undefined) this.standing.unshift(entry);
    else this.counted.push(entry);
    return failure;
  }

  /** Removes every failure. */
  clear(): void {
    this.counted = [];
    this.standing = [];
  }

  /** Back to the failures of the start. */
  reset(): void {
    this.clear();
    for (const failure of this.initial) this.add(failure);
  }

  /** The failures that still apply, in the order in which they are asked. `times` is what is left of it. */
  list(): Failure[] {
    return [...this.counted, ...this.standing].map(whatIsLeft);
  }

  /** The failures that were set and not used, or not as often as `times` says. */
  unused(): Failure[] {
    return [...this.counted, ...this.standing.filter(({ used }) => used === 0)].map(whatIsLeft);
  }

  /** The failure that applies to a creation. It counts as used. */
  take(plant: NewPlant, request: IncomingRequest): Failure | undefined {
    const isDue = (entry: Entry): boolean =>
      entry.matches(plant, request) && ++entry.matched % (entry.failure.every ?? 1) === 0;
    const due = this.counted.find(isDue) ?? this.standing.find(isDue);
    if (due === undefined) return undefined;
    if (++due.used === due.failure.times) this.counted = this.counted.filter((entry) => entry !== due);
    return due.failure;
  }
}

function whatIsLeft({ failure, used }: Entry): Failure {
  const copy = copyOf(failure);
  return failure.times === undefined ? copy : { ...copy, times: failure.times - used };
}

function matcherOf({ when }: Failure): Entry['matches'] {
  if (when === undefined) return () => true;
  const id = idOf(when.id);
  const exact = id === undefined ? undefined : narrow(id);
  const fields = Object.entries(when.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  return (plant, { headers }) =>
    (when.name === undefined || plant.name === when.name) &&
    (exact === undefined || narrow(plant.id) === exact) &&
    fields.every(([name, value]) => headerValues(headers, name).includes(value));
}
