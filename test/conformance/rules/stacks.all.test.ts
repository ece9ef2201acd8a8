import { checkConformance } from 'plant-store-contract/conformance';
import { describe, expect, test, vi } from 'vitest';
import { has } from '../../tools.js';
import { startGo, startJava } from '../providers/programs.js';
import type { Provider } from '../providers/provider.js';

vi.setConfig({ maxConcurrency: 2 });

const token = 'a-token-of-these-tests';

type Start = (token: string, variation: string) => Promise<Provider>;

/** The programs on nothing but a standard library, and the documented rules that each of their mistakes breaks. */
const STACKS: readonly [name: string, isHere: boolean, Start, Readonly<Record<string, readonly string[]>>][] =
  [
    [
      'net/http in Go',
      has('go', 'version'),
      startGo,
      {
        struct: [],
        'http-error': ['failure/media-type-is-json', 'failure/body-is-an-error'],
        created: ['success/status-is-200'],
        'optional-token': ['auth/missing-token-is-refused'],
      },
    ],
    [
      'HttpServer in Java',
      has('java', '-version'),
      startJava,
      { 'long-value': [], 'empty-failures': ['failure/media-type-is-json', 'failure/body-is-an-error'] },
    ],
  ];

describe.each(STACKS)('%s', (_name, isHere, start, mistakes) => {
  test.runIf(isHere).for(Object.entries(mistakes))(
    'breaks rules with the mistake %s',
    async ([mistake, documented]) => {
      await using provider = await start(token, mistake);
      const check = { baseUrl: provider.url, token, prism: false };
      const { conclusion, counts, rules } = await checkConformance(check);
      // What only a client notices that breaks the interface itself is a warning.
      expect(conclusion).toBe(documented.length > 0 ? 'does-not-conform' : 'conforms');
      expect(counts.fail + counts.warn).toBeGreaterThan(0);
      const failed = rules.filter(({ level, verdict }) => level === 'documented' && verdict === 'fail');
      expect(failed.map(({ id }) => id)).toEqual(documented);
    },
  );
});
