import { type CheckOptions, checkConformance } from 'plant-store-contract/conformance';
import { createPlantStore, type Fault, type FaultName, startPlantStore } from 'plant-store-contract/server';

const token = 'a-token-of-these-tests';

/** Faults that show only on a connection. */
const ON_A_CONNECTION: ReadonlySet<FaultName> = new Set([
  ...(['authenticates-the-connection', 'compares-eight-characters', 'compares-both-ends'] as const),
  ...(['compares-field-names-in-case', 'counts-characters', 'reads-first-segment'] as const),
  ...(['reads-first-chunk', 'decodes-each-segment', 'fails-on-expect', 'fails-on-http-1-0'] as const),
  ...(['leaves-bodies-on-connections', 'resets-chunked-bodies', 'keeps-tags-on-connections'] as const),
  ...(['fails-tenth-on-connections', 'finds-names-in-any-spelling', 'keeps-tags-of-names'] as const),
]);

/**
 * The rules that fail in a check of the reference server with a fault. The server is asked in this process, unless the fault
 * shows only on a connection: that takes half the time.
 */
export async function rulesBrokenBy({ name }: Fault, options: Partial<CheckOptions> = {}): Promise<string[]> {
  const given = { token, prism: false, timeoutMs: timeoutOf(name), ...options };
  if (!ON_A_CONNECTION.has(name)) {
    const { fetch } = createPlantStore({ token, faults: [name] });
    return await failing({ ...given, baseUrl: 'http://localhost', fetch });
  }
  await using store = await startPlantStore({ token, faults: [name] });
  // Of few connections, several carry ten plants.
  const few = name === 'fails-tenth-on-connections' && { concurrency: 4 };
  return await failing({ ...given, ...few, baseUrl: store.url });
}

/** A machine that is busy for a while must not look like a provider that hangs. */
function timeoutOf(name: FaultName): number {
  return name.startsWith('hangs') ? 1_000 : 20_000;
}

async function failing(options: CheckOptions): Promise<string[]> {
  const { rules } = await checkConformance(options);
  return rules
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ id }) => id)
    .sort();
}
