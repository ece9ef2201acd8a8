interface Described {
  readonly description: string;
  readonly states: readonly string[];
}

/** `web-shop → plant-store` */
export function groupTitle({ consumer, provider }: { readonly consumer: string; readonly provider: string }) {
  return `${consumer} → ${provider}`;
}

/**
 * Ids for the interactions of one report: each is readable, unique, and the same in every run.
 *
 * @param options whether each id names its consumer; otherwise only an id does that would occur twice
 * @returns gives the id of the next interaction: `a creation, given no plant with id`
 */
export function caseIds({ withConsumer = false } = {}): (interaction: Described, consumer: string) => string {
  const used = new Set<string>();
  const lastNumbers = new Map<string, number>();
  return ({ description, states }, consumer) => {
    const plain = states.length === 0 ? description : `${description}, given ${states.join(' and ')}`;
    const named = `${plain} (${consumer}`;
    let id = withConsumer || used.has(plain) ? `${named})` : plain;
    // All interactions may have one description: the next number is not looked for from the start.
    for (let n = lastNumbers.get(named) ?? 2; used.has(id); n++) {
      id = `${named}, ${n})`;
      lastNumbers.set(named, n + 1);
    }
    used.add(id);
    return id;
  };
}
