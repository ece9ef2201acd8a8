import type { Batch, Row, Verdict } from './wire.js';

/** What the list shows. */
export interface Filter {
  readonly text: string;
  /** None is all of them. */
  readonly verdicts: ReadonlySet<Verdict>;
  /** The first digit of the status; `0` is no response, and an empty string is any. */
  readonly status: string;
}

interface Entry {
  readonly row: Row;
  /** What the search looks at, in lower case. */
  readonly text: string;
}

/** The last exchanges that the page knows. */
export class RowStore {
  private entries = new Map<number, Entry>();
  /** Sorted numbers, the highest last. */
  private numbers: number[] = [];
  total = 0;

  /** @param most how many are kept, whatever the server says */
  constructor(public most: number) {}

  get size(): number {
    return this.entries.size;
  }

  get(number: number): Row | undefined {
    return this.entries.get(number)?.row;
  }

  add({ total, first, rows }: Batch): void {
    this.total = total;
    let isSorted = true;
    for (const row of rows) {
      if (!this.entries.has(row.number)) {
        isSorted &&= row.number > (this.numbers.at(-1) ?? 0);
        this.numbers.push(row.number);
      }
      this.entries.set(row.number, { row, text: textOf(row) });
    }
    if (!isSorted) this.numbers.sort((a, b) => a - b);
    const tooMany = Math.max(this.numbers.length - this.most, 0);
    const forgotten = this.numbers.findIndex((number, index) => number >= first && index >= tooMany);
    for (const number of this.numbers.splice(0, forgotten === -1 ? this.numbers.length : forgotten))
      this.entries.delete(number);
  }

  /** Forgets everything: another server listens, or the same again. */
  clear(): void {
    this.entries.clear();
    this.numbers = [];
    this.total = 0;
  }

  /** Those that a filter lets through, the latest first. */
  matching({ text, verdicts, status }: Filter): Row[] {
    const words = text
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const found: Row[] = [];
    for (let at = this.numbers.length - 1; at >= 0; at--) {
      const entry = this.entries.get(this.numbers[at] as number) as Entry;
      const { row } = entry;
      if (verdicts.size > 0 && !verdicts.has(row.verdict)) continue;
      if (status !== '' && String(row.status).charAt(0) !== status) continue;
      if (words.every((word) => entry.text.includes(word))) found.push(row);
    }
    return found;
  }

  /** How many have each verdict. */
  counts(): Readonly<Record<Verdict, number>> {
    const counts = { conforms: 0, response: 0, accepted: 0, request: 0, 'asked-for': 0, 'not-judged': 0 };
    for (const { row } of this.entries.values()) counts[row.verdict]++;
    return counts;
  }
}

function textOf(row: Row): string {
  const { method, target, status, problem = '', sent, received, failure = '', rejection = '' } = row;
  const shown = status === 0 ? 'no response' : status;
  return `${method} ${target}\n${shown}\n${problem}\n${sent}\n${received}\n${failure}\n${rejection}`.toLowerCase();
}
