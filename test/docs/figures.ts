import { planCheck, rules } from 'plant-store-contract/conformance';
import { faultNames } from 'plant-store-contract/server';
import { PAGES } from './pages.js';

/** The pages that have figures of the package. The benchmarks have figures of the day on which they ran. */
export const PAGES_WITH_FIGURES: readonly string[] = [
  ...Object.keys(PAGES).filter((path) => !path.startsWith('test/lab/bench/')),
  'CHANGELOG.md',
];

/** How pages write figures of the package, and what these are. */
function figures(): readonly [RegExp, readonly unknown[]][] {
  const { requests, plants, more } = planCheck();
  const applicable = rules.filter(({ level }) => level !== 'unspecified').length;
  return [
    [/(?:about|with|sends|of) (\d+) requests\b/dg, [requests]],
    [/creates? (\d+) to (\d+) plants/dg, [plants, plants + more]],
    [
      /(\d+) rules that the interface demands, and (\d+) behaviours/dg,
      [applicable, rules.length - applicable],
    ],
    [/\b(\d+) faults\b/dg, [faultNames.length]],
    [/There are (\d+)\. Each one lists the\s+rules that it breaks/dg, [faultNames.length]],
  ];
}

/** A page with the figures that the package has now. */
export function withFigures(page: string): string {
  let text = page;
  for (const [pattern, values] of figures())
    for (const { indices = [] } of [...text.matchAll(pattern)].reverse())
      for (const [at, value] of [...values.entries()].reverse()) {
        const [start, end] = indices[at + 1] ?? [0, 0];
        text = `${text.slice(0, start)}${value}${text.slice(end)}`;
      }
  return text;
}
