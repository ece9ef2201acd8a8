import { type Context, createContext, Script } from 'node:vm';

/** How long one house rule may judge in a check, and all of them together, in milliseconds. */
const OF_RULE_MS = 2_000;
const OF_ALL_MS = 3_000;

/** A function of the user took too long, and was ended. */
export class TookTooLong extends Error {}

/** Where a function is called from. Most checks have no house rules. */
let place: { readonly context: Context; readonly script: Script } | undefined;

/**
 * Calls a function, and ends it if it takes too long, even in an endless loop.
 *
 * @throws TookTooLong; and what the function throws
 */
export function withinTime<T>(ms: number, work: () => T): T {
  if (ms <= 0) throw new TookTooLong();
  place ??= { context: createContext({}), script: new Script('work()') };
  place.context.work = work;
  try {
    // Node ends a script after this time, with all that it has called.
    return place.script.runInContext(place.context, { timeout: Math.ceil(ms) });
  } catch (cause) {
    const { code } = Object(cause) as { readonly code?: unknown };
    throw code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? new TookTooLong() : cause;
  } finally {
    delete place.context.work;
  }
}

/** The time that the house rules of one check have for judging. */
export class JudgingTime {
  private leftMs = OF_ALL_MS;

  /** The part of one rule: calls a function in the time that is left. */
  share(): <T>(work: () => T) => T {
    let ownMs = OF_RULE_MS;
    return (work) => {
      const start = performance.now();
      try {
        return withinTime(Math.min(ownMs, this.leftMs), work);
      } finally {
        const spentMs = performance.now() - start;
        ownMs -= spentMs;
        this.leftMs -= spentMs;
      }
    };
  }
}
