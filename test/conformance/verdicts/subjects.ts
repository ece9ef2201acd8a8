import { type CheckOptions, checkConformance } from 'plant-store-contract/conformance';
import { type Fault, startPlantStore } from 'plant-store-contract/server';
import { isBroken } from '../../../src/report/conclusion.js';
import { has, hasPython } from '../../tools.js';
import { allFaults } from '../faults/index.js';
import { failures } from '../providers/correct/failures.js';
import { startCorrect } from '../providers/correct/provider.js';
import { strings } from '../providers/correct/strings.js';
import * as variations from '../providers/correct/variations.js';
import { startGo, startPython } from '../providers/programs.js';
import type { Provider } from '../providers/provider.js';

/** What a check says of a provider, without what each version may change: rows, counts, wording. */
export interface Verdicts {
  readonly conclusion: string;
  /** The ids of the rules that it breaks, warnings included, sorted. */
  readonly broken: readonly string[];
}

/** A provider that has a line in the table. */
export interface Subject {
  readonly name: string;
  /**
   * When it is checked: at any time; at any time, but early, because it waits for a minute; or alone, because its verdicts depend
   * on time.
   */
  readonly when: 'any' | 'waiting' | 'alone';
  /** Whether this machine lacks what it needs. */
  readonly isMissing: boolean;
  readonly check: () => Promise<Verdicts>;
}

const token = 'a-token-of-these-tests';

/** Prism is not asked: its opinion changes no verdict. The limits are long, because the machine may be busy. */
const PATIENT = { token, prism: false, timeoutMs: 20_000, timeLimitMs: 300_000 };

/** Faults that show if requests meet, or if parts of one do not: other work may hide them. */
const IS_TIMED =
  /^(races|mixes|leaks-places)-|^(reads-first-segment|reads-first-chunk|decodes-each-segment)$/;

async function verdictsOf(options: Partial<CheckOptions> & { readonly baseUrl: string }): Promise<Verdicts> {
  const { conclusion, rules, exploration } = await checkConformance({ ...PATIENT, ...options });
  const failed = rules.filter(isBroken).map(({ id }): string => id);
  // How often a draw meets rare input is chance.
  const broken = exploration === undefined ? failed : failed.filter((id) => !/intermittent/.test(id));
  return { conclusion, broken: broken.sort() };
}

function ofFault(fault: Fault): Subject {
  const { name, needsExploring } = fault;
  const hangs = name.startsWith('hangs-');
  const options = {
    ...(hangs && { timeoutMs: 1_000 }),
    ...(needsExploring === true && { explore: { runs: 1_500, seed: 2 } }),
  };
  return {
    name: `fault: ${name}`,
    when: hangs || IS_TIMED.test(name) ? 'alone' : 'any',
    isMissing: false,
    async check() {
      await using store = await startPlantStore({ token, faults: [fault] });
      return await verdictsOf({ ...options, baseUrl: store.url });
    },
  };
}

/**
 * @param checks how often it is checked, one check after the other. The last one counts.
 * @param options of each check
 */
function started(
  name: string,
  start: () => Promise<Provider>,
  {
    checks = 1,
    options = {},
    ...given
  }: Partial<Subject> & { readonly checks?: number; readonly options?: Partial<CheckOptions> } = {},
): Subject {
  const check = async (): Promise<Verdicts> => {
    await using provider = await start();
    for (let i = 1; i < checks; i++) await verdictsOf({ ...options, baseUrl: provider.url });
    return await verdictsOf({ ...options, baseUrl: provider.url });
  };
  return { name, when: 'any', isMissing: false, check, ...given };
}

const each = (kind: string, of: variations.Variations, given = {}): Subject[] =>
  Object.entries(of).map(([name, variation]) =>
    started(`${kind}: ${name}`, () => startCorrect(token, variation), given),
  );

const { statuses, stores, plants, authentication, fields, limits, writings, traffic, transfers } = variations;

/** Every fault of the reference server, and every correct provider that needs no installed package. */
export const subjects: readonly Subject[] = [
  ...allFaults.map(ofFault),
  ...[statuses, plants, authentication, fields, limits, writings, traffic, transfers].flatMap((of) =>
    each('correct', of),
  ),
  ...[strings, failures].flatMap((of) => each('correct', of)),
  ...each('correct, in a second check', stores, { checks: 2 }),
  ...each('correct', variations.waiting, { when: 'waiting' }),
  ...each('correct', variations.scarce, {
    when: 'waiting',
    options: { timeLimitMs: 150_000 },
  }),
  ...each('correct, at 9 requests a second', variations.withoutBurst, {
    when: 'waiting',
    options: { rate: 9, timeLimitMs: 150_000 },
  }),
  ...each('locks clients out', variations.lockouts),
  ...['http10', 'single+http11'].map((variation) =>
    started(`correct: Python, ${variation}`, () => startPython(token, variation), { isMissing: !hasPython }),
  ),
  started('correct: Go', () => startGo(token), { isMissing: !has('go', 'version') }),
];
