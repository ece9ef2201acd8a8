import { type Fields, secretsOf } from '../http/fields.js';
import { createRedactor, type Redactor } from '../report/redaction.js';

/** So many credentials are remembered: to look for more takes too long whenever another one comes. */
const MOST_SEEN = 1_000;
/** One request cannot push out those of all others. */
const MOST_OF_ONE = 20;

/**
 * Remembers the credentials of requests. A provider may send them back to the same request, to one under way at the same
 * time, or to any later one.
 */
export class SeenSecrets {
  /** The last one that was sent is at the end. */
  private readonly seen = new Set<string>();
  private redactor: Redactor | undefined;

  /** @param own what is always a secret */
  constructor(private readonly own: readonly string[] = []) {}

  /** Remembers those of a request. Call it before anything can come back. */
  add(headers: Fields): void {
    for (const secret of secretsOf(headers).slice(0, MOST_OF_ONE)) {
      if (!this.seen.delete(secret)) this.redactor = undefined;
      this.seen.add(secret);
    }
    for (const secret of this.seen) {
      if (this.seen.size <= MOST_SEEN) break;
      this.seen.delete(secret);
    }
  }

  /** Takes out all that are remembered, and those of a request that are not, or no longer. */
  redactorFor(headers: Fields): Redactor {
    this.redactor ??= redactorOf([...this.own, ...this.seen]);
    const others = secretsOf(headers).filter((secret) => !this.seen.has(secret));
    return others.length === 0 ? this.redactor : both(this.redactor, redactorOf(others));
  }
}

function redactorOf(values: readonly string[]): Redactor {
  return createRedactor(values.map((value) => ({ value })));
}

function both(first: Redactor, second: Redactor): Redactor {
  return {
    message: (text) => second.message(first.message(text)),
    fields: (fields) => second.fields(first.fields(fields)),
    data: (data) => second.data(first.data(data)),
  };
}
