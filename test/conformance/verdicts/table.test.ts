import { rules } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { allFaults } from '../faults/index.js';
import { subjects } from './subjects.js';
import { readTable } from './table.js';

const table = readTable();
const isWarning = new Set<string>(
  rules.flatMap((rule) => ('severity' in rule && rule.severity === 'warning' ? [rule.id] : [])),
);
const known = new Map<string, string>(rules.map(({ id, level }) => [id, level]));

describe('the table of verdicts', () => {
  test('has a line for each fault and each correct provider, and no other', () => {
    expect(Object.keys(table).sort()).toEqual(subjects.map(({ name }) => name).sort());
  });

  test.for(allFaults)('has the rules that $name names', ({ name, breaks, needsExploring }) => {
    const { conclusion, broken = [] } = table[`fault: ${name}`] ?? {};
    expect(conclusion).toBe(breaks.some((id) => !isWarning.has(id)) ? 'does-not-conform' : 'conforms');
    expect(broken).not.toEqual([]);
    // Exploring finds rare input by chance: one rule at least.
    if (needsExploring === true) expect(breaks).toEqual(expect.arrayContaining([...broken]));
    else expect(broken).toEqual([...breaks].sort());
  });

  test('has a fault for each rule that demands something, and no rule that does not exist', () => {
    const named = new Set<string>(allFaults.flatMap(({ breaks }) => breaks));
    expect([...named].filter((id) => !known.has(id))).toEqual([]);
    expect([...known].filter(([id, level]) => level !== 'unspecified' && !named.has(id))).toEqual([]);
  });

  test('has no broken rule of a correct provider', () => {
    const correct = Object.entries(table).filter(([name]) => name.startsWith('correct'));
    expect(correct.length).toBeGreaterThan(60);
    for (const one of correct) expect(one).toEqual([one[0], { conclusion: 'conforms', broken: [] }]);
  });

  test('has no verdict of a provider that locks clients out', () => {
    const locking = Object.entries(table).filter(([name]) => name.startsWith('locks clients out'));
    expect(locking.length).toBeGreaterThan(2);
    for (const one of locking) expect(one).toEqual([one[0], { conclusion: 'incomplete', broken: [] }]);
  });
});
