import { TOKEN_VARIABLE } from '../conformance/reporting/curl.js';
import { formsOf, redactionWith, SHORTEST } from '../conformance/reporting/redaction.js';

/**
 * What takes secrets out of a text. A HAR may hold thousands of them, and a text one or two: these are looked up, since
 * to try each on each text takes minutes.
 */
export function redactorOf(secrets: readonly string[]): (text: string) => string {
  const index = new SecretIndex(secrets);
  return (text) => {
    const [first, ...others] = index.formsIn(text);
    if (first === undefined) return text;
    const known = others.map((value) => ({ value, shell: TOKEN_VARIABLE }));
    return redactionWith(known, first).all(text);
  };
}

/** Secrets in every form in which they may be written, so that those in a text are found whatever their number. */
class SecretIndex {
  private readonly forms: ReadonlySet<string>;
  private readonly lengths: readonly number[];
  private readonly starts: ReadonlySet<string>;
  private readonly sorted: readonly string[];

  constructor(secrets: readonly string[]) {
    this.forms = new Set([...new Set(secrets)].flatMap(formsOf).filter(({ length }) => length >= SHORTEST));
    this.sorted = [...this.forms].sort();
    this.lengths = [...new Set(this.sorted.map(({ length }) => length))];
    this.starts = new Set(this.sorted.map((form) => form.slice(0, SHORTEST)));
  }

  /** What stands in a text, whole or cut off. */
  formsIn(text: string): ReadonlySet<string> {
    const found = new Set<string>();
    // Where the text was cut, at its end or before a "…", after a quote or not.
    let cut = -1;
    for (let at = 0; at + SHORTEST <= text.length; at++) {
      if (!this.starts.has(text.slice(at, at + SHORTEST))) continue;
      for (const length of this.lengths) {
        const whole = text.slice(at, at + length);
        if (this.forms.has(whole)) found.add(whole);
      }
      if (cut < at) cut = text.includes('…', at) ? text.indexOf('…', at) : text.length;
      const rest = text.slice(at, text[cut - 1] === '"' ? cut - 1 : cut);
      const longer = this.firstFrom(rest);
      if (longer?.startsWith(rest) === true) found.add(longer);
    }
    return found;
  }

  /** The first that is not before a text. */
  private firstFrom(text: string): string | undefined {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sorted[middle] as string) < text) low = middle + 1;
      else high = middle;
    }
    return this.sorted[low];
  }
}
